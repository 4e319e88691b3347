package dataset

import (
	"math"
	"slices"
)

// Cells of a column whose cuts the labels choose take a byte or two, and their bins one more. Where all rows are
// looked at by package cuts, the bins tell all that the features need: a cut is a place between two bins. So
// the cells are freed when their bins are known, and package cuts returns the samples of each cut.

// cutParts are the samples of the parts of a column that is cut, whose cells are freed.
type cutParts struct {
	missing []uint64   // samples without a number; nil: there are none
	below   [][]uint64 // of each cut, the samples on its first side
	turned  bool       // that is the upper one, and the greatest cut is the first
}

// words returns the samples of each part of n samples. It can be called once.
func (k *cutParts) words(p *parts, n int) [][]uint64 {
	there := make([]uint64, (n+63)/64)
	for i := range there {
		there[i] = math.MaxUint64
	}
	if n%64 > 0 {
		there[len(there)-1] = 1<<(n%64) - 1
	}
	for i, x := range k.missing {
		there[i] &^= x
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
