package search

import "math/big"

// This file says what is proved of the answer.
//
// Lower bound (Proposition 2 of Yang et al., after Harshaw et al., ICML 2019). Let
// S_k be the rules after step k of the greedy algorithm, a_k its multipliers,
// Φ_k(S) = a_k·g(S) − c(S), and OPT the best set of at most K rules. Let step k
// find a rule worth v_k = a_k·g(R|S) − c(R) while no rule is worth more than U_k,
// and write x⁺ for max(0, x). The rule is added if v_k > 0, so
//
//	Φ_k(S_k) − Φ_(k−1)(S_(k−1)) = v_k⁺ + (a_k − a_(k−1))·g(S_(k−1)).
//
// g is submodular and monotone, and each of the at most K rules of OPT is worth at
// most U_k⁺, so
//
//	U_k⁺ ≥ (1/K)·Σ over R in OPT of (a_k·g(R|S_(k−1)) − c(R))
//	     ≥ (1/K)·(a_k·(g(OPT) − g(S_(k−1))) − c(OPT)).
//
// With v_k⁺ = U_k⁺ − (U_k⁺ − v_k⁺), the sum over all steps, where Φ_0(∅) = 0, is
//
//	V(S_K) ≥ (Σ a_k / K)·g(OPT) − c(OPT) − Σ (U_k⁺ − v_k⁺)
//	         + Σ (a_k − a_(k−1) − a_k/K)·g(S_(k−1)).
//
// The last sum is not negative, as a_(k−1) ≤ (1−1/K)·a_k (its first term has
// g(∅) = 0). So with ρ = Σ a_k / K, which is 1 − (1−1/K)^K up to the rounding of a_k
// and more than 1 − 1/e but for that,
//
//	V(S) ≥ ρ·g(OPT) − c(OPT) − slack,   slack = Σ (U_k⁺ − v_k⁺),
//
// for S_K and for every set that is better, among them what refinement makes of it.
// If each subproblem was solved exactly, the slack is 0. This is the paper's guarantee,
// with the constant that it has for this K.
//
// Upper bound. For every set S and OPT = {R_1, …}, submodularity gives
//
//	V(OPT) ≤ g(S) + Σ (g(R_i|S) − c(R_i)) ≤ g(S) + K·U⁺,
//
// where no rule has g(R|S) − c(R) > U. And every point adds to V(OPT) at most what
// covering it once is worth, β1·positives − β0·negatives, if that is positive: the
// first rule to cover a positive gains β1 + β2 − β2, later ones lose β2. The
// smallest of these bounds is reported.

// bounds returns ρ as a multiple of 2^−20/K, and the slack in units of
// subproblems, of the steps of the greedy algorithm. The slack of some steps alone fits a word.
func bounds(steps []step) (rho int64, slack *big.Int) {
	slack = new(big.Int)
	for _, t := range steps {
		rho += t.fine
		slack.Add(slack, big.NewInt(max(0, t.bound)-max(0, t.rule.value)))
	}
	return rho, slack
}

// upper returns a bound on the value of every rule set, in units of 1/unit. It
// solves a subproblem with the full revenue behind each prefix of the rules, the
// longest first, unless the rules behind a prefix are worth so much there that its
// bound cannot be the smallest.
func (l *learner) upper(rules []Rule) int64 {
	var least int64
	for i := range l.pts.Count {
		least += l.prices.unit * max(0, l.pts.Weights[1][i]-l.pts.Weights[0][i])
	}
	for t := len(rules); t >= 0; t-- {
		prefix := rules[:t]
		var worth int64
		for _, r := range rules[t:] {
			worth = max(worth, l.worth(r.Literals, prefix, one))
		}
		if l.allOf(prefix, worth) < least {
			found := l.best(prefix, one, exactly, t+1, worth)
			least = min(least, l.allOf(prefix, found.bound))
		}
	}
	return least
}

// allOf bounds the value of every rule set if no rule is worth more than bound
// behind rules.
func (s *search) allOf(rules []Rule, bound int64) int64 {
	per := (max(0, bound) + one - 1) / one // rounded up
	return s.revenue(rules) + int64(s.o.Rules)*per
}
