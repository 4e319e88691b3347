package dataset

import (
	"maps"
	"slices"
)

// ChosenCuts returns the numbers at which reading chose to cut columns, ascending,
// by the name of the column. Columns of o.Cuts are not among them, nor are those
// of few numbers, which have a feature for each. o are the options that d was read
// with. A proof records these numbers, because the choice by labels takes a search in
// floating point, which another processor may round otherwise.
func (d *Dataset) ChosenCuts(o Options) map[string][]float64 {
	chosen := map[string][]float64{}
	few := map[string]bool{}
	for _, f := range d.Features {
		few[f.Column] = few[f.Column] || f.Test.Kind == Number
		if f.Test.Kind != Threshold && f.Test.Kind != Interval {
			continue
		}
		for _, bound := range []*float64{f.Test.Low, f.Test.High} {
			if bound != nil {
				chosen[f.Column] = append(chosen[f.Column], *bound)
			}
		}
	}
	maps.DeleteFunc(chosen, func(column string, _ []float64) bool { return few[column] || o.Cuts[column] != nil })
	for column, cuts := range chosen {
		slices.Sort(cuts)
		chosen[column] = slices.Compact(cuts)
	}
	return chosen
}
