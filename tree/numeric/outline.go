package numeric

import (
	"math"
	"slices"
	"sort"

	"parcorels/tree/price"
)

// Bounds from sets that were searched before.
//
// A node of four levels and more looks at many places, and the search of each side looks at places
// in turn. Let a place of column g part the node's set into two sides, and A be one of them. What was
// found out about the places of A's columns bounds those of a side B of another place:
//
//   - Of the same column g, B lies within A, or A within B. A place of any column h parts both, and
//     its sides of A and B lie within each other in the same way.
//   - Of another column h. B is parted by h at A's place. The side of B within A is that part of A
//     which g parts off at B's place. It lies within a side of a place of g in A that was looked at,
//     or such a side lies within it.
//
// In both cases the bounds of set.go apply: the larger set has no smaller value, and the smaller
// one has the value of the larger one, less unit·(weight between them), at least. So B's search begins with
// bounds of places that it has not looked at: the floors. They only say which places are open. The ends of
// an interval are places that were looked at, and floors are no part of the budget of a side (deep.go):
// less would be known of it, which bounds fewer of the places around. Page at depth 4, λ = 0, solves 62,000
// sets with floors, not 85,000.

// beside is a side of a split, and the places of the same node that were searched before.
type beside struct {
	split
	side     int
	searched []searched
}

// bound returns a lower bound of a set of some weight, one of which lies within the other: that set and
// a side of the place.
func (x *outlined) bound(side int, weight, unit int64) int64 {
	return x.bounds[side] - unit*max(0, x.weight[side]-weight)
}

// addFloors appends bounds of places of a column of the set that from is, in any order.
func (w *search) addFloors(floors []end, n *node, column int, from *beside) []end {
	weights := n.weights[column]
	last := len(weights) - 1
	for i := range from.searched {
		switch s := &from.searched[i]; {
		case s.column == from.column && s.sides[from.side] != nil:
			for _, x := range s.sides[from.side][column] {
				p := w.placeOfRank(n, column, x.rank)
				floors = append(floors, end{place: p, left: x.bound(0, weights[p], w.Unit),
					right: x.bound(1, n.set.weight-weights[p], w.Unit)})
			}
		case s.column == column && s.column != from.column:
			p := w.placeOfRank(n, column, s.rank)
			e := end{place: p}
			for side, to := range [2]*int64{&e.left, &e.right} {
				if s.sides[side] == nil {
					continue
				}
				weight := weights[p]
				if side == 1 {
					weight = n.set.weight - weight
				}
				for _, x := range s.sides[side][from.column] {
					*to = max(*to, x.bound(from.side, weight, w.Unit))
				}
			}
			floors = append(floors, e)
		}
	}
	for i := range floors {
		e := &floors[i]
		if e.left = max(e.left, w.Price); e.place == 0 {
			e.left = w.Price // of no item
		}
		if e.right = max(e.right, w.Price); e.place == last {
			e.right = w.Price
		}
	}
	return floors
}

// placeOfRank returns the place of a column where all items in front have ranks below one, and those
// behind have not.
func (w *search) placeOfRank(n *node, column int, rank int32) int {
	list, places := n.set.lists[column], n.places[column]
	return sort.Search(len(places)-1, func(i int) bool { return w.table.rank(list[places[i]]) >= rank })
}

// closed sorts floors by place, and lets each say what it does of the others. A bound that others give as well is
// left out, but for the first and the last one.
func (w *search) closed(floors []end, weights []int64) []end {
	slices.SortFunc(floors, func(a, b end) int { return a.place - b.place })
	count := 0
	for _, e := range floors {
		if count > 0 {
			x := &floors[count-1]
			e.left = max(e.left, x.left)
			e.right = max(e.right, x.right-w.Unit*(weights[e.place]-weights[x.place]))
			if x.place == e.place {
				count--
			}
		}
		floors[count] = e
		count++
	}
	floors = floors[:count]
	for i := count - 2; i >= 0; i-- {
		x, e := &floors[i], floors[i+1]
		x.left = max(x.left, e.left-w.Unit*(weights[e.place]-weights[x.place]))
		x.right = max(x.right, e.right)
	}
	kept := floors[:min(1, count)]
	for i := 1; i < count; i++ {
		e := floors[i]
		if i+1 < count {
			if x := at(weights, e.place, kept[len(kept)-1], floors[i+1], w.Unit); x.left == e.left && x.right == e.right {
				continue
			}
		}
		kept = append(kept, e)
	}
	return kept
}

// atFloors returns what floors and the ends of an interval say of a place within.
func (w *search) atFloors(n *node, column, place int, a, b end) end {
	weights, floors := n.weights[column], n.floors[column]
	e := at(weights, place, a, b, w.Unit)
	if len(floors) > 0 {
		i := sort.Search(len(floors)-1, func(i int) bool { return floors[i].place >= place })
		f := at(weights, place, floors[max(0, i-1)], floors[i], w.Unit)
		e.left, e.right = max(e.left, f.left), max(e.right, f.right)
	}
	return e
}

// survey lists the open places of an interval, and returns a lower bound of all its places.
func (w *search) survey(n *node, v *interval) (low int64) {
	n.pieces = n.pieces[:0]
	weights, floors := n.weights[v.column], n.floors[v.column]
	a, low := v.a, price.Far
	for i := sort.Search(len(floors), func(i int) bool { return floors[i].place > v.a.place }); a.place < v.b.place; i++ {
		b := v.b
		if i < len(floors) && floors[i].place < b.place {
			b = w.atFloors(n, v.column, floors[i].place, v.a, v.b)
			if low = min(low, b.left+b.right); b.left+b.right < n.upper {
				n.pieces = append(n.pieces, [2]int{b.place, b.place})
			}
		}
		if b.place-a.place > 1 {
			bound := boundBetween(weights[b.place]-weights[a.place], a, b, w.Unit)
			low = min(low, bound)
			if first, last := openPlaces(weights, a, b, n.upper, w.Unit); bound < n.upper && first <= last {
				n.pieces = append(n.pieces, [2]int{first, last})
			}
		}
		a = b
	}
	return low
}

// middle returns the open place nearest to the middle of all that survey listed, the first and the last
// one.
func (n *node) middle() (first, middle, last int) {
	first, last = math.MaxInt, 0
	for _, x := range n.pieces {
		first, last = min(first, x[0]), max(last, x[1])
	}
	half, best := (first+last)/2, math.MaxInt
	for _, x := range n.pieces {
		place := min(max(half, x[0]), x[1])
		if d := max(place-half, half-place); d < best {
			best, middle = d, place
		}
	}
	return first, middle, last
}

// outlined adds a place that was looked at to the outline of a node.
func (w *search) outlined(n *node, column int, e end) {
	place := n.places[column][e.place]
	weight := n.weights[column][e.place]
	n.outline[column] = append(n.outline[column], outlined{
		w.table.rank(n.set.lists[column][place]),
		[2]int64{weight, n.set.weight - weight}, [2]int64{e.left, e.right},
	})
}
