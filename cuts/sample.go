package cuts

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// Cuts of a table of more than sampleSize rows come from a sample of them: the trees of
// the ensemble look at each row some 80 times, and models of the cuts of ten million rows are no
// better than of those of a million (docs/scaling.md).
//
// Every class gets an equal share of the sample, or all its rows if it has fewer: its
// rows say what tells a rare class from the others. The rows of a class are drawn
// systematically, in proportion to their weights (Cochran, Sampling Techniques, 1977, section
// 9A.10): the weights are laid end to end in the order of rows, and one random unit is drawn of every
// interval of a fixed length. A row then weighs the intervals that drew it, so
// that each class weighs what it does in the table, up to an interval. The same table always
// gives the same sample.

// sampleSize is about how many rows a sample has.
const sampleSize = 1_000_000

// sampler draws the rows of a class.
type sampler struct {
	whole    bool   // all rows
	interval uint64 // of weight
	random   *rand.PCG
	next     uint64 // unit that is drawn next
	begin    uint64 // of its interval
	passed   uint64 // weight of the rows so far
}

// advance draws from the next interval.
func (s *sampler) advance() { s.next = s.begin + s.random.Uint64()%s.interval }

// passes passes the next row, and reports whether it is not drawn.
func (s *sampler) passes(w int64) bool {
	s.passed += uint64(w)
	return s.next >= s.passed && !s.whole
}

// draw returns the weight in the sample of the row that was passed, and how often it was drawn: count of a class that is
// there as a whole.
func (s *sampler) draw(w, count int64) (drawn, times int64) {
	if s.whole {
		return w, count
	}
	for ; s.next < s.passed; s.advance() {
		times++
		s.begin += s.interval
	}
	return times * int64(s.interval), times
}

// sample draws about most samples, if there are more, and keeps them alone.
func (g *Chooser) sample(most int) {
	if len(g.classes) <= most {
		return
	}
	samplers := g.samplers(most)
	rows := bitset.New(uint(len(g.classes)))
	classes, weights := make([]uint8, 0, most+g.k), make([]int64, 0, most+g.k)
	var counts []int64
	for i, c := range g.classes {
		if s, w := &samplers[c], g.weight(i); !s.passes(w) {
			rows.Set(uint(i))
			count := int64(1)
			if g.counts != nil {
				count = g.counts[i]
			}
			w, count = s.draw(w, count)
			classes, weights = append(classes, c), append(weights, w)
			if g.counts != nil {
				counts = append(counts, count)
			}
		}
	}
	if counts == nil && slices.Min(weights) == slices.Max(weights) {
		weights = nil
	}
	g.rows, g.classes, g.weights, g.counts = rows, classes, weights, counts
}

// classRows is what a class has.
type classRows struct {
	class, rows int
	weight      uint64
}

// samplers shares most samples out to the classes, the rarest first.
func (g *Chooser) samplers(most int) []sampler {
	all := make([]classRows, g.k)
	for i, c := range g.classes {
		all[c].rows++
		all[c].weight += uint64(g.weight(i))
	}
	for c := range all {
		all[c].class = c
	}
	slices.SortStableFunc(all, func(x, y classRows) int { return cmp.Compare(x.rows, y.rows) })
	samplers := make([]sampler, g.k)
	for i, c := range all {
		share := most / (g.k - i)
		most -= min(share, c.rows)
		s := &samplers[c.class]
		if s.whole = c.rows <= share; s.whole {
			continue
		}
		s.interval = (c.weight + uint64(share) - 1) / uint64(share)
		s.random = rand.NewPCG(1, uint64(c.class))
		s.advance()
	}
	return samplers
}
