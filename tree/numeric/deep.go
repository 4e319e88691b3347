package numeric

import (
	"container/heap"
	"slices"

	"parcorels/tree/price"
)

// A set with three levels and more.
//
// Each column begins as one interval of places. The interval with the smallest bound is taken, the
// middle of its open places is looked at by solving both sides, and the two halves come
// back with what that says (set.go). The set is solved when no interval's bound is
// below the budget.
//
// # Slack
//
// The larger side is solved first, with a budget of what the other side's bound leaves. The
// smaller one then gets more than is left: half of the interval's weight. Its value is
// then known further up, so that its bounds reach further. Without that every place near the
// budget is looked at.

func (n *node) lock() {
	if n.shared != nil {
		n.Lock()
	}
}

func (n *node) unlock() {
	if n.shared != nil {
		n.Unlock()
	}
}

// beginNode readies a node for a set of which no tree is to be found with a value of upper or
// more. Knowledge from other sets is nil for nothing.
func (w *search) beginNode(n *node, s *set, levels int, upper int64, from *beside) {
	n.set, n.levels, n.upper, n.found = s, levels, upper, false
	if n.serial = rootSerial; s != &w.root {
		n.serial = w.serial.Add(1)
	}
	n.heap = n.heap[:0]
	for len(n.places) < len(s.lists) {
		n.places, n.weights, n.floors = append(n.places, nil), append(n.weights, nil), append(n.floors, nil)
	}
	if n.searched, n.outline = nil, nil; from != nil {
		n.outline = make(outline, len(s.lists))
	}
	for h := range s.lists {
		n.places[h] = w.places(s, h, n.places[h][:0])
		n.weights[h] = w.weights(s, h, n.places[h], n.weights[h][:0])
		last := len(n.places[h]) - 1
		v := interval{h, end{left: w.Price, right: w.Price}, end{place: last, left: w.Price, right: w.Price}, 2 * w.Price}
		n.floors[h] = n.floors[h][:0]
		if from != nil {
			floors := w.closed(w.addFloors(append(n.floors[h], v.a, v.b), n, h, from), n.weights[h])
			n.floors[h], v.a, v.b = floors, floors[0], floors[len(floors)-1]
			v.bound = max(v.bound, w.survey(n, &v))
		}
		heap.Push(&n.heap, v)
	}
}

// solve returns the value of the best tree of so many levels of a set if that is below
// budget, and a lower bound of at least budget otherwise. It means nothing once the
// run has ended.
func (w *worker) solve(s *set, levels int, budget int64, from *beside) int64 {
	leaf, _ := w.leafValue(s)
	s.best = choice{leaf: true}
	upper := min(budget, leaf)
	if upper <= 2*w.Price {
		return min(leaf, 2*w.Price)
	}
	n := w.node(levels)
	w.beginNode(n, s, levels, upper, from)
	w.work(n)
	if n.found {
		s.best = n.best
	}
	return n.upper
}

// node returns the memory for a set with so many levels.
func (w *worker) node(levels int) *node {
	for len(w.nodes) <= levels {
		w.nodes = append(w.nodes, &node{})
		w.splits = append(w.splits, &sides{})
	}
	return w.nodes[levels]
}

// work solves a node until nothing is left, or the run has ended.
func (w *worker) work(n *node) {
	w.node(n.levels) // memory for the sides
	n.lock()
	defer n.unlock()
	for w.run.Running() {
		if len(n.heap) > 0 && n.heap[0].bound < n.upper {
			v := heap.Pop(&n.heap).(interval)
			w.take(n, v)
			continue
		}
		if n.shared == nil || n.busy == 0 {
			break
		}
		n.wake.Wait()
	}
	if n.shared != nil {
		n.wake.Broadcast()
	}
}

// take looks at the middle of an interval, and puts both halves back.
func (w *worker) take(n *node, v interval) {
	weights := n.weights[v.column]
	if w.survey(n, &v); len(n.pieces) == 0 {
		return
	}
	first, middle, last := n.middle()
	upper := n.upper
	if n.shared != nil {
		n.busy++
		n.open[w.index] = v.bound
		n.Unlock()
	}
	m := w.look(n, v.column, middle, v.a, v.b, upper, w.Unit*(weights[last]-weights[first])/2)
	var tree Tree
	if m.left+m.right < upper && w.run.Running() {
		tree = w.treeOf(n, v.column, middle)
	}
	if n.shared != nil {
		n.Lock()
		n.busy--
		n.open[w.index] = price.Far
		n.wake.Broadcast()
	}
	if !w.run.Running() {
		heap.Push(&n.heap, v) // as if nobody had looked
		return
	}
	if n.outline != nil {
		w.outlined(n, v.column, m)
	}
	if x := m.left + m.right; tree != nil && x < n.upper {
		n.upper, n.found = x, true
		n.best = choice{column: v.column, place: int(n.places[v.column][middle]), tree: tree}
		if n.shared != nil { // of the root
			w.better(n.upper, n.best.tree)
		}
	}
	low, kept := price.Far, false
	for _, half := range [2]interval{{v.column, v.a, m, 0}, {v.column, m, v.b, 0}} {
		if half.b.place-half.a.place > 1 {
			half.bound = max(v.bound, w.survey(n, &half))
			if low = min(low, half.bound); len(n.pieces) > 0 {
				kept = true
				heap.Push(&n.heap, half)
			}
		}
	}
	if n.shared != nil {
		place := m
		if low > n.upper { // nobody looks beside it again
			place.firsts = nil
		}
		kept = kept || place.firsts != nil
		n.looked[v.column] = append(n.looked[v.column], place)
	}
	if !kept {
		w.spare = m.firsts
	}
}

// look solves both sides of a place between two. The values are exact if their sum is below
// upper.
func (w *worker) look(n *node, column, place int, a, b end, upper, slack int64) end {
	to, weights, items := w.splits[n.levels], n.weights[column], int(n.places[column][place])
	larger := 0
	if 2*items < n.set.size() {
		larger = 1
	}
	known := at(weights, place, a, b, w.Unit)
	if n.levels == 3 {
		if known.firsts, w.spare = w.spare, nil; known.firsts == nil {
			known.firsts = &[2]firsts{}
		}
		w.two.beginNode(n)
		w.two.part(column, items)
	} else {
		w.split(n.set, column, items, to)
	}
	here := searched{split: split{column, w.table.rank(n.set.lists[column][items])}}
	n.lock()
	before := n.searched
	n.unlock()
	var of [2][]int64
	if n.levels == 3 {
		of[0], of[1] = w.two.knownFirsts(weights, place, a, b)
	}
	solve := func(side int, budget int64) {
		s, value := &to.left, &known.left
		if side == 1 {
			s, value = &to.right, &known.right
		}
		if n.levels > 3 {
			below := w.node(n.levels - 1)
			below.outline = nil
			*value = max(*value, w.solve(s, n.levels-1, budget, &beside{here.split, side, before}))
			here.sides[side] = below.outline
			return
		}
		w.two.show(side)
		w.two.best = w.two.hints[side]
		v, choice := w.two.solve(budget, of[side])
		*value, w.choices[side] = max(*value, v), choice
		known.firsts[side] = firsts{append(known.firsts[side].cells[:0], w.two.firsts...), w.two.whole, w.two.best}
	}
	other := known.right
	if larger == 1 {
		other = known.left
	}
	solve(larger, upper-other)
	if other = known.left; larger == 1 {
		other = known.right
	}
	solve(1-larger, upper-other+slack)
	if n.levels > 3 {
		n.lock()
		n.searched = append(n.searched, here)
		n.unlock()
	}
	return known
}

// treeOf returns the tree that splits a node at a place whose sides were just solved.
func (w *worker) treeOf(n *node, column, place int) Tree {
	items := int(n.places[column][place])
	if n.levels == 3 {
		return w.treeOfThree(n.set, column, items, w.choices)
	}
	t := Tree{w.splitAt(n.set, column, items)}
	for _, side := range []*set{&w.splits[n.levels].left, &w.splits[n.levels].right} {
		if side.best.leaf {
			_, class := w.leafValue(side)
			t = append(t, leafOf(class))
		} else {
			t = append(t, side.best.tree...)
		}
	}
	return t
}

// sorted returns the places of a column that were looked at in order.
func (s *shared) sorted(column int) []end {
	ends := slices.Clone(s.looked[column])
	slices.SortFunc(ends, func(a, b end) int { return a.place - b.place })
	return ends
}
