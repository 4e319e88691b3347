package search

// This file carries bounds from one subproblem to the next.
//
// Let v(R | C, a) = a·g(R | C) − c(R) be what rule R is worth behind rules that
// cover the points C, with multiplier a. g is monotone and submodular: what R gains
// is not negative and only falls when more is covered. So for C ⊆ C' and a' ≤ a
//
//	v(R | C', a') ≤ v(R | C, a),
//
// and a bound for (C, a) holds for (C', a'). The greedy algorithm asks with a rising
// multiplier: where no rule is worth its cost at some step, none was at any step
// before with the same rules. Refinement and the upper bound ask with a = 1.

// fact says that no rule is worth more than bound behind rules that cover set,
// with multiplier fine/2^20 or a smaller one.
type fact struct {
	covered []uint64
	fine    int64
	bound   int64
}

// known returns the smallest bound that follows from what is remembered.
func (s *search) known(covered []uint64, fine int64) int64 {
	least := maxValue
	for _, f := range s.facts {
		if f.bound < least && fine <= f.fine && within(f.covered, f.covered, covered) {
			least = f.bound
		}
	}
	return least
}
