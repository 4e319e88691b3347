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

// step is a subproblem of the greedy algorithm: the multiplier of the revenue in multiples of 2^−20, and what was found. A rule
// that is worth nothing stands for none: no rule is worth its cost.
type step struct {
	fine int64
	solution
}

// greedy runs the algorithm and returns the rules, and the solutions of all steps.
func (l *learner) greedy(m method) (rules []Rule, steps []step) {
	for a := multipliers(l.o.Rules); len(a) > 0; {
		left, found := l.advance(rules, a, m)
		for _, fine := range a[:len(a)-left] {
			bound := max(0, l.known(l.union(rules), fine))
			steps = append(steps, step{fine, solution{bound: bound}})
		}
		a = a[len(a)-left:]
		if len(a) > 0 {
			steps = append(steps, step{a[0], found})
			rules = append(rules, l.cover(found.rule.literals))
			a = a[1:]
		}
	}
	return rules, steps
}

// advance finds the first of the steps with multipliers a, which rise, at which a
// rule is worth its cost, and the best rule there. It returns how many steps are
// left from there on, 0 if there is no such step.
//
// The worth of a rule rises with the multiplier. So that nothing is worth its
// cost before the step at which local search finds something, the one before tells
// for all (search.go). If there is something after all, the first step at which
// that rule is worth its cost takes the place.
func (l *learner) advance(rules []Rule, a []int64, m method) (left int, found solution) {
	at := 0
	for at < len(a) {
		if found = l.best(rules, a[at], locally, 1, 0); found.rule.value > 0 {
			break
		}
		at++
	}
	for m == exactly && at > 0 {
		before := l.best(rules, a[at-1], m, len(a)-at+2, 0)
		if before.rule.value <= 0 {
			break
		}
		for at > 0 && l.worth(before.rule.literals, rules, a[at-1]) > 0 {
			at--
		}
	}
	if at < len(a) && m == exactly {
		found = l.best(rules, a[at], m, len(a)-at, 0)
	}
	return len(a) - at, found
}
