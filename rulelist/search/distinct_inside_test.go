package search

import (
	"slices"
	"testing"

	"parcorels/bitvec"
)

// TestDistinct: of columns that capture the same, the one of the smallest antecedent stands
// for all.
func TestDistinct(t *testing.T) {
	p := &problem{columns: [][]uint64{{5}, {3}, {5}, {3}, {6}}, antecedents: []antecedent{4, 1, 2, 7, 9}, hasher: bitvec.NewHasher(1)}
	if got, want := p.distinct(), []column{1, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("distinct columns %v, want %v", got, want)
	}
}
