package dataset

import (
	"slices"
	"sync"

	store "parcorels/dataset/internal/column"
	"parcorels/dataset/internal/guess"

	"github.com/bits-and-blooms/bitset"
)

// A column that runs the other way asks the same questions, and should get the same
// answers. But cuts may tie, and candidates are thinned from one end. So every
// column is asked about from the end that its samples choose: bin by bin from
// there, the weights of the two classes are the smaller sequence of the two. Only a
// column with the same weights from both ends has no such end. There, a cut and
// its mirror image may tie in all that one column says, and where the whole table is
// its own image, no rule can prefer one of them in both directions.

// guessing is what package guess is told of the samples.
type guessing struct {
	b       *builder
	ones    []bool
	weights []int64
	scratch sync.Pool // of *scratch
}

// question is a column that package guess is asked about. Of a column that is
// cut it has the candidates.
type question struct {
	guess.Column
	of         *column
	candidates *candidates
}

// scratch is memory that goes from column to column.
type scratch struct {
	keys, spare []uint64
	distinct    []level
	buckets     buckets
	block       *store.Block
	codes       []uint32
}

func newGuessing(b *builder, ones *bitset.BitSet, weights []int64) *guessing {
	g := &guessing{b: b, ones: make([]bool, b.n), weights: weights}
	g.scratch.New = func() any { return new(scratch) }
	for i := range g.ones {
		g.ones[i] = ones.Test(uint(i))
	}
	return g
}

// parts asks about a column whose features are known: categories, few numbers,
// or numbers with given cuts.
func (g *guessing) parts(c *column) *question {
	scout := *g.b
	scout.said = map[remark][]string{}
	s := g.scratch.Get().(*scratch)
	defer g.scratch.Put(s)
	scout.scratch = s
	p := scout.split(c)
	if p.n > 254 {
		return nil // given cuts may be many
	}
	q := &question{of: c, Column: guess.Column{N: p.n + 1, Free: true}}
	if c.kind == numericColumn {
		q.Ordered = p.n
		if p.missing >= 0 {
			q.Ordered--
		}
	}
	bin := func(part int) uint8 {
		if part < 0 {
			return uint8(p.n)
		}
		return uint8(part)
	}
	q.Bins = make([]uint8, g.b.n)
	if p.byCode == nil {
		scout.numbers(c, func(first int, values []float64) {
			for i, v := range values {
				q.Bins[first+i] = bin(p.ofNumber(v))
			}
		})
	} else {
		bins := make([]uint8, len(p.byCode))
		for code, part := range p.byCode {
			bins[code] = bin(part)
		}
		for i, code := range scout.codesOf(c) {
			q.Bins[i] = bins[code]
		}
	}
	q.orient(g)
	return q
}

// orient turns the ordered bins around if that is their direction.
func (q *question) orient(g *guessing) {
	if q.Ordered < 2 {
		return
	}
	weights := make([][2]int64, q.N)
	for i, b := range q.Bins {
		weights[b][g.class(i)] += g.weight(i)
	}
	if !backwards(weights[:q.Ordered]) {
		return
	}
	for i, b := range q.Bins {
		if int(b) < q.Ordered {
			q.Bins[i] = uint8(q.Ordered-1) - b
		}
	}
}

// backwards reports whether the sequence is smaller from its end.
func backwards(weights [][2]int64) bool {
	for i, w := range weights[:len(weights)/2] {
		if c := slices.Compare(weights[len(weights)-1-i][:], w[:]); c != 0 {
			return c < 0
		}
	}
	return false
}

func (g *guessing) class(i int) int {
	if g.ones[i] {
		return 1
	}
	return 0
}

func (g *guessing) weight(i int) int64 {
	if g.weights == nil {
		return 1
	}
	return g.weights[i]
}

// numbers calls do for the numbers of the kept rows in their order, some thousand at
// a time, with the place of the first. The next call overwrites them. A million
// numbers at a time would be read from memory in every pass, instead of the cache.
func (b *builder) numbers(c *column, do func(first int, values []float64)) {
	if b.scratch.block == nil {
		b.scratch.block = new(store.Block)
	}
	block := b.scratch.block
	if b.dropped == nil {
		c.floats.Blocks(block, do)
		return
	}
	for i, row := range b.kept() {
		at := i % len(block)
		block[at] = c.floats.At(row)
		if at == len(block)-1 || i == b.n-1 {
			do(i-at, block[:at+1])
		}
	}
}

// codesOf returns the codes of the kept rows of a column that has such, which
// the next call overwrites.
func (b *builder) codesOf(c *column) []uint32 {
	s := b.scratch
	s.codes = slices.Grow(s.codes[:0], b.n)[:b.n]
	if b.dropped == nil {
		c.codes.Unpack(s.codes, 0)
		return s.codes
	}
	for i, row := range b.kept() {
		s.codes[i] = c.codes.At(row)
	}
	return s.codes
}
