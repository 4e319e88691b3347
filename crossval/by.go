package crossval

import (
	"slices"

	"parcorels/model/evaluate"

	"github.com/bits-and-blooms/bitset"
)

// groupsOf returns the rows of test in each group; nil of no groups.
func groupsOf(by []int, test *bitset.BitSet) (sets []*bitset.BitSet) {
	if by == nil {
		return nil
	}
	for range slices.Max(by) + 1 {
		sets = append(sets, bitset.New(test.Len()))
	}
	for i, ok := test.NextSet(0); ok; i, ok = test.NextSet(i + 1) {
		sets[by[i]].Set(i)
	}
	return sets
}

// Group evaluates the rows of one group of Options.By, each as the fold judges it that
// leaves it out, with λ number l.
func (r *Report) Group(l, group int) *evaluate.Evaluation {
	all := &evaluate.Evaluation{}
	for _, f := range r.Fits[l] {
		if f == nil {
			continue
		}
		e := f.groups[group]
		all.Classes = e.Classes
		all.Predicted = append(all.Predicted, e.Predicted...)
		all.Probabilities = append(all.Probabilities, e.Probabilities...)
		all.Counts = append(all.Counts, e.Counts...)
	}
	return all
}
