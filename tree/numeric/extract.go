package numeric

import (
	"sync/atomic"

	"parcorels/loop"
)

// The choice among trees of the best value.
//
// The search fixes the value V of the best tree: objective and number of leaves. At a set
// of value V the tree is one leaf if a leaf has it. Otherwise it begins with the first column, and
// there the first place, whose sides' values add up to V. They are then fixed, and so on for
// both sides: the smallest tree in preorder, whatever was looked at in which order. Intervals
// are searched from the left with a budget of V + 1. The workers take the intervals of a set side by side, and give up
// those behind the first that has such a place.

// extract appends the smallest tree of a set with so many levels, whose value is v. Looked are
// places of each column that are known, in order; nil for none. It returns false if the run
// has ended.
func (w *worker) extract(t Tree, s *set, levels int, v int64, looked func(column int) []end) (Tree, bool) {
	if leaf, class := w.leafValue(s); leaf == v {
		return append(t, leafOf(class)), w.run.Running()
	}
	if levels == 1 {
		return append(t, w.stump(s).tree...), w.run.Running()
	}
	if levels == 2 {
		column, place, ok := w.firstOfTwo(s, v)
		if !ok {
			return nil, false
		}
		return append(t, w.treeOfTwo(s, column, place)...), true
	}
	column, at, ok := w.firstSplit(s, levels, v, looked)
	if !ok {
		return nil, false
	}
	t = append(t, w.splitAt(s, column, at.place))
	w.node(levels)
	to := w.splits[levels] // no longer in use by the search
	w.split(s, column, at.place, to)
	if t, ok = w.extract(t, &to.left, levels-1, at.left, nil); !ok {
		return nil, false
	}
	return w.extract(t, &to.right, levels-1, at.right, nil)
}

// firstOfTwo returns the first split of trees of two levels and value v, with the items on its left.
func (w *worker) firstOfTwo(s *set, v int64) (column, place int, ok bool) {
	if s != &w.root {
		w.two.begin(s)
		w.two.budget = v + 1
		for _, lane := range w.two.inOrder {
			if w.two.sweep(lane, never) {
				return w.two.found.column, w.two.found.place, w.run.Running()
			}
		}
		return 0, 0, false
	}
	found := make([]choice, len(w.search.whole.inOrder))
	i := w.firstIn(len(found), func(w *worker, i int, stop func() bool) bool {
		if w.two.beginRoot(); stop() {
			return false
		}
		w.two.budget, w.two.found = v+1, choice{}
		ok := w.two.sweep(w.two.inOrder[i], stop)
		found[i] = w.two.found
		return ok
	})
	if i < 0 {
		return 0, 0, false
	}
	return found[i].column, found[i].place, true
}

// firstIn returns the first of n intervals, or columns, where search finds something; −1 for none, or if the run has
// ended. All workers search. They give up once stop says so: the run has ended, or there is an earlier one.
func (w *worker) firstIn(n int, search func(w *worker, i int, stop func() bool) bool) int {
	var least atomic.Int64
	least.Store(int64(n))
	w.together(n, func(w *worker, i int) {
		if !search(w, i, func() bool { return int64(i) > least.Load() || !w.run.Running() }) {
			return
		}
		for x := least.Load(); int64(i) < x && !least.CompareAndSwap(x, int64(i)); x = least.Load() {
		}
	})
	if i := int(least.Load()); i < n && w.run.Running() {
		return i
	}
	return -1
}

// together calls body for 0 to n−1, in about this order, side by side by all workers. All others have ended. With one
// worker heloc's depth 3 takes 1.4 s to search and .33 to choose among equal trees, so 16 would be at most five times as fast without.
func (w *worker) together(n int, body func(w *worker, i int)) {
	var taken atomic.Int64
	loop.ParallelWith(len(w.workers), n, func() func(i int) {
		w := w.workers[taken.Add(1)-1]
		return func(i int) { body(w, i) }
	})
}

func never() bool { return false }

// firstSplit returns the first split of trees of value v and three levels or more, with the items on its left and
// the values of its sides.
func (w *worker) firstSplit(s *set, levels int, v int64, looked func(column int) []end) (column int, at end, ok bool) {
	n, gaps := w.gaps(s, levels, v+1, looked)
	defer func() { n.shared = nil }()
	found := make([]end, len(gaps))
	i := w.firstIn(len(gaps), func(w *worker, i int, stop func() bool) (ok bool) {
		found[i], ok = w.firstOf(n, &gaps[i], stop)
		return ok
	})
	if i < 0 {
		return 0, at, false
	}
	column, at = gaps[i].column, found[i]
	at.place = int(n.places[column][at.place])
	return column, at, true
}

// gap is the places of a column behind one that is known, up to the next.
type gap struct {
	column int
	a, b   end
}

// gaps returns a node for a set, which all workers may look at, and its places between those that are known. There
// the search is for values below upper.
func (w *worker) gaps(s *set, levels int, upper int64, looked func(column int) []end) (n *node, gaps []gap) {
	n = w.node(levels)
	w.beginNode(n, s, levels, upper, nil)
	n.shared = &shared{}
	for h, places := range n.places {
		var known []end
		if looked != nil {
			known = looked(h)
		}
		a := end{left: w.Price, right: w.Price}
		for _, b := range append(known, end{place: len(places) - 1, left: w.Price, right: w.Price}) {
			gaps = append(gaps, gap{h, a, b})
			a = b
		}
	}
	return n, gaps
}

// firstOf returns the first place of a gap whose value is below the node's upper. It gives up once stop says so.
func (w *worker) firstOf(n *node, g *gap, stop func() bool) (at end, ok bool) {
	w.node(n.levels) // memory for the sides
	if at, ok = w.within(n, g.column, g.a, g.b, stop); ok {
		return at, true
	}
	if g.b.place == len(n.places[g.column])-1 || g.b.left+g.b.right >= n.upper || stop() {
		return at, false
	}
	at = w.look(n, g.column, g.b.place, g.a, g.b, n.upper, 0)
	return at, at.left+at.right < n.upper
}

// within returns the first place between two whose value is below the node's upper. It gives up once stop says so.
func (w *worker) within(n *node, column int, a, b end, stop func() bool) (found end, ok bool) {
	weights := n.weights[column]
	if boundBetween(weights[b.place]-weights[a.place], a, b, w.Unit) >= n.upper || stop() {
		return found, false
	}
	first, last := openPlaces(weights, a, b, n.upper, w.Unit)
	if first > last {
		return found, false
	}
	middle := (first + last) / 2
	m := w.look(n, column, middle, a, b, n.upper, w.Unit*(weights[last]-weights[first])/2)
	if found, ok = w.within(n, column, a, m, stop); ok {
		return found, true
	}
	if m.left+m.right < n.upper {
		return m, true
	}
	return w.within(n, column, m, b, stop)
}
