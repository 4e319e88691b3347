package dataset

import (
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"
	"parcorels/table"
)

// Recut returns d with its numbers cut as if there were no samples but those of
// rows: neither the numbers nor the labels of the others have a part in it. All
// samples have the features that come of it, and the note about numbers without a cut is about these rows. So a
// model can be learned from
// rows and judged on the others. The samples of rows weigh weights, in their
// order; nil: 1 each. What else is decided by content, such as the type of a
// column and which texts are too rare, stays.
//
// It returns d itself unless it is a table that was read with
// Options.KeepColumns and has numbers that are cut. It panics if rows does not have N bits, or is empty. It
// can be called by several goroutines.
func (d *Dataset) Recut(rows *bitset.BitSet, weights []int64) *Dataset {
	if rows.Len() != uint(d.N) || rows.None() {
		panic("dataset: cuts are made from N bits, one of which is set")
	}
	if d.kept == nil || !d.kept.cutsAny() {
		return d
	}
	b := newBuilder(d.kept.source, d.kept.o, d.kept.columns, d.N)
	b.cutAll(b.within(rows), d, rows, weights)
	b.direction = directionOf(d).within(rows)
	b.addAll(true)
	again := *d
	again.Features = b.features
	again.Notes = slices.DeleteFunc(slices.Clone(d.Notes), func(note string) bool { return strings.HasPrefix(note, remarkTexts[uncutNumbers]) })
	if uncut := b.said[uncutNumbers]; len(uncut) > 0 {
		again.Notes = append(again.Notes, remarkTexts[uncutNumbers]+table.Some(uncut))
	}
	return &again
}

// cutsAny reports whether the builder cuts a column.
func (b *builder) cutsAny() bool {
	return slices.ContainsFunc(b.columns, func(c *column) bool { return c != nil && c.kind == numericColumn && !b.uncut(c) })
}
