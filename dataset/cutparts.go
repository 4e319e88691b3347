package dataset

import (
	"slices"

	store "parcorels/dataset/internal/column"
)

// Cells of a column whose cuts the labels choose take a byte or two, and their bins one more. Where all rows are
// samples of package guess, the bins tell all that the features need: a cut is a place between two bins. So
// the cells are let go of when their bins are known, and package guess returns the samples of each cut.

// cutParts are the samples of the parts of a column that is cut, whose cells are let go of.
type cutParts struct {
	unnumbered []uint64   // samples without a number
	missing    []uint64   // those of them whose cell is missing
	below      [][]uint64 // of each cut, the samples on its first side
	turned     bool       // that is the upper one, and the greatest cut is the first
}

// letGo lets go of the cells of the column.
func (q *question) letGo() {
	c, words := q.of, (len(q.Bins)+63)/64
	q.cutParts = &cutParts{unnumbered: make([]uint64, words)}
	for i, b := range q.Bins {
		if int(b) == q.Ordered {
			q.cutParts.unnumbered[i/64] |= 1 << (i & 63)
		}
	}
	q.cutParts.missing = q.cutParts.unnumbered
	if c.floats != nil {
		c.floats.Release()
		return
	}
	if isMissing := c.missingCodes(); slices.Contains(isMissing, true) {
		q.cutParts.missing = make([]uint64, words)
		for first, codes := range c.codes.Blocks() {
			for i, code := range codes {
				if isMissing[code] {
					q.cutParts.missing[(first+i)/64] |= 1 << (i & 63)
				}
			}
		}
	}
	c.codes = store.Packed{}
}

// words returns the samples of each part of n samples. It can be called once.
func (k *cutParts) words(p *parts, n int) [][]uint64 {
	there := make([]uint64, len(k.unnumbered))
	for w, x := range k.unnumbered {
		there[w] = ^x
	}
	if n%64 > 0 {
		there[len(there)-1] &= 1<<(n%64) - 1
	}
	words := k.below
	if k.turned {
		slices.Reverse(words)
		for _, set := range words {
			for w, above := range set {
				set[w] = there[w] &^ above
			}
		}
	}
	words = append(words, there)
	for i := len(p.cuts); i > 0; i-- {
		for w, lower := range words[i-1] {
			words[i][w] &^= lower
		}
	}
	if p.missing >= 0 {
		words = append(words, k.missing)
	}
	return words
}
