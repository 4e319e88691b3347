package search

import (
	"cmp"
	"math/bits"
	"slices"
)

// This file groups literals of which at most one can be in a best rule.
//
// If the points of literal j all satisfy k, a rule with both is no better than
// the same rule without k, which is shorter. So of literals that are nested in
// one another, such as x ≤ 3, x ≤ 5 and x ≤ 9, or a value of a category and
// the negation of another one, a best rule has one at most. The bounds of
// bound.go count one of each chain.

// chainsOf gives each column the number of its chain: a column joins the largest
// chain end that it contains, smallest columns first. Any partition into chains is
// sound.
func chainsOf(columns [][]uint64) []int32 {
	size := make([]int, len(columns))
	for j, c := range columns {
		for _, x := range c {
			size[j] += bits.OnesCount64(x)
		}
	}
	order := upTo(len(columns))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[a], size[b]) })
	chain := make([]int32, len(columns))
	var ends []int // by chain: its largest column
	for _, j := range order {
		at := -1
		for c, end := range ends {
			if (at < 0 || size[end] > size[ends[at]]) && within(columns[end], columns[end], columns[j]) {
				at = c
			}
		}
		if at < 0 {
			at = len(ends)
			ends = append(ends, j)
		}
		ends[at], chain[j] = j, int32(at)
	}
	return chain
}

// within reports whether a∩set lies in b.
func within(set, a, b []uint64) bool {
	for i, s := range set {
		if s&a[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}
