package dataset

import "github.com/bits-and-blooms/bitset"

// keptColumns is what it takes to make the features of a table again.
type keptColumns struct {
	o       Options
	source  string
	rows, n int
	dropped *bitset.BitSet
	columns []*column
}

func (k *keptColumns) builder() *builder {
	b := newBuilder(k.source, k.o, k.rows)
	b.n, b.dropped = k.n, k.dropped
	return b
}

// within returns what it takes for the samples of rows alone.
func (k *keptColumns) within(rows *bitset.BitSet) *keptColumns {
	part, b := *k, k.builder().within(rows)
	part.n, part.dropped = b.n, b.dropped
	return &part
}

// within returns a builder of those samples alone that are in rows.
func (b *builder) within(rows *bitset.BitSet) *builder {
	part := newBuilder(b.source, b.o, b.rows)
	part.n, part.dropped = int(rows.Count()), bitset.New(uint(b.rows))
	if b.dropped != nil {
		b.dropped.Copy(part.dropped)
	}
	for i, row := range b.kept() {
		if !rows.Test(uint(i)) {
			part.dropped.Set(uint(row))
		}
	}
	return part
}

// Recut returns d with its numbers cut as if there were no samples but those of
// rows: neither the numbers nor the labels of the others have a part in it. All
// samples have the features that come of it. So a model can be learned from
// rows and judged on the others. The samples of rows weigh weights, in their
// order; nil: 1 each. What else is decided by content, such as the type of a
// column and which texts are too rare, stays.
//
// It returns d itself unless it is a table that was read with
// Options.KeepColumns. It panics if rows does not have N bits, or is empty. It
// can be called by several goroutines.
func (d *Dataset) Recut(rows *bitset.BitSet, weights []int64) *Dataset {
	if rows.Len() != uint(d.N) || rows.None() {
		panic("dataset: cuts are made from N bits, one of which is set")
	}
	if d.kept == nil {
		return d
	}
	b := d.kept.builder()
	b.cutAll(d.kept.columns, b.within(rows), d, rows, weights)
	b.direction = directionOf(d).within(rows)
	b.addAll(d.kept.columns, true)
	again := *d
	again.Features = b.features
	return &again
}
