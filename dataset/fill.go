package dataset

import (
	"math"
	"slices"
	"sort"
)

// numbersOf returns a column of numbers with its levels.
func (b *builder) numbersOf(c *column) *Numbers {
	n := &Numbers{Column: c.name, Ranks: make([]int32, b.n), scale: c.scale, words: b.o.Missing}
	levels := c.cells().Levels()
	n.Levels = make([]float64, 0, len(levels))
	for _, l := range levels {
		n.Levels = append(n.Levels, l.Value+0) // −0 is 0
	}
	missing := int32(len(n.Levels))
	of := make([]int32, len(c.values))
	for code, v := range c.values {
		if of[code] = missing; !math.IsNaN(v) {
			of[code] = int32(sort.SearchFloat64s(n.Levels, v))
		}
	}
	for i, code := range c.Codes {
		n.Ranks[i] = of[code]
	}
	n.Missing = slices.Contains(n.Ranks, missing)
	return n
}

// union returns the samples of all sets: the set itself of one.
func union(sets [][]uint64) []uint64 {
	if len(sets) == 1 {
		return sets[0]
	}
	all := make([]uint64, len(sets[0]))
	for _, set := range sets {
		for i, x := range set {
			all[i] |= x
		}
	}
	return all
}

// Sets of samples are made of columns 64 samples, a word of each set, at a time:
// on 5 million rows, one look-up and one set bit a cell took as long as parsing
// the cells. Columns do not know one another, so that all processors share them.

// fill returns the samples of each part of a column.
func (b *builder) fill(c *column, p *parts) [][]uint64 {
	words := make([][]uint64, p.n)
	for i := range words {
		words[i] = make([]uint64, (b.n+63)/64)
	}
	is := make([]uint64, p.n+1) // 64 samples, by part + 1
	for i, code := range c.Codes {
		is[p.byCode[code]+1] |= 1 << (i & 63)
		if i&63 < 63 && i < len(c.Codes)-1 {
			continue
		}
		is[0] = 0 // of no part
		for k := range words {
			words[k][i/64], is[k+1] = is[k+1], 0
		}
	}
	return words
}
