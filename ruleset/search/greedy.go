package search

// This file is the distorted greedy algorithm (Yang et al., Algorithm 1; Harshaw
// et al., Submodular Maximization beyond Non-negativity, ICML 2019): in step k of K
// the rule with the largest a_k·g(R|S) − c(R) is added if that is positive. The
// multipliers rise to 1; costs count more at first.
//
// The paper's a_k = (1−1/K)^(K−k) is irrational in no useful base. Here a_K = 1 and
// a_(k−1) is (1−1/K)·a_k rounded down to a multiple of 2^−20: guarantee.go needs
// no more than a_(k−1) ≤ (1−1/K)·a_k.

// multipliers returns a_1 … a_K in multiples of 2^−20.
func multipliers(k int) []int64 {
	a := make([]int64, k)
	a[k-1] = one
	for i := k - 1; i > 0; i-- {
		a[i-1] = a[i] * int64(k-1) / int64(k)
	}
	return a
}

// greedy runs the algorithm and returns the rules, and the solutions of all steps.
func (s *search) greedy(m method) (rules []Rule, steps []step) {
	for k, a := range multipliers(s.o.Rules) {
		found := s.best(rules, a, m, s.o.Rules-k)
		steps = append(steps, step{rules: len(rules), solution: found, fine: a})
		if found.rule.value > 0 {
			rules = append(rules, s.cover(found.rule.literals))
		}
	}
	return rules, steps
}

// step is a subproblem of the greedy algorithm: how many rules there were, the
// multiplier of the revenue in multiples of 2^−20, and what was found.
type step struct {
	rules int
	fine  int64
	solution
}
