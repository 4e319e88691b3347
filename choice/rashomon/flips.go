package rashomon

import (
	"cmp"
	"math/bits"
	"slices"
)

// Flips returns, by label and point, the least objective of a list that predicts the label there,
// and −1 where no list does.
//
// The least list by way of an edge (u,s,q), which predicts q for s∩u, costs d(u), the edge and the least
// completion; by a default behind it, of another class for all of u∖s, d(u), the edge and the stop.
// Taken from the cheapest on, each gives the points that have no list yet theirs.
func (s *Set) Flips() [][]int64 {
	type way struct {
		cost   int64
		state  int32 // of the points predicted
		column int32 // −1: all points of the state
		label  uint8
	}
	var ways []way
	for i := range s.d {
		for _, e := range s.out(int32(i)) {
			cost := s.d[i] + e.cost
			ways = append(ways, way{cost: cost + min(s.stop(&e), s.rest[e.child]), state: int32(i), column: e.column, label: e.label})
			for q, stop := range s.defaults(e.child) {
				if q != int(e.label) && s.within(cost+stop) {
					ways = append(ways, way{cost: cost + stop, state: e.child, column: -1, label: uint8(q)})
				}
			}
		}
	}
	s.empty(func(q int, cost int64) { ways = append(ways, way{cost: cost, column: -1, label: uint8(q)}) })
	slices.SortStableFunc(ways, func(a, b way) int { return cmp.Compare(a.cost, b.cost) })
	least, open := make([][]int64, s.classes), make([][]uint64, s.classes)
	for q := range least {
		least[q] = slices.Repeat([]int64{-1}, s.Points)
		open[q] = slices.Clone(s.all)
	}
	give := func(q int, set, column []uint64, cost int64) {
		for w, x := range set {
			if column != nil {
				x &= column[w]
			}
			x &= open[q][w]
			open[q][w] &^= x
			for ; x != 0; x &= x - 1 {
				least[q][s.point[64*w+bits.TrailingZeros64(x)]] = cost + s.base
			}
		}
	}
	for _, w := range ways {
		var column []uint64
		if w.column >= 0 {
			column = s.columns[w.column]
		}
		give(int(w.label), s.points(w.state), column, w.cost)
	}
	return least
}
