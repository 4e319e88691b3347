package bitvec

import "math/bits"

// splitSumsGeneric writes the costs of each class in each live feature.
func splitSumsGeneric(c *SplitCount) {
	stride := (len(c.Live) + Lanes - 1) / Lanes * Lanes
	size := len(c.packed.weights) * Lanes
	for f := range stride {
		column := c.packed.columns[f/Lanes*size+f%Lanes:]
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
	size := len(c.packed.weights) * Lanes
	a, b := c.packed.columns[f/Lanes*size+f%Lanes:], c.packed.columns[g/Lanes*size+g%Lanes:]
	both, only1, only0, none := Far, Far, Far, Far
	var all int64
	w := 0
	for j, words := range c.packed.words {
		var sum int64
		for range words {
			sum += int64(bits.OnesCount64(a[w*Lanes]&b[w*Lanes])) * c.packed.weights[w]
			w++
		}
		inF, inG := c.sums[j*stride+f], c.sums[j*stride+g]
		both, only1 = min(both, sum), min(only1, inF-sum)
		only0, none = min(only0, inG-sum), min(none, c.totals[j]-inF-inG+sum)
		all += sum
	}
	c.Two1[f] = min(c.Two1[f], both+only1)
	c.Two0[f] = min(c.Two0[f], only0+none)
	c.Two1[g] = min(c.Two1[g], both+only0)
	c.Two0[g] = min(c.Two0[g], only1+none)

	rest := len(c.packed.words) * stride // the sums of all classes: a cell without costs has no points
	inF, inG := c.sums[rest+f], c.sums[rest+g]
	both, only1 = orFar(both, all), orFar(only1, inF-all)
	only0, none = orFar(only0, inG-all), orFar(none, c.totals[len(c.packed.words)]-inF-inG+all)
	c.Cut1[f] = min(c.Cut1[f], both, only1)
	c.Cut0[f] = min(c.Cut0[f], only0, none)
	c.Cut1[g] = min(c.Cut1[g], both, only0)
	c.Cut0[g] = min(c.Cut0[g], only1, none)
}

// orFar returns the cost of a cell, or [Far] when it has no points.
func orFar(cost, all int64) int64 {
	if all == 0 {
		return Far
	}
	return cost
}
