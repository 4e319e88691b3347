package dataset

import (
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/internal/loop"
)

// Sets of samples are made of columns 64 samples, a word of each set, at a time:
// on 5 million rows, one look-up and one set bit a cell took as long as parsing
// the cells. Columns do not know one another, so that all processors share them.

// fill returns the samples of each part of a column.
func (b *builder) fill(c *column, p *parts) [][]uint64 {
	if k := b.cutParts[c.at]; k != nil {
		return k.words(p, b.n)
	}
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

// made is what becomes of a column: its parts, the samples of their features, and
// remarks.
type made struct {
	numbers *Numbers // instead of the parts
	parts   *parts
	samples []*bitset.BitSet
	said    map[remark][]string
}

// addAll makes the features of all columns in their order. Names and notes depend on
// the columns before; parts and sets are made side by side, those of floats first,
// as they take the longest. Before them come those without a cut, whose cells make room. Codes are released
// unless keep says otherwise.
func (b *builder) addAll(keep bool) {
	columns := b.columns
	var uncut, floats, codes []int
	for i, c := range columns {
		if c == nil || !b.isUsed(c) {
			continue
		}
		if c.commas && c.kind == numericColumn {
			b.say(decimalCommas, c, "")
		}
		switch {
		case !c.many:
			codes = append(codes, i)
		case len(b.cuts[i].Begin) == 0:
			uncut = append(uncut, i)
		default:
			floats = append(floats, i)
		}
	}
	order, all := append(append(uncut, floats...), codes...), make([]made, len(columns))
	loop.Parallel(len(order), func(at int) {
		i := order[at]
		one := *b
		one.said = map[remark][]string{}
		if one.uncut(columns[i]) {
			all[i] = made{numbers: one.numbersOf(columns[i])}
		} else {
			p := one.split(columns[i])
			all[i] = made{parts: p, samples: one.samples(p, one.fill(columns[i], p)), said: one.said}
		}
		if !keep {
			columns[i].release()
		}
	})
	for i, c := range columns {
		for r, texts := range all[i].said {
			b.said[r] = append(b.said[r], texts...)
		}
		if n := all[i].numbers; n != nil && len(n.Levels) > 0 {
			b.whole = append(b.whole, *n)
		}
		if all[i].parts != nil {
			b.add(c, all[i].parts, all[i].samples)
		}
	}
}
