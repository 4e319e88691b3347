package bitvec

import (
	"math/bits"
	"slices"
)

// sumUp writes the gains of each class, and the excess, in each live feature.
func (c *SplitCount) sumUp() {
	blocks := (len(c.Live) + Lanes - 1) / Lanes
	words := c.columns
	for b := range blocks {
		weights := c.weights
		for j, n := range c.words {
			var sum [Lanes]int64
			for _, weight := range weights[:n] {
				for i, x := range (*[Lanes]uint64)(words) {
					sum[i] += int64(bits.OnesCount64(x)) * weight
				}
				words = words[Lanes:]
			}
			copy(c.sums[(j*blocks+b)*Lanes:], sum[:])
			weights = weights[n:]
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
	for j, words := range c.words[:classes] {
		sum := c.inBoth(f, g, w, int(words))
		w += int(words)
		inF, inG := c.sums[j*stride+f], c.sums[j*stride+g]
		both, only1 = max(both, sum), max(only1, inF-sum)
		only0, none = max(only0, inG-sum), max(none, c.totals[j]-inF-inG+sum)
		all += sum
	}
	all -= c.inBoth(f, g, w, int(c.words[classes]))
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
	size := len(c.weights) * Lanes
	a, b := c.columns[f/Lanes*size+f%Lanes:], c.columns[g/Lanes*size+g%Lanes:]
	for w := from; w < from+words; w++ {
		sum += int64(bits.OnesCount64(a[w*Lanes]&b[w*Lanes])) * c.weights[w]
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

// SplitCount holds the results of a count and what it works with. It belongs to
// one goroutine. Results of a feature stand at its place in Live.
//
// What a count writes lies apart from the memory of other goroutines: two that
// write to one line of memory fetch it from each other's cache each time, which
// took a fifth of the time of counts of few points.
type SplitCount struct {
	_    [apart]byte
	Live []int32 // the features that split the set, in ascending order
	Leaf int64   // the cost of the set as a leaf

	One1, One0 []int64 // the cost of the side with and of the side without the feature as a leaf
	Two1, Two0 []int64 // the cost of each side as the cheaper of a leaf and the best tree of two leaves
	Cut1, Cut0 []int64 // the smallest cost as a leaf of the parts with points that a feature makes of each side

	splits  *Splits
	sums    []int64 // class by class, the gain of the class in every live feature; then the largest costs
	totals  []int64 // the gain of each class in the set; then the largest costs
	steps   []gatherStep
	weights []int64  // of each packed word
	words   []uint64 // packed words of each class, and of the excess
	columns []uint64 // packed
	task    pairTask
	triples tripleTask
	_       [apart]byte
}

// apart is the distance in bytes at which processors write without disturbing
// each other. Some fetch lines of 64 bytes in pairs.
const apart = 128

// pairTask is what the kernels work on. They know the layout.
type pairTask struct {
	data           *uint64 // blocks of eight packed columns
	stride, blocks uint64  // bytes of a block; blocks
	words          *uint64 // packed words of each class, and of the excess
	weights        *int64  // of each packed word
	classes        uint64
	totals         *int64
	sums           *int64 // class by class
	sumStride      uint64 // bytes from one class to the next
	two1, two0     *int64
	cut1, cut0     *int64
}

// NewCount returns room for the counts of s.
func (s *Splits) NewCount() *SplitCount {
	padded, words := (s.features+Lanes-1)/Lanes*Lanes, 0
	for i := range s.planes {
		words += s.planes[i].to - s.planes[i].from
	}
	backing := make([]int64, 2*apart/8+(7+s.classes)*padded+s.classes+1+words)[apart/8:]
	room := func(n int) (part []int64) {
		part, backing = backing[:n:n], backing[n:]
		return part
	}
	return &SplitCount{
		splits: s, Live: make([]int32, 0, padded+apart/4), One1: room(padded), One0: room(padded), Two1: room(padded), Two0: room(padded),
		Cut1: room(padded), Cut0: room(padded),
		sums: room(padded * (s.classes + 1)), totals: room(s.classes + 1), words: make([]uint64, s.classes+1,
			s.classes+1+apart/8), steps: make([]gatherStep, 0, words), weights: room(words)[:0],
	}
}

// pairSlice bounds the work between two questions whether to go on, in words of
// eight columns: about a millisecond.
const pairSlice = 1 << 20

// Sums counts u without pairs of features, so that the results tell of leaves alone. Among has the features that may
// split u, in ascending order, such as the Live of a superset.
func (c *SplitCount) Sums(u []uint64, among []int32) {
	c.plan(u)
	c.findLive(among)
	gains, all := c.totals[:c.splits.classes], -c.totals[c.splits.classes]
	for _, gain := range gains {
		all += gain
	}
	c.totals[len(gains)], c.Leaf = all, all-slices.Max(gains) // the largest costs take the place of the excess
	if len(c.Live) > 0 {
		c.gather()
		c.sumUp()
		c.leaves()
	}
}

// Pairs counts the pairs of features, after Sums. Before each slice of work of about a millisecond but the first it asks
// whether to go on. If not, it returns false, and the results are of no use.
func (c *SplitCount) Pairs(goOn func() bool) bool {
	n := len(c.Live)
	if n == 0 {
		return true
	}
	blocks := (n + Lanes - 1) / Lanes
	c.task = pairTask{
		data: &c.columns[0], stride: uint64(len(c.weights) * Lanes * 8), blocks: uint64(blocks),
		words: &c.words[0], weights: &c.weights[0], classes: uint64(c.splits.classes), totals: &c.totals[0],
		sums: &c.sums[0], sumStride: uint64(blocks * Lanes * 8), two1: &c.Two1[0], two0: &c.Two0[0],
		cut1: &c.Cut1[0], cut0: &c.Cut0[0],
	}
	copy(c.Two1[:n], c.One1[:n])
	copy(c.Two0[:n], c.One0[:n])
	copy(c.Cut1[:n], c.One1[:n])
	copy(c.Cut0[:n], c.One0[:n])
	slice := max(1, pairSlice/max(1, blocks*len(c.weights)))
	for from := 0; from < n; from += slice {
		if from > 0 && !goOn() {
			return false
		}
		splitPairs(c, from, min(from+slice, n))
	}
	return true
}

// leaves computes the leaf costs of both sides from the sums of gains and excess. The
// largest costs take the place of the excess.
func (c *SplitCount) leaves() {
	classes := c.splits.classes
	stride := (len(c.Live) + Lanes - 1) / Lanes * Lanes
	for i := range stride {
		var all, most1, most0 int64
		for j := range classes {
			x := c.sums[j*stride+i]
			all += x
			most1, most0 = max(most1, x), max(most0, c.totals[j]-x)
		}
		all -= c.sums[classes*stride+i]
		c.sums[classes*stride+i] = all
		c.One1[i], c.One0[i] = all-most1, c.totals[classes]-all-most0
	}
}
