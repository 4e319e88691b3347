package instance

import (
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// FromSet reduces a data set by its antecedents: column a of the instance is
// antecedent a of s. It returns the errors of New.
func FromSet(s *rules.Set) (*Instance, error) {
	columns := make([]*bitset.BitSet, len(s.Antecedents))
	for a := range columns {
		columns[a] = s.Antecedents[a].Captured
	}
	return New(columns, s.Data.Labels, s.Data.Weights, s.Data.N)
}
