package dataset

import (
	"cmp"
	"slices"

	"parcorels/dataset/internal/guess"
	"parcorels/internal/loop"

	"github.com/bits-and-blooms/bitset"
)

// A column that runs the other way asks the same questions, and should get the same
// answers. But cuts may tie, and candidates are thinned from one end. So every
// column is asked about from the end that its samples choose: bin by bin from
// there, the weights of the classes are the smaller sequence of the two. Only a
// column with the same weights from both ends has no such end. There, a cut and
// its mirror image may tie in all that one column says, and where the whole table is
// its own image, no rule can prefer one of them in both directions.

// guessing is what package guess is told of the samples.
type guessing struct {
	b       *builder
	all     *builder       // the samples that those of b are drawn of; nil: all are there
	rows    *bitset.BitSet // those that are drawn; b has no columns then
	classes []uint8        // of each sample
	k       int            // classes
	weights []int64
}

// question is a column that package guess is asked about. Of a column that is
// cut it has the candidates.
type question struct {
	guess.Column
	of         *column
	candidates *candidates
	cutParts   *cutParts // nil unless the cells are let go of
}

// mostClasses is how many classes package guess is asked to tell apart: each is a
// pass over all samples. Cuts of more are quantiles. So are those of three and more
// classes of fewer than fewSamples, where nothing can be told from chance.
const (
	mostClasses = 64
	fewSamples  = 30
)

// rowsAtOnce is how many rows a goroutine takes.
const rowsAtOnce = 1 << 16

// newGuessing asks about the samples of b, which are those of rows among the samples
// of d, all if rows is nil. It is nil where quantiles do as well.
func newGuessing(b *builder, d *Dataset, rows *bitset.BitSet, weights []int64) *guessing {
	g := &guessing{b: b, k: d.ClassCount(), weights: weights}
	if g.k > mostClasses || g.k > 2 && b.n < fewSamples {
		return nil
	}
	g.classes = make([]uint8, b.n)
	if rows == nil {
		loop.Parts(b.n, rowsAtOnce, func(first, last int) {
			for i := first; i < last; i++ {
				g.classes[i] = uint8(d.Class(i))
			}
		})
	} else {
		at := 0
		for i, more := rows.NextSet(0); more; i, more = rows.NextSet(i + 1) {
			g.classes[at] = uint8(d.Class(int(i)))
			at++
		}
	}
	g.renumber()
	g.sample(cutSamples)
	return g
}

// renumber numbers the classes by their weight, and classes of the same by their first
// samples. So nothing that is chosen depends on which class is called 1.
func (g *guessing) renumber() {
	type class struct {
		number, first int
		weight        int64
	}
	all := make([]class, g.k)
	for i := range all {
		all[i] = class{i, -1, 0}
	}
	for i, c := range g.classes {
		if all[c].weight += g.weight(i); all[c].first < 0 {
			all[c].first = i
		}
	}
	slices.SortFunc(all, func(a, b class) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), a.first-b.first, a.number-b.number)
	})
	to := make([]uint8, g.k)
	for number, c := range all {
		to[c.number] = uint8(number)
	}
	loop.Parts(len(g.classes), rowsAtOnce, func(first, last int) {
		for i, c := range g.classes[first:last] {
			g.classes[first+i] = to[c]
		}
	})
}

// parts asks about a column whose features are known: categories, few numbers,
// or numbers with given cuts.
func (g *guessing) parts(c *column) *question {
	scout := *g.b
	scout.said = map[remark][]string{}
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
		for i, v := range c.numbers {
			q.Bins[i] = bin(p.ofNumber(v))
		}
	} else {
		bins := make([]uint8, len(p.byCode))
		for code, part := range p.byCode {
			bins[code] = bin(part)
		}
		for i, code := range c.codes {
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
	weights := g.binWeights(q.N, func(i int) int { return int(q.Bins[i]) })
	if !backwards(weights[:q.Ordered]) {
		return
	}
	for i, b := range q.Bins {
		if int(b) < q.Ordered {
			q.Bins[i] = uint8(q.Ordered-1) - b
		}
	}
}

// binWeights returns the weight of each class in each of n bins.
func (g *guessing) binWeights(n int, bin func(sample int) int) [][]int64 {
	all := make([]int64, n*g.k)
	for i, c := range g.classes {
		all[bin(i)*g.k+int(c)] += g.weight(i)
	}
	return slices.Collect(slices.Chunk(all, g.k))
}

// backwards reports whether the sequence is smaller from its end. It compares the
// weights of a bin in ascending order, and only where that tells nothing by class.
func backwards(weights [][]int64) bool {
	sorted := make([][]int64, len(weights))
	for i, w := range weights {
		sorted[i] = slices.Sorted(slices.Values(w))
	}
	c := compareEnds(sorted)
	return c < 0 || c == 0 && compareEnds(weights) < 0
}

// compareEnds is below 0 where a sequence is smaller from its end, 0 where it is the
// same from both.
func compareEnds(sequence [][]int64) int {
	for i, w := range sequence[:len(sequence)/2] {
		if c := slices.Compare(sequence[len(sequence)-1-i], w); c != 0 {
			return c
		}
	}
	return 0
}

func (g *guessing) weight(i int) int64 {
	if g.weights == nil {
		return 1
	}
	return g.weights[i]
}
