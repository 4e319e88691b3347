package search

import "parcorels/tree/price"

// Reading the tree off the bounds.
//
// All bounds are on values, so the search fixes the value V of the best tree:
// its objective and its number of leaves. Among the trees with that value, the one
// with the smallest preorder is wanted. At a set of value V that is one leaf if
// a leaf has it; otherwise it begins with the smallest feature f whose sides'
// values add up to V. The values of both sides are then fixed, and the rest of
// the preorder is that of the side with the feature and then that of the other:
// by induction the smallest of each. So the tree depends on values only, and not
// on the order in which bounds became known.

// Leaf stands for a leaf that predicts a class.
func Leaf(class int) int { return -1 - class }

// extract appends the tree of the set of frame d, whose value is known to be v.
// It returns false when the search was stopped.
func (w *worker) extract(d int, v int64, tree *Tree) bool {
	fr := &w.frames[d]
	if !w.count(d) {
		return false
	}
	if w.One(w.counts.Leaf) == v {
		_, class := w.splits.LeafCost(fr.set)
		*tree = append(*tree, Leaf(class))
		return true
	}
	for _, s := range w.candidates(fr, v) {
		var k keys
		for s.lower() <= v && !s.resolved() {
			if !s.looked {
				w.look(&w.frames[d], &s, &k)
			} else if !w.raise(d, &s, &k, v+1) {
				return false
			}
		}
		if s.lower() > v {
			continue
		}
		*tree = append(*tree, int(s.feature))
		w.descend(d, int(s.feature), true, k.with)
		if !w.extract(d+1, s.with.upper, tree) {
			return false
		}
		w.descend(d, int(s.feature), false, k.without)
		return w.extract(d+1, s.without.upper, tree)
	}
	panic("tree/search: no tree has the value that was proved") // bounds contradict each other: a defect
}

// candidates returns the splits of the counted set that may have value v, in
// ascending order of features.
func (w *worker) candidates(fr *frame, v int64) (list []split) {
	w.countTriples(fr)
	for i := range w.counts.Live {
		var s split
		if w.sides(&s, i, fr.levels); s.lower() <= v {
			list = append(list, s)
		}
	}
	return list
}

// best appends the best tree of the set of frame d that the bounds know of, for
// a search that was stopped, and returns its value. Both mean nothing once goOn
// has returned false.
func (w *worker) best(d int, tree *Tree, goOn func() bool) (value int64) {
	fr := &w.frames[d]
	if !w.counts.Pairs(fr.set, fr.live, goOn) {
		return 0
	}
	w.keepEnough(fr.set)
	one := w.One(w.counts.Leaf)
	best, leaf := one, true
	var chosen split
	var sides keys
	if fr.levels > 0 {
		for _, s := range w.candidates(fr, price.Far) {
			var k keys
			if w.look(fr, &s, &k); s.upper() < best {
				best, leaf, chosen, sides = s.upper(), false, s, k
			}
		}
	}
	_, class := w.splits.LeafCost(fr.set)
	begin := len(*tree)
	if leaf {
		*tree = append(*tree, Leaf(class))
		return best
	}
	*tree = append(*tree, int(chosen.feature))
	w.descend(d, int(chosen.feature), true, sides.with)
	value = w.best(d+1, tree, goOn)
	w.descend(d, int(chosen.feature), false, sides.without)
	value += w.best(d+1, tree, goOn)
	// The cache may have lost what the bounds of the sides came from.
	if value >= one {
		*tree = append((*tree)[:begin], Leaf(class))
		return one
	}
	return value
}
