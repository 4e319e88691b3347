package dataset

import (
	"slices"
	"sort"
	"strings"

	"parcorels/ratio"
	"parcorels/table"
	"parcorels/weights"

	"github.com/bits-and-blooms/bitset"
)

// Recut returns d with its numbers cut as if there were no samples but those of
// rows: neither the numbers nor the labels of the others have a part in it. All
// samples have the features that come of it, and the note about numbers without a cut is about these rows. So a
// model can be learned from
// rows and judged on the others. part is the samples of rows, with what they
// weigh. All else that content decides, such as the type of a
// column and which texts are too rare, stays.
//
// It returns d itself unless it is a table that was read with
// Options.KeepColumns and has numbers that are cut or groups of texts. It panics if rows does not have N bits, or is empty. It
// can be called by several goroutines.
func (d *Dataset) Recut(rows *bitset.BitSet, part *Dataset) *Dataset {
	if rows.Len() != uint(d.N) || rows.None() {
		panic("dataset: cuts are made from N bits, one of which is set")
	}
	if d.kept == nil || !d.kept.byLabels(d) {
		return d
	}
	b := newBuilder(d.kept.source, d.kept.o, d.kept.columns, d.N, d.counts)
	from := b.take(members(rows), part.counts)
	b.makeFeatures(from, d, rows, part, true)
	again := *d
	again.Features = b.features
	again.ChosenCuts, again.ChosenGroups = b.chosen()
	again.Notes = slices.Clone(d.Notes)
	for _, r := range []remark{uncutNumbers, quantileCuts} {
		again.Notes = slices.DeleteFunc(again.Notes, func(note string) bool { return strings.HasPrefix(note, remarkTexts[r]) })
		if columns := b.said[r]; len(columns) > 0 {
			again.Notes = append(again.Notes, remarkTexts[r]+": "+table.Some(columns))
		}
	}
	return &again
}

// byLabels reports whether rows decide what features a column has.
func (b *builder) byLabels(d *Dataset) bool {
	return slices.ContainsFunc(b.columns, func(c *column) bool {
		return c != nil && c.kind == numericColumn && !b.uncut(c) || d.ClassCount() == 2 && b.mayGroup(c)
	})
}

// Subset returns the samples of rows, in their order, with all features. It
// keeps what d says of its source, so two of the package's invariants may not
// hold: a feature may be constant there, and weights may have a common divisor.
// It panics if rows does not have N bits, or is empty.
func (d *Dataset) Subset(rows *bitset.BitSet) *Dataset {
	if rows.Len() != uint(d.N) || rows.None() {
		panic("dataset: a subset takes N bits, one of which is set")
	}
	samples := members(rows)
	s := d.take(samples, Taken(d.counts, samples))
	if d.Costs != nil {
		costs := *d.Costs
		costs.Each, costs.Least, s.Costs = nil, nil, &costs
	}
	return s
}

// ClassTotals returns what the samples of each of two classes weigh.
func (d *Dataset) ClassTotals() (total [2]int64) {
	for i := range d.N {
		total[d.Class(i)] += d.Weight(i)
	}
	return total
}

// ClassWeighted returns d with the weights of each class multiplied as Options.ClassWeights says, and whether they were rounded.
// Its errors are those of class weights.
func (d *Dataset) ClassWeighted(classWeights string) (_ *Dataset, rounded bool, err error) {
	b, own := *d, []weights.Decimal(nil)
	if d.Weights != nil {
		own = weights.Whole(d.Weights)
	}
	if err = b.weigh(own, false, classWeights, d.digits); err == nil && own != nil && b.Weights != nil {
		if unit, ok := ratio.FromRat(ratio.Product(b.WeightUnit.Rat(), d.WeightUnit.Rat())); ok {
			b.WeightUnit = unit
		}
	}
	return &b, len(b.Notes) > len(d.Notes), err
}

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
