package dataset

import (
	"math"
	"slices"

	"parcorels/cuts"
	"parcorels/internal/loop"
)

// Whole numbers of few values may be codes. A person is asked where they tell two
// classes apart by more than chance, and the best threshold has less than half of it.

// mostCodes is how many values look like codes.
const mostCodes = 10

// hintCodes remarks on columns of numbers that look like codes.
func (b *builder) hintCodes(d *Dataset) {
	if d.Labels == nil || d.Labels.None() || d.Labels.All() {
		return
	}
	maybe := make([]bool, len(b.columns))
	loop.Parallel(len(b.columns), func(i int) {
		c := b.columns[i]
		if c == nil || c.kind != numericColumn || c.many || !c.scale.plain() || b.o.Cuts[c.name] != nil {
			return
		}
		fraction := func(code int32) bool { return c.counts[code] > 0 && c.values[code] != math.Trunc(c.values[code]) }
		if slices.ContainsFunc(c.ascending, fraction) { // in less time than it takes to list levels
			return
		}
		levels := c.cells().Levels()
		maybe[i] = len(levels) > 2 && len(levels) <= mostCodes && cuts.Integers(levels) && c.orderIsOfNoHelp(d, levels)
	})
	for i, c := range b.columns {
		if maybe[i] {
			b.say(maybeCodes, c, "")
		}
	}
}

// orderIsOfNoHelp compares what the values of a column say of the class with what the
// best threshold says, both as Pearson's χ². It is more than chance three standard
// deviations above the mean of χ².
func (c *column) orderIsOfNoHelp(d *Dataset, levels []cuts.Level) bool {
	onesOf, labels := make([]uint64, len(c.texts)), d.Labels.Words()
	for i, code := range c.codes {
		onesOf[code] += labels[i/64] >> (i & 63) & 1
	}
	index := make(map[float64]int, len(levels))
	for i, l := range levels {
		index[l.Value] = i
	}
	ones := make([]float64, len(levels))
	for code, n := range onesOf {
		if at, ok := index[c.values[code]]; ok {
			ones[at] += float64(n)
		}
	}
	var all, positive float64
	for i, l := range levels {
		all, positive = all+float64(l.Count), positive+ones[i]
	}
	if positive == 0 || positive == all {
		return false
	}
	share := positive / all
	excess := func(count, ones float64) float64 {
		d := ones - count*share
		return d * d / (count * share * (1 - share))
	}
	var values, best, below, belowOnes float64
	for i, l := range levels {
		values += excess(float64(l.Count), ones[i])
		if below, belowOnes = below+float64(l.Count), belowOnes+ones[i]; i < len(levels)-1 {
			best = max(best, excess(below, belowOnes)+excess(all-below, positive-belowOnes))
		}
	}
	freedom := float64(len(levels) - 1)
	return values > freedom+3*math.Sqrt(2*freedom) && 2*best < values
}
