package bitvec

import "math/bits"

// splitSumsGeneric writes the gains of each class, and the excess, in each live feature.
func splitSumsGeneric(c *SplitCount) {
	stride := (len(c.Live) + Lanes - 1) / Lanes * Lanes
	size := len(c.packed.weights) * Lanes
	for f := range stride {
		column := c.columns[f/Lanes*size+f%Lanes:]
		w := 0
		for j, words := range c.packed.words {
			var sum int64
			for range words {
				sum += int64(bits.OnesCount64(column[w*Lanes])) * c.packed.weights[w]
				w++
			}
			c.sums[j*stride+f] = sum
		}
	}
}

// splitPairsGeneric pairs the features [from, to) with all behind them.
func splitPairsGeneric(c *SplitCount, from, to int) {
	for f := from; f < to; f++ {
		for g := f + 1; g < len(c.Live); g++ {
			c.pair(f, g)
		}
	}
}

// pair lowers the results of f and g to what each makes of the other's sides.
func (c *SplitCount) pair(f, g int) {
	stride := (len(c.Live) + Lanes - 1) / Lanes * Lanes
	classes, w := c.splits.classes, 0
	var both, only1, only0, none, all int64 // of the four cells the largest gain; of both, the largest costs
	for j, words := range c.packed.words[:classes] {
		sum := c.inBoth(f, g, w, int(words))
		w += int(words)
		inF, inG := c.sums[j*stride+f], c.sums[j*stride+g]
		both, only1 = max(both, sum), max(only1, inF-sum)
		only0, none = max(only0, inG-sum), max(none, c.totals[j]-inF-inG+sum)
		all += sum
	}
	all -= c.inBoth(f, g, w, int(c.packed.words[classes]))
	inF, inG := c.sums[classes*stride+f], c.sums[classes*stride+g]
	rest := c.totals[classes] - inF - inG + all
	both, only1, only0, none = all-both, inF-all-only1, inG-all-only0, rest-none
	c.Two1[f] = min(c.Two1[f], both+only1)
	c.Two0[f] = min(c.Two0[f], only0+none)
	c.Two1[g] = min(c.Two1[g], both+only0)
	c.Two0[g] = min(c.Two0[g], only1+none)

	both, only1, only0, none = orFar(both, all), orFar(only1, inF-all), orFar(only0, inG-all), orFar(none, rest)
	c.Cut1[f] = min(c.Cut1[f], both, only1)
	c.Cut0[f] = min(c.Cut0[f], only0, none)
	c.Cut1[g] = min(c.Cut1[g], both, only0)
	c.Cut0[g] = min(c.Cut0[g], only1, none)
}

// inBoth returns the sum of weights of the points with features f and g in packed
// words.
func (c *SplitCount) inBoth(f, g, from, words int) (sum int64) {
	size := len(c.packed.weights) * Lanes
	a, b := c.columns[f/Lanes*size+f%Lanes:], c.columns[g/Lanes*size+g%Lanes:]
	for w := from; w < from+words; w++ {
		sum += int64(bits.OnesCount64(a[w*Lanes]&b[w*Lanes])) * c.packed.weights[w]
	}
	return sum
}

// orFar returns the cost of a cell, or [Far] when it has no points: all cost
// something in some class.
func orFar(cost, all int64) int64 {
	if all == 0 {
		return Far
	}
	return cost
}
