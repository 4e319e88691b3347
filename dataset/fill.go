package dataset

import (
	"math"
	"math/bits"
	"sync"

	"github.com/bits-and-blooms/bitset"

	"parcorels/internal/loop"
)

// Sets of samples are made of columns 64 samples, a word of each set, at a time:
// on 5 million rows, one look-up and one set bit a cell took as long as parsing
// the cells. Columns do not know one another, so that all processors share them.

// manyParts is how many sets are written to bit by bit: a word of each is no
// longer worth it.
const manyParts = 64

// fill returns the samples of each part of a column.
func (b *builder) fill(c *column, p *parts) [][]uint64 {
	words := make([][]uint64, p.n)
	for i := range words {
		words[i] = make([]uint64, (b.n+63)/64)
	}
	ones, binary := c.codes.Bits()
	switch {
	case b.dropped != nil || p.n > manyParts:
		for i, row := range b.kept() {
			if part := p.of(c, row); part >= 0 {
				words[part][i>>6] |= 1 << (i & 63)
			}
		}
	case p.byCode != nil && binary:
		for code, part := range p.byCode {
			if part >= 0 {
				addCode(words[part], ones, code, b.n)
			}
		}
	case p.byCode == nil && len(p.cuts) <= fewCuts:
		b.fillBetween(c, p, words)
	default:
		b.fillWords(c, p, words)
	}
	return words
}

// fewCuts are compared with a number side by side; of more, the first that is above it is looked for.
const fewCuts = 12

// fillBetween writes a word of each part between the cuts at a time.
func (b *builder) fillBetween(c *column, p *parts, words [][]uint64) {
	c.floats.AtLeast(p.cuts, func(w int, present uint64, atLeast []uint64) {
		if p.missing >= 0 {
			words[p.missing][w] = ^present
		}
		for i, above := range atLeast {
			words[i][w] = present &^ above
			present = above
		}
		words[len(p.cuts)][w] = present
	})
	if p.missing >= 0 && b.n%64 > 0 {
		words[p.missing][len(words[p.missing])-1] &= 1<<(b.n%64) - 1
	}
}

// addCode adds the samples that have code 0 or 1 to set.
func addCode(set, ones []uint64, code, n int) {
	flip := uint64(code) - 1 // all bits of code 0
	for w, x := range ones {
		set[w] |= x ^ flip
	}
	if code == 0 && n%64 > 0 {
		set[len(set)-1] &= 1<<(n%64) - 1
	}
}

// fillWords writes a word of each part at a time.
func (b *builder) fillWords(c *column, p *parts, words [][]uint64) {
	var acc [manyParts + 1]uint64 // by part + 1
	var codes [64]uint32
	var values [64]float64
	for w := range (b.n + 63) / 64 {
		if p.byCode != nil {
			for i, code := range codes[:c.codes.Unpack(codes[:], 64*w)] {
				acc[p.byCode[code]+1] |= 1 << (i & 63)
			}
		} else {
			for i, v := range values[:c.floats.Unpack(values[:], 64*w)] {
				acc[p.ofNumber(v)+1] |= 1 << (i & 63)
			}
		}
		acc[0] = 0
		for i := range words {
			words[i][w], acc[i+1] = acc[i+1], 0
		}
	}
}

// ofNumber returns the part of a number, -1 for none.
func (p *parts) ofNumber(v float64) int {
	if math.IsNaN(v) {
		return p.missing
	}
	return interval(p.cuts, v)
}

// counts returns how many of the kept rows have each code; nil of floats. The
// caller does not change it.
func (b *builder) counts(c *column) []int {
	if len(c.texts) == 0 {
		return nil
	}
	if b.dropped == nil && c.tally != nil {
		return c.tally
	}
	counts := make([]int, len(c.texts))
	ones, binary := c.codes.Bits()
	switch {
	case b.dropped != nil:
		for _, row := range b.kept() {
			counts[c.codes.At(row)]++
		}
	case binary:
		n := 0
		for _, x := range ones {
			n += bits.OnesCount64(x)
		}
		counts[0] = b.n - n
		if len(counts) > 1 {
			counts[1] = n
		}
	default:
		var codes [1 << 10]uint32
		for first := 0; first < b.n; first += len(codes) {
			for _, code := range codes[:c.codes.Unpack(codes[:], first)] {
				counts[code]++
			}
		}
	}
	if b.dropped == nil && c.tally == nil {
		c.tally = counts
	}
	return counts
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
// as they take the longest. Codes are released unless keep says otherwise.
func (b *builder) addAll(columns []*column, keep bool) {
	var floats, codes []int
	for i, c := range columns {
		if c == nil || !b.isUsed(c) {
			continue
		}
		if c.commas && c.kind == numericColumn {
			b.say(decimalCommas, c, "")
		}
		if c.floats != nil {
			floats = append(floats, i)
		} else {
			codes = append(codes, i)
		}
	}
	order, all := append(floats, codes...), make([]made, len(columns))
	memory := sync.Pool{New: func() any { return new(scratch) }}
	loop.Parallel(len(order), func(at int) {
		i := order[at]
		one := *b
		one.said, one.scratch = map[remark][]string{}, memory.Get().(*scratch)
		if one.uncut(columns[i]) {
			all[i] = made{numbers: one.numbersOf(columns[i])}
		} else {
			p := one.split(columns[i])
			all[i] = made{parts: p, samples: one.samples(p, one.fill(columns[i], p)), said: one.said}
		}
		memory.Put(one.scratch)
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
