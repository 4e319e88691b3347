package dataset

import (
	"math"
	"slices"

	"parcorels/dataset/internal/guess"

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
// and for ByQuantile of intervals.
const (
	ByLabel    CutsBy = "label"
	ByQuantile CutsBy = "quantile"
)

// byLabel reports whether the labels choose the cuts.
func (o Options) byLabel() bool {
	return o.CutsBy == ByLabel || o.CutsBy == "" && o.Numeric != Intervals
}

const (
	// fineBins bounds the places that are looked at in a column. Quantiles of
	// the numbers stand for them where there are more.
	fineBins = 1 << 11
	// maxCandidates bounds those that package guess is asked about.
	maxCandidates = 250
)

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

// isCut reports whether a column of numbers is cut, and not by given cuts.
func (b *builder) isCut(c *column) bool {
	if _, given := b.o.Cuts[c.name]; given || c.kind != numericColumn {
		return false
	}
	if c.floats == nil {
		return len(b.levels(c)) > b.o.bins()
	}
	distinct := map[float64]bool{}
	for _, row := range b.kept() {
		if v := c.floats.At(row); !math.IsNaN(v) {
			if distinct[v] = true; len(distinct) > b.o.bins() {
				return true
			}
		}
	}
	return false
}

// cutAll chooses the cuts of all columns that are cut, from the samples that
// from keeps: those of b, or fewer. Their labels and weights are ones and
// weights; ones is nil of more than two classes.
func (b *builder) cutAll(columns []*column, from *builder, ones *bitset.BitSet, weights []int64) {
	b.cuts = map[*column]cutValues{}
	for _, c := range columns {
		if c != nil && b.isCut(c) {
			b.cuts[c] = cutValues{}
		}
	}
	if len(b.cuts) == 0 {
		return
	}
	if !b.o.byLabel() || ones == nil { // the choice by labels is for two classes
		for c := range b.cuts {
			b.cuts[c] = from.quantiles(c)
		}
		return
	}
	g := &guessing{b: from, ones: make([]bool, from.n), weights: weights}
	for i := range g.ones {
		g.ones[i] = ones.Test(uint(i))
	}
	for _, c := range columns {
		if c == nil || !c.kind.used() {
			continue
		}
		if _, cut := b.cuts[c]; cut {
			g.addNumbers(c)
		} else {
			g.addParts(c)
		}
	}
	budget := (b.o.bins() - 1) * len(b.cuts)
	for i, bins := range guess.Cuts(g.columns, g.ones, g.weights, budget) {
		if g.places[i] != nil {
			b.cuts[g.of[i]] = g.places[i].chosen(bins)
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
	v.begin = quantileCuts(levels, b.o.bins())
	for _, place := range placesOfCuts(levels, v.begin) {
		v.atMost = append(v.atMost, threshold(levels, place))
	}
	return v
}

// guessing is what package guess is asked.
type guessing struct {
	b       *builder
	ones    []bool
	weights []int64
	columns []guess.Column
	of      []*column
	places  []*cutPlaces // of a column that is to be cut
}

// addParts adds a column whose features are known: categories, few numbers, or
// numbers with given cuts.
func (g *guessing) addParts(c *column) {
	scout := *g.b
	scout.said = map[remark][]string{}
	p := scout.split(c)
	if p.n > 254 {
		return // given cuts may be many
	}
	column := guess.Column{Bins: make([]uint8, g.b.n), N: p.n + 1, Free: true}
	if c.kind == numericColumn {
		column.Ordered = p.n
		if p.missing >= 0 {
			column.Ordered--
		}
	}
	for i, row := range g.b.kept() {
		part := p.of(c, row)
		if part < 0 {
			part = p.n
		}
		column.Bins[i] = uint8(part)
	}
	g.append(c, column, nil)
}

func (g *guessing) append(c *column, column guess.Column, at *cutPlaces) {
	g.columns = append(g.columns, column)
	g.of = append(g.of, c)
	g.places = append(g.places, at)
}

// cutPlaces are the candidates of a column, with the values of their cuts.
type cutPlaces struct{ values cutValues }

// chosen returns the cuts behind the given bins.
func (p *cutPlaces) chosen(bins []int) cutValues {
	v := cutValues{infinite: p.values.infinite, integer: p.values.integer}
	for _, b := range bins {
		v.atMost = append(v.atMost, p.values.atMost[b])
		v.begin = append(v.begin, p.values.begin[b])
	}
	return v
}

// addNumbers adds a column of numbers, in bins between candidates.
func (g *guessing) addNumbers(c *column) {
	levels := g.b.levels(c)
	if len(levels) < 2 {
		return
	}
	p := newPlaces(levels)
	fine := p.fine()
	begins := make([]float64, len(fine))
	for i, place := range fine {
		begins[i] = levels[place+1].value
	}
	bins := g.fineBins(c, begins)
	coarse, kept := g.boundaries(bins, len(fine))
	at := &cutPlaces{newCutValues(levels)}
	for _, i := range kept {
		at.values.atMost = append(at.values.atMost, threshold(levels, fine[i]))
		at.values.begin = append(at.values.begin, p.cut(fine[i], fine[i], fine[i]))
	}
	column := guess.Column{Bins: make([]uint8, len(bins)), Ordered: len(kept) + 1, N: len(kept) + 2}
	for i, b := range bins {
		if b == noBin {
			column.Bins[i] = uint8(column.Ordered)
		} else {
			column.Bins[i] = coarse[b]
		}
	}
	g.append(c, column, at)
}

// fine returns the places to look at, at most fineBins: all, or those nearest
// to quantiles.
func (p *places) fine() (at []int) {
	if len(p.before)-p.first <= fineBins {
		for i := p.first; i < len(p.before); i++ {
			at = append(at, i)
		}
		return at
	}
	for q := 1; q < fineBins; q++ {
		at = append(at, p.nearest(int(int64(p.total)*int64(q)/fineBins)))
	}
	return slices.Compact(at)
}

const noBin = math.MaxUint16 // of a missing cell

// fineBins returns the bin of each kept row: the number of begins up to it.
func (g *guessing) fineBins(c *column, begins []float64) []uint16 {
	bin := func(v float64) uint16 {
		if math.IsNaN(v) {
			return noBin
		}
		i, found := slices.BinarySearch(begins, v)
		if found {
			i++
		}
		return uint16(i)
	}
	bins := make([]uint16, g.b.n)
	if c.floats != nil {
		for i, row := range g.b.kept() {
			bins[i] = bin(c.floats.At(row))
		}
		return bins
	}
	byCode := make([]uint16, len(c.texts))
	for code, v := range c.values() {
		byCode[code] = bin(v)
	}
	for i, row := range g.b.kept() {
		bins[i] = byCode[c.codes.At(row)]
	}
	return bins
}

// boundaries returns which of the cuts behind the fine bins are boundary
// points, thinned to maxCandidates of about equal weight between them, and the
// bin between those for each fine bin.
func (g *guessing) boundaries(bins []uint16, cuts int) (coarse []uint8, kept []int) {
	weights := make([][2]int64, cuts+1)
	var total int64
	for i, b := range bins {
		if b == noBin {
			continue
		}
		w, class := int64(1), 0
		if g.weights != nil {
			w = g.weights[i]
		}
		if g.ones[i] {
			class = 1
		}
		weights[b][class] += w
		total += w
	}
	var candidates []int
	for i := range cuts {
		x, y := weights[i], weights[i+1]
		if x[0] == 0 && y[0] == 0 || x[1] == 0 && y[1] == 0 {
			continue // one class on both sides
		}
		candidates = append(candidates, i)
	}
	kept = candidates
	if len(candidates) > maxCandidates {
		kept = thinned(candidates, weights, total)
	}
	coarse = make([]uint8, cuts+1)
	next := 0
	for b := range coarse {
		coarse[b] = uint8(next)
		if next < len(kept) && kept[next] == b {
			next++
		}
	}
	return coarse, kept
}

// thinned returns at most maxCandidates of the candidates: the first behind
// each share of the weight.
func thinned(candidates []int, weights [][2]int64, total int64) (kept []int) {
	step := total/(maxCandidates+1) + 1
	var below int64
	next := 0
	limit := step
	for b, w := range weights {
		below += w[0] + w[1]
		if next < len(candidates) && candidates[next] == b {
			next++
			if below >= limit {
				kept = append(kept, b)
				limit = below + step
			}
		}
	}
	return kept
}
