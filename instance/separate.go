package instance

import (
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Without the reduction: the equivalent points bound left out, to measure what
// it is worth.
//
// Every sample is a point of its own, of its own label and weight, and the base
// is 0. Each list has the same errors as on the reduced instance, so the same
// list is smallest; only the bounds say less, by the errors that no model
// avoids. Nothing that is built on an instance asks that two points differ in
// their antecedents: sets of points, costs and classes are all it looks at.

// NewSeparate is New without the reduction: the invariant that no two points
// satisfy the same antecedents does not hold, all others do.
func NewSeparate(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) (*Instance, error) {
	g := newGrouping(len(columns), 2)
	g.separate = true
	return reduce(g, columns, labels, weights, samples)
}

// FromSetSeparate is FromSet without the reduction.
func FromSetSeparate(s *rules.Set) (*Instance, error) {
	return NewSeparate(capturedBy(s), s.Data.Labels, s.Data.Weights, s.Data.N)
}
