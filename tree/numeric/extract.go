package numeric

// The choice among trees of the best value.
//
// The search fixes the value V of the best tree: objective and number of leaves. At a set
// of value V the tree is one leaf if a leaf has it. Otherwise it begins with the first column, and
// there the first place, whose sides' values add up to V. They are then fixed, and so on for
// both sides: the smallest tree in preorder, whatever was looked at in which order. Intervals
// are searched from the left with a budget of V + 1.

// extract appends the smallest tree of a set with so many levels, whose value is v. Looked are
// places of each column that are known, in order; nil for none. It returns false if the run
// has ended.
func (w *worker) extract(t Tree, s *set, levels int, v int64, looked func(column int) []end) (Tree, bool) {
	if leaf, class := w.leafValue(s); leaf == v {
		return append(t, leafOf(class)), w.run.Running()
	}
	column, at, ok := w.firstSplit(s, levels, v, looked)
	if !ok {
		return nil, false
	}
	t = append(t, w.splitAt(s, column, at.place))
	w.node(levels)
	to := w.splits[levels] // no longer in use by the search
	w.split(s, column, at.place, to)
	if levels <= 2 {
		at.left, at.right = w.solveOne(&to.left, levels-1), w.solveOne(&to.right, levels-1)
	}
	if t, ok = w.extract(t, &to.left, levels-1, at.left, nil); !ok {
		return nil, false
	}
	return w.extract(t, &to.right, levels-1, at.right, nil)
}

// firstSplit returns the first split of trees of value v, with the items on its left and, of three
// levels and more, the values of its sides.
func (w *worker) firstSplit(s *set, levels int, v int64, looked func(column int) []end) (column int, at end, ok bool) {
	switch levels {
	case 1:
		_, column, at.place = w.stump(s)
		return column, at, w.run.Running()
	case 2:
		w.two.begin(s)
		w.two.budget = v + 1
		for _, lane := range w.two.used {
			if w.two.sweep(lane, true) {
				return w.two.found.column, end{place: w.two.found.place}, w.run.Running()
			}
		}
		return 0, at, false
	}
	n := w.node(levels)
	w.beginNode(n, s, levels, v+1, nil)
	for h, places := range n.places {
		last := len(places) - 1
		a := end{left: w.Price, right: w.Price}
		var known []end
		if looked != nil {
			known = looked(h)
		}
		for _, b := range append(known, end{place: last, left: w.Price, right: w.Price}) {
			if at, ok = w.within(n, h, a, b); !ok && b.place < last && b.left+b.right <= v {
				b = w.look(n, h, b.place, a, b, v+1, 0)
				at, ok = b, b.left+b.right == v
			}
			if ok {
				at.place = int(places[at.place])
				return h, at, w.run.Running()
			}
			a = b
		}
	}
	return 0, at, false
}

// within returns the first place between two whose value is below the node's upper.
func (w *worker) within(n *node, column int, a, b end) (found end, ok bool) {
	weights := n.weights[column]
	if boundBetween(weights, a, b, w.Unit) >= n.upper || !w.run.Running() {
		return found, false
	}
	first, last := openPlaces(weights, a, b, n.upper, w.Unit)
	if first > last {
		return found, false
	}
	middle := (first + last) / 2
	m := w.look(n, column, middle, a, b, n.upper, w.Unit*(weights[last]-weights[first])/2)
	if found, ok = w.within(n, column, a, m); ok {
		return found, true
	}
	if m.left+m.right < n.upper {
		return m, true
	}
	return w.within(n, column, m, b)
}
