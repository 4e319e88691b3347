package search

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/instance"
)

// newSplits lays the points out for counting. What a point costs in a leaf of
// class j is the weight of its heaviest class less that of class j: all else is
// an error that no tree avoids. A point that costs nothing in any class is left
// out. Points of one heaviest class stand together, heaviest cost first, so that
// the digits of the costs lie in few words.
//
// A feature that splits these points as an earlier one does, or the other way
// round, is left out: in the order of preorders the earlier one comes first.
// Features has the indices of those that are left.
func newSplits(p *instance.Points) (s *bitvec.Splits, features []int, base int64, points int) {
	places, heaviest, costs := make([]int32, 0, p.Count), make([]int32, p.Count), make([]int64, p.Count)
	for i := range p.Count {
		best, least := 0, p.Weights[0][i]
		var all int64
		for c := range p.Classes {
			w := p.Weights[c][i]
			if w > p.Weights[best][i] {
				best = c
			}
			least = min(least, w)
			all += w
		}
		most := p.Weights[best][i]
		base += all - most
		if heaviest[i], costs[i] = int32(best), most-least; most > least {
			places = append(places, int32(i))
		}
	}
	slices.SortFunc(places, func(a, b int32) int {
		return cmp.Or(int(heaviest[b]-heaviest[a]), cmp.Compare(costs[b], costs[a]), int(a-b))
	})
	words := (len(places) + 63) / 64
	byClass := make([][]int64, p.Classes)
	for c := range byClass {
		byClass[c] = make([]int64, 64*words)
		for i, o := range places {
			byClass[c][i] = p.Weights[heaviest[o]][o] - p.Weights[c][o]
		}
	}
	columns, features := distinct(p.Arranged(places), len(places))
	return bitvec.NewSplits(columns, byClass), features, base, len(places)
}

// distinct returns the columns that no earlier one equals or complements, and
// that neither hold nor lack all points, with their indices.
func distinct(columns [][]uint64, points int) (left [][]uint64, indices []int) {
	words := (points + 63) / 64
	h := bitvec.NewHasher(words)
	mask := uint64(1)<<bits.Len(uint(2*len(columns))) - 1
	slots := make([]int32, mask+1) // a hash table with linear probing of what is seen, + 1
	var seen [][]uint64
	// isNew reports whether a set has not been seen.
	isNew := func(set []uint64) bool {
		at := h.Hash(set).Lo & mask
		for ; slots[at] > 0; at = (at + 1) & mask {
			if slices.Equal(seen[slots[at]-1], set) {
				return false
			}
		}
		seen = append(seen, slices.Clone(set))
		slots[at] = int32(len(seen))
		return true
	}
	turned := make([]uint64, words)
	isNew(turned)
	for f, c := range columns {
		copy(turned, c)
		if points > 0 && c[0]&1 == 1 { // its complement when it holds the first point
			complement(turned, points)
		}
		if isNew(turned) {
			left, indices = append(left, c), append(indices, f)
		}
	}
	return left, indices
}

// complement turns a set of points into its complement.
func complement(set []uint64, points int) {
	for i := range set {
		set[i] = ^set[i]
	}
	if points%64 > 0 {
		set[len(set)-1] &= 1<<(points%64) - 1
	}
}
