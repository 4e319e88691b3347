package instance

import (
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// FromSet reduces a data set by its antecedents: column a of the instance is
// antecedent a of s. It returns the errors of New.
func FromSet(s *rules.Set) (*Instance, error) {
	return New(capturedBy(s), s.Data.Labels, s.Data.Weights, s.Data.N)
}

// capturedBy returns the columns of a set.
func capturedBy(s *rules.Set) []*bitset.BitSet {
	columns := make([]*bitset.BitSet, len(s.Antecedents))
	for a := range columns {
		columns[a] = s.Antecedents[a].Captured
	}
	return columns
}

// FromSetSeparate is FromSet without the reduction.
func FromSetSeparate(s *rules.Set) (*Instance, error) {
	return NewSeparate(capturedBy(s), s.Data.Labels, s.Data.Weights, s.Data.N)
}
