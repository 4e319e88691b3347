package dataset

import (
	"maps"
	"slices"
	"sort"

	"github.com/bits-and-blooms/bitset"

	"parcorels/table"
)

// Cut asks for a feature of a column of Dataset.Numbers.
type Cut struct {
	Numbers int     // index of the column
	At      float64 // the feature holds up to this number
	Above   bool    // it holds above it instead
	Missing bool    // it holds where the number is missing, whatever else is said
}

// WithCuts returns d with a feature for each cut, in their order, behind its own features.
func (d *Dataset) WithCuts(cuts []Cut) *Dataset {
	if len(cuts) == 0 {
		return d
	}
	with, names := *d, table.Namer{}
	with.Features = slices.Clone(d.Features)
	for _, f := range d.Features {
		names.Unique(f.Name, " #", 2)
	}
	for _, cut := range cuts {
		n := &d.Numbers[cut.Numbers]
		f := Feature{Column: n.Column, Group: -1, Bits: bitset.New(uint(d.N))}
		up := sort.Search(len(n.Levels), func(i int) bool { return n.Levels[i] > cut.At }) // levels up to At
		least, behind := 0, up                                                             // ranks of the samples that it holds for
		switch text := n.scale.Format(cut.At); {
		case cut.Missing:
			f.Name, f.Test = missingName(n.Column), Test{Kind: Missing}
			least, behind = len(n.Levels), len(n.Levels)+1
		case cut.Above:
			f.Name, f.Test = n.Column+" > "+text, Test{Kind: Threshold, Low: &cut.At, Scale: n.scale}
			least, behind = up, len(n.Levels)
		default:
			f.Name, f.Test = n.Column+" ≤ "+text, Test{Kind: Threshold, High: &cut.At, Scale: n.scale}
		}
		f.Test.MissingWords, f.Test.Complete = n.words, !n.Missing
		for i, r := range n.Ranks {
			if int(r) >= least && int(r) < behind {
				f.Bits.Set(uint(i))
			}
		}
		f.Name = names.Unique(f.Name, " #", 2)
		with.Features = append(with.Features, f)
	}
	return &with
}

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
	maps.DeleteFunc(chosen, func(column string, _ []float64) bool { return o.AllCuts || few[column] || o.Cuts[column] != nil })
	for column, cuts := range chosen {
		slices.Sort(cuts)
		chosen[column] = slices.Compact(cuts)
	}
	return chosen
}
