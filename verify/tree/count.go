package tree

import (
	"math/bits"

	"parcorels/verify/framing"
)

// counter counts sets, for one goroutine.
type counter struct {
	*samples
	totals []int64   // by class, of the set
	sums   [][]int64 // sums[f][c]: the cost of class c in the set with feature f
	one    [2][]int64
	two    [2][]int64
	cut    [2][]int64
	few    []bool // by feature, whether it leaves a side of the set too few samples: then it does so below, too
	parts  []part
	both   []int64
}

// part is a word of the set at a digit of a class.
type part struct {
	class  int
	word   int
	weight int64
	groups uint64
}

func newCounter(s *samples) *counter {
	c := &counter{samples: s, totals: make([]int64, s.classes), both: make([]int64, s.classes), few: make([]bool, len(s.columns))}
	for range s.columns {
		c.sums = append(c.sums, make([]int64, s.classes))
	}
	for i := range 2 {
		c.one[i], c.two[i], c.cut[i] = make([]int64, len(s.columns)), make([]int64, len(s.columns)), make([]int64, len(s.columns))
	}
	return c
}

// count fills in, for each feature, the cost of either side of the set as one
// leaf and, if pairs is set, as the best tree of at most two leaves, and the
// smallest cost as a leaf of a part that costs anything in some class and that one
// feature makes of the side. Side 1 has the feature.
func (c *counter) count(set []uint64, pairs bool) {
	c.begin(set)
	for f, column := range c.columns {
		clear(c.sums[f])
		for _, p := range c.parts {
			c.sums[f][p.class] += int64(bits.OnesCount64(p.groups&column[p.word])) * p.weight
		}
		with, without := far, far
		for k, x := range c.sums[f] {
			with, without = min(with, x), min(without, c.totals[k]-x)
		}
		c.one[1][f], c.one[0][f] = with, without
		c.two[1][f], c.two[0][f] = with, without
		c.cut[1][f], c.cut[0][f] = with, without
	}
	if c.least > 1 {
		all := framing.Sum(c.rows, set, set)
		for f, column := range c.columns {
			with := framing.Sum(c.rows, set, column)
			c.few[f] = min(with, all-with) < c.least
		}
	}
	if !pairs {
		return
	}
	for f := range c.columns {
		for g := range f {
			if !c.few[f] && !c.few[g] {
				c.pair(f, g)
			}
		}
	}
}

// begin lists the words of the set that cost anything.
func (c *counter) begin(set []uint64) {
	clear(c.totals)
	c.parts = c.parts[:0]
	for i := range c.planes {
		p := &c.planes[i]
		for w, x := range set {
			if x &= p.groups[w]; x != 0 {
				c.parts = append(c.parts, part{p.class, w, p.weight, x})
				c.totals[p.class] += int64(bits.OnesCount64(x)) * p.weight
			}
		}
	}
}

// pair sees what f and g make of each other's sides.
func (c *counter) pair(f, g int) {
	clear(c.both)
	a, b := c.columns[f], c.columns[g]
	for i := range c.parts {
		p := &c.parts[i]
		c.both[p.class] += int64(bits.OnesCount64(p.groups&a[p.word]&b[p.word])) * p.weight
	}
	both, onlyF, onlyG, neither := far, far, far, far
	var some [4]bool // whether the four cells cost anything
	for k, x := range c.both {
		some[0], some[1], some[2] = some[0] || x > 0, some[1] || c.sums[f][k] > x, some[2] || c.sums[g][k] > x
		some[3] = some[3] || c.totals[k]-c.sums[f][k]-c.sums[g][k]+x > 0
		both = min(both, x)
		onlyF = min(onlyF, c.sums[f][k]-x)
		onlyG = min(onlyG, c.sums[g][k]-x)
		neither = min(neither, c.totals[k]-c.sums[f][k]-c.sums[g][k]+x)
	}
	c.two[1][f] = min(c.two[1][f], both+onlyF)
	c.two[0][f] = min(c.two[0][f], onlyG+neither)
	c.two[1][g] = min(c.two[1][g], both+onlyG)
	c.two[0][g] = min(c.two[0][g], onlyF+neither)
	for i, cost := range []int64{both, onlyF, onlyG, neither} {
		if some[i] { // the cell is on side 1 of f if i < 2, and on side 1 of g if i is even
			c.cut[1-i/2][f] = min(c.cut[1-i/2][f], cost)
			c.cut[1-i%2][g] = min(c.cut[1-i%2][g], cost)
		}
	}
}

// leaf returns the cost of the counted set as one leaf.
func (c *counter) leaf() int64 {
	cost := far
	for _, t := range c.totals {
		cost = min(cost, t)
	}
	return cost
}
