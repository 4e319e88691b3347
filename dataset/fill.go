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
	rank := func(v float64) int32 {
		if math.IsNaN(v) {
			return missing
		}
		return int32(sort.SearchFloat64s(n.Levels, v))
	}
	if c.many {
		for i, v := range c.numbers {
			n.Ranks[i] = rank(v)
		}
	} else {
		of := make([]int32, len(c.values))
		for code, v := range c.values {
			of[code] = rank(v)
		}
		for i, code := range c.codes {
			n.Ranks[i] = of[code]
		}
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
	if c.many {
		w := 0
		for some := range slices.Chunk(c.numbers, 64) {
			p.fillNumbers(words, w, some)
			w++
		}
		return words
	}
	is := make([]uint64, p.n+1) // 64 samples, by part + 1
	for i, code := range c.codes {
		is[p.byCode[code]+1] |= 1 << (i & 63)
		if i&63 < 63 && i < len(c.codes)-1 {
			continue
		}
		is[0] = 0 // of no part
		for k := range words {
			words[k][i/64], is[k+1] = is[k+1], 0
		}
	}
	return words
}

// fillNumbers writes word w of each part: the samples of up to 64 numbers.
func (p *parts) fillNumbers(words [][]uint64, w int, values []float64) {
	above := atLeast(values, math.Inf(-1)) // all that are there
	if p.missing >= 0 {
		words[p.missing][w] = ^above & (1<<len(values) - 1)
	}
	for i, cut := range p.cuts {
		more := atLeast(values, cut)
		words[i][w] = above &^ more
		above = more
	}
	words[len(p.cuts)][w] = above
}

// atLeast returns which of up to 64 numbers are at least a cut. No branch is to be foretold.
func atLeast(values []float64, cut float64) (set uint64) {
	for i, v := range values {
		is := uint64(0)
		if v >= cut {
			is = 1
		}
		set |= is << (i & 63)
	}
	return set
}

// ofNumber returns the part of a number, -1 for none.
func (p *parts) ofNumber(v float64) int {
	if math.IsNaN(v) {
		return p.missing
	}
	return interval(p.cuts, v)
}
