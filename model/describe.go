package model

import (
	"path/filepath"

	"parcorels/dataset"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// NewFrame returns the frame of a model on the antecedents of set, whose data
// was read with o. It has no columns: [Frame.Literals] adds those that are looked at.
func NewFrame(set *rules.Set, o dataset.Options) Frame {
	d := set.Data
	f := Frame{
		Data: Data{
			Source: filepath.Base(d.Source), Hash: d.Hash, Format: d.Format,
			Samples: int64(d.Rows()), Dropped: int64(d.Dropped),
			Weighted: d.Weighted(), Weight: d.TotalWeight(), WeightUnit: d.WeightUnit,
		},
		Reading: Reading{
			NoHeader: d.NoHeader, DecimalComma: d.DecimalComma, Width: len(d.Columns),
			DropMissing: o.DropMissing, MissingWords: o.Missing,
		},
		Target: d.Target, Classes: d.LabelTexts(), OneVsRest: d.OneVsRest,
		Columns: []Column{}, Costs: newCosts(d.Costs),
	}
	if set.Pruned() {
		f.Data.Kept, f.Data.Mined = int64(len(set.Antecedents)), set.Mined
	}
	return f
}

// Literals translates a conjunction of features of d into literals on raw cells. It
// adds the columns that they look at to those of the model.
// Two bounds of one column become one literal, as in "20 < age ≤ 30".
func (f *Frame) Literals(d *dataset.Dataset, literals []rules.Literal) []Literal {
	var list []Literal
	for _, c := range rules.Conditions(d, literals) {
		list = append(list, Literal{c.Name, f.addColumn(d, d.Features[c.Feature]), c.Negated, c.Test})
	}
	return list
}

// Counter shares out the samples of a data set among the cases of a model.
type Counter struct {
	data *dataset.Dataset
	left *bitset.BitSet // samples that no case has taken
}

// NewCounter returns a counter of all samples of d.
func NewCounter(d *dataset.Dataset) *Counter {
	return &Counter{d, bitset.New(uint(d.N)).FlipRange(0, uint(d.N))}
}

// Take returns the counts of a case with the given captured set, nil for all
// samples, and takes the samples that it captures: later cases count the rest.
func (c *Counter) Take(captured *bitset.BitSet) Counts {
	taken := c.left.Clone()
	if captured != nil {
		taken.InPlaceIntersection(captured)
	}
	c.left.InPlaceDifference(taken)
	counts := Counts{make([]int64, c.data.ClassCount()), make([]int64, c.data.ClassCount())}
	for i := range taken.EachSet() {
		y := c.data.Class(int(i))
		counts.Samples[y] += c.data.RowsAt(int(i))
		for q, w := range c.data.WeightsAt(int(i)) {
			counts.Weights[q] += w
		}
	}
	return counts
}
