package dataset

import (
	"math"
	"slices"

	"parcorels/dataset/internal/guess"
	"parcorels/internal/loop"

	"github.com/bits-and-blooms/bitset"
)

// Cuts are made for all columns together, before their features: by the labels,
// which package guess does, or else at quantiles. Only a boundary point can be
// the best cut, a place between two numbers with samples of two classes beside
// it (Fayyad and Irani, Multi-Interval Discretization of Continuous-Valued
// Attributes, IJCAI 1993), so that no other is a candidate.

// CutsBy says how the numbers are chosen that columns are cut at.
type CutsBy string

// The ways to choose cuts. The zero value stands for ByLabel, of thresholds,
// and for ByQuantile of intervals. ByInformation is ByLabel, and also cuts a column
// where that tells most of the classes though no prediction changes: for models of
// probabilities.
const (
	ByLabel       CutsBy = "label"
	ByInformation CutsBy = "information"
	ByQuantile    CutsBy = "quantile"
)

// byLabel reports whether the labels choose the cuts.
func (o Options) byLabel() bool {
	return o.CutsBy == ByLabel || o.CutsBy == ByInformation || o.CutsBy == "" && o.Numeric != Intervals
}

// cutValues are the cuts of a column: its thresholds, and where the intervals
// above them begin.
type cutValues struct {
	atMost, begin     []float64
	infinite, integer bool // whether the column has infinities, and else integers only
}

func newCutValues(levels []level) cutValues {
	n := len(levels)
	return cutValues{
		infinite: n > 0 && (math.IsInf(levels[0].value, 0) || math.IsInf(levels[n-1].value, 0)),
		integer:  integers(levels),
	}
}

// uncutValues returns what is known of a column of numbers before it is cut.
func (b *builder) uncutValues(c *column) cutValues {
	if !c.many {
		return newCutValues(b.levels(c))
	}
	v := cutValues{integer: true}
	for _, x := range c.numbers {
		if math.IsInf(x, 0) {
			v.infinite = true
		} else if x != math.Trunc(x) || math.Abs(x) >= 1<<53 { // not of NaN
			v.integer = v.integer && x != x
		}
	}
	return v
}

// isCut reports whether a column of numbers is cut, and not by given cuts.
func (b *builder) isCut(c *column) bool {
	if _, given := b.o.Cuts[c.name]; given || c.kind != numericColumn || c.scale.Levels != nil || b.o.AllCuts {
		return false
	}
	if !c.many {
		return len(b.levels(c)) > b.o.bins()
	}
	distinct := map[float64]bool{}
	for _, v := range c.numbers {
		if math.IsNaN(v) {
			continue
		}
		if distinct[v] = true; len(distinct) > b.o.bins() {
			return true
		}
	}
	return false
}

// cutAll chooses the cuts of all columns that are cut, or leaves it to split, as those
// at quantiles are chosen column by column. They come from the samples of from, which
// are those of rows among the samples of d, all if rows is nil; with these weights.
func (b *builder) cutAll(from *builder, d *Dataset, rows *bitset.BitSet, weights []int64) {
	b.cuts = map[int]cutValues{}
	for i, c := range b.columns {
		if c != nil && b.isCut(c) {
			b.cuts[i] = cutValues{}
		}
	}
	if len(b.cuts) == 0 {
		return
	}
	if b.o.Chosen != nil {
		for i := range b.cuts {
			c := b.columns[i]
			v := b.uncutValues(c)
			v.atMost = b.o.Chosen[c.name]
			v.begin = v.atMost
			b.cuts[i] = v
		}
		return
	}
	var g *guessing
	if b.o.byLabel() {
		g = newGuessing(from, d, rows, weights)
	}
	if g == nil {
		b.quantilesOf = from
		return
	}
	asked := make([]*question, len(b.columns))
	loop.Parallel(len(asked), func(i int) {
		c := from.columns[i]
		if c == nil || !c.kind.used() {
			return
		}
		if g.all != nil {
			c = c.within(g.rows, g.b.n)
		}
		if _, cut := b.cuts[i]; cut {
			if asked[i] = g.numbers(c); asked[i] != nil && b.once && g.all == nil {
				asked[i].keepParts()
				c.freeCells()
			}
		} else {
			asked[i] = g.parts(c)
		}
		if g.all != nil {
			c.freeCells() // it is a copy of some rows
		}
	})
	asked = slices.DeleteFunc(asked, func(q *question) bool { return q == nil })
	ask := make([]guess.Column, len(asked))
	for i, q := range asked {
		ask[i], q.Bins = q.Column, nil
	}
	budget := (b.o.bins() - 1) * len(b.cuts)
	all := b.o.CutsBy == ByInformation
	var bins [][]int
	var sets [][][]uint64
	if !b.once || g.all != nil {
		bins = guess.Cuts(ask, g.classes, g.k, g.weights, budget, all)
	} else {
		bins, sets = guess.CutSets(ask, g.classes, g.k, g.weights, budget, all)
	}
	b.takeCuts(asked, bins)
	b.cutParts = map[int]*cutParts{}
	for i, q := range asked {
		if q.cutParts != nil {
			if sets != nil {
				q.cutParts.below, q.cutParts.turned = sets[i], q.candidates.turned
			}
			b.cutParts[q.of.at] = q.cutParts
		}
	}
}

// takeCuts makes the cuts of columns behind the chosen bins.
func (b *builder) takeCuts(asked []*question, bins [][]int) {
	for i, q := range asked {
		if q.candidates != nil {
			b.cuts[q.of.at] = q.candidates.chosen(bins[i])
		}
	}
}

// quantiles returns the cuts of a column at its quantiles.
func (b *builder) quantiles(c *column) (v cutValues) {
	levels := b.levels(c)
	v = newCutValues(levels)
	if len(levels) < 2 {
		return v
	}
	v.begin = quantileCuts(levels, v.integer, b.o.bins())
	for _, place := range placesOfCuts(levels, v.begin) {
		v.atMost = append(v.atMost, threshold(levels, place))
	}
	return v
}
