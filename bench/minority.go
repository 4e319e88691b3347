package bench

import (
	"github.com/bits-and-blooms/bitset"

	"parcorels/rules"
)

// The reference implementation reads the equivalent points bound from a file:
// the samples whose label is the rarer one among those that satisfy the same
// antecedents. It takes no notice of the file if its first sample is not one,
// so the samples are written from the first that is; their order means nothing.

// firstInMinority returns the samples that are in the minority of their class. It turns
// the samples of the set round so that the first one is, if any is.
func firstInMinority(set *rules.Set) []bool {
	minority := inMinority(set)
	first := 0
	for first < len(minority) && !minority[first] {
		first++
	}
	if first == 0 || first == len(minority) {
		return minority
	}
	for i := range set.Antecedents {
		set.Antecedents[i].Parts = []*bitset.BitSet{turned(set.Antecedents[i].Captured(), first)}
	}
	set.Data.Labels = turned(set.Data.Labels, first)
	return append(minority[first:], minority[:first]...)
}

// turned returns a set in which sample first has become sample 0.
func turned(s *bitset.BitSet, first int) *bitset.BitSet {
	n := int(s.Len())
	t := bitset.New(uint(n))
	for i, ok := s.NextSet(0); ok; i, ok = s.NextSet(i + 1) {
		t.Set(uint((int(i) - first + n) % n))
	}
	return t
}

// inMinority returns the samples whose label is the rarer one of their class
// of equivalent samples; on a tie those of label 1.
func inMinority(set *rules.Set) []bool {
	points := set.PointOf()
	weights := make([][2]int, set.Data.N)
	for i, p := range points {
		weights[p][set.Data.Class(i)]++
	}
	minority := make([]bool, set.Data.N)
	for i, p := range points {
		c := set.Data.Class(i)
		own, other := weights[p][c], weights[p][1-c]
		minority[i] = own < other || own == other && c == 1
	}
	return minority
}
