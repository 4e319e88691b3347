package rashomon

import "math/bits"

// Sum is a number that each list has, added up over points: what its prediction there adds, and
// the weight of the points that rules with certain antecedents decide.
type Sum struct {
	Predicted [][]int64 // by label and point: what predicting the label adds; nil, also of a label: 0
	Decided   []int64   // by point: what it adds if a rule By decides it; nil: 0
	By        func(antecedent int) bool
}

// Sums finds the smallest list of each value of a sum. It returns false if the tables need more than
// so many entries.
func (s *Set) Sums(sum Sum, most int) (*Table, bool) {
	if sum.Predicted == nil {
		sum.Predicted = make([][]int64, s.classes)
	}
	at := make([][]int64, s.classes) // by label and state, the sum of its points
	for q := range at {
		at[q] = s.added(sum.Predicted[q])
	}
	decided := s.added(sum.Decided)
	p := adding(func(state int32, e *edge, antecedent int) key {
		x := at[e.label][state] - at[e.label][e.child]
		if sum.By != nil && sum.By(antecedent) {
			x += decided[state] - decided[e.child]
		}
		return key{x}
	}, func(class int, state int32) key { return key{at[class][state]} })
	if sum.By != nil {
		p.groups = func(antecedents []int) []int { return firstOfEach(antecedents, sum.By) }
	}
	return tabulate(s, p, most)
}

// added returns the sum of values over the points of each state.
func (s *Set) added(value []int64) []int64 {
	sums := make([]int64, len(s.d))
	for i := range sums {
		sums[i] = s.addUp(value, s.points(int32(i)))
	}
	return sums
}

func (s *Set) addUp(value []int64, set []uint64) (sum int64) {
	if value == nil {
		return 0
	}
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			sum += value[s.point[64*w+bits.TrailingZeros64(x)]]
		}
	}
	return sum
}
