package search

import "parcorels/bitvec"

// Rule is a rule of a rule set.
type Rule struct {
	Literals []int // indices of antecedents, ascending; all must hold
	Positive int64 // weight of the samples of class 1 that it covers
	Negative int64 // weight of those of class 0

	covered []uint64 // the distinct points that it covers
}

// cover makes the rule of some literals.
func (s *search) cover(literals []int) Rule {
	r := Rule{Literals: literals, covered: make([]uint64, s.pts.Words)}
	for i := range s.pts.Count {
		r.covered[i/64] |= 1 << (i % 64)
	}
	for _, j := range literals {
		bitvec.And(r.covered, r.covered, s.pts.Columns[j])
	}
	r.Negative, r.Positive = s.weights(r.covered)
	return r
}

// weights returns the weight of each class in a set of points.
func (s *search) weights(set []uint64) (negative, positive int64) {
	for i := range bitvec.Members(set) {
		negative += s.pts.Weights[0][i]
		positive += s.pts.Weights[1][i]
	}
	return negative, positive
}

// union returns the points that at least one of the rules covers.
func (s *search) union(rules []Rule) []uint64 {
	set := make([]uint64, s.pts.Words)
	for _, r := range rules {
		bitvec.Or(set, set, r.covered)
	}
	return set
}

// revenue is g(S), cost is c(R), value is V(S), in units of 1/unit.
func (s *search) revenue(rules []Rule) int64 {
	_, positive := s.weights(s.union(rules))
	return (s.prices.unit + s.prices.overlap) * positive
}

func (s *search) cost(r Rule) int64 {
	return s.prices.unit*r.Negative + s.prices.overlap*r.Positive + s.prices.λ*int64(len(r.Literals))
}

func (s *search) value(rules []Rule) int64 {
	v := s.revenue(rules)
	for _, r := range rules {
		v -= s.cost(r)
	}
	return v
}
