package search

import (
	"math/bits"
	"slices"
)

// fewNodes is how many rules the search of a best subset looks at before all subsets are
// evaluated: that takes as long as some tens of them.
const fewNodes = 60

// bestSubset returns the best rule of at most activeSet active columns, exactly. The rule
// now is one of them. Branch and bound mostly ends soon; where it does not, all subsets are
// evaluated.
//
// Columns that exclude no more than the price of a literal are in no best rule, nor are
// those with which no rule is worth what the rule now is.
func (c *climber) bestSubset(active []int, now rule) []int {
	key := keyOf('a', active)
	if best, known := c.seen.Load(key); known {
		return best
	}
	earning := make([]int, 0, len(active))
	for _, j := range active {
		if c.all0-c.single0[j] > c.p.λ && c.single1[j]-c.p.λ >= now.value {
			earning = append(earning, j)
		}
	}
	var columns []int
	if best, done := c.p.solveFew(earning, now, fewNodes, c.turns); done {
		for _, name := range best.literals {
			at, _ := slices.BinarySearch(c.p.names, name)
			columns = append(columns, at)
		}
	} else {
		columns = c.bestOf(earning)
	}
	c.seen.Store(key, columns)
	return columns
}

// bestOf returns the best rule of at most activeSet columns by evaluating all.
//
// Points are put together by which of the columns they satisfy, a mask. The rule R
// covers the masks that contain R, so the worths of all rules are the sums over
// supersets, one pass for each column.
func (c *climber) bestOf(earning []int) (columns []int) {
	memory := c.turns.sums.take()
	defer c.turns.sums.put(memory)
	sums := memory[:1<<len(earning)]
	c.byMask(sums, earning)
	for i := range earning {
		half := 1 << i
		for at := 0; at < len(sums); at += 2 * half {
			without, with := sums[at:at+half], sums[at+half:at+2*half]
			for j, x := range with {
				without[j] += x
			}
		}
	}
	best, most := uint(0), sums[0]
	for m, sum := range sums {
		mask := uint(m)
		n := bits.OnesCount(mask)
		if sum -= c.p.λ * int64(n); n <= c.p.most && (sum > most || sum == most && shorter(mask, best)) &&
			(c.p.rows == nil || c.p.rows.enough(c.names(ofMask(earning, mask)))) {
			best, most = mask, sum
		}
	}
	return ofMask(earning, best)
}

// ofMask returns the columns that a mask has.
func ofMask(all []int, mask uint) (columns []int) {
	for ; mask != 0; mask &= mask - 1 {
		columns = append(columns, all[bits.TrailingZeros(mask)])
	}
	return columns
}

// byMask sets sums to what the points of each mask are worth.
func (c *climber) byMask(sums []int64, columns []int) {
	clear(sums)
	in := c.p.in
	var words [activeSet]uint64
	for w, x := range c.p.all {
		for i, j := range columns {
			words[i] = in.Columns[j][w]
		}
		for at := 0; x != 0; at, x = at+8, x>>8 {
			low, high := eight(words[:8], at), eight(words[8:], at)
			for y := x & 0xff; y != 0; y &= y - 1 {
				b := bits.TrailingZeros64(y)
				worth := in.Costs[64*w+at+b]
				if w >= in.Words1 {
					worth = -worth
				}
				sums[low>>(8*b)&0xff|high>>(8*b)&0xff<<8] += worth
			}
		}
	}
}

// eight returns the masks of the points from bit at on, a byte each, of eight columns: an
// 8×8 matrix of bits turned over (Warren, Hacker's Delight, section 7-3).
func eight(words []uint64, at int) uint64 {
	var x uint64
	for i, word := range words[:8] {
		x |= word >> at & 0xff << (8 * i)
	}
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// shorter reports whether rule a has fewer literals than b, or as many and is
// lexicographically smaller: it has the smallest of those that differ.
func shorter(a, b uint) bool {
	if n, m := bits.OnesCount(a), bits.OnesCount(b); n != m {
		return n < m
	}
	differ := a ^ b
	return a&differ&-differ != 0
}
