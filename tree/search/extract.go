package search

import (
	"parcorels/bitvec"
	"parcorels/tree/price"
)

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
	switch leaves := w.Leaves(v); {
	case leaves == 1:
		_, class := w.splits.LeafCost(fr.set)
		*tree = append(*tree, Leaf(class))
		return true
	case leaves == 2 && d > 0: // the root keeps its levels, for a proof
		fr.levels, fr.key = 1, bitvec.Key{}
	}
	if !w.count(d) {
		return false
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
	w.triples(fr)
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
	if !w.pairs(fr, goOn) {
		return 0
	}
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

// The tree of a search that was stopped is a patchwork of bounds, and may have a split that gives few points a leaf of
// their own though one of its sides would do for all. So a split gives way to one of its sides, for whose tree its
// points are routed anew, or to a leaf, as long as the value falls (subtree raising: Quinlan, C4.5, 1993, chapter 4).

// raised returns the tree as far as replacing splits makes it better, with its value. Leaves get the class that
// is best for their points.
func (s *search) raised(tree Tree) (best Tree, value int64) {
	r := refit{search: s, list: tree}
	value = r.node(s.whole())
	best = r.out
	for i := 0; i < 2*len(best); i++ {
		at := i / 2
		if best[at] < 0 {
			continue
		}
		second := behind(best[at+1:])
		rest := behind(second)
		r.out, r.list = nil, append(Tree{}, best[:at]...)
		if i%2 == 0 {
			r.list = append(r.list, best[at+1:len(best)-len(second)]...)
			second = rest
		}
		r.list = append(r.list, second...)
		if v := r.node(s.whole()); v < value {
			best, value = r.out, v
			i = -1 // others may give way now
		}
	}
	return best, value
}

// refit makes a tree the best for a set that its splits allow, with a leaf wherever that is as good.
type refit struct {
	*search
	list Tree // what is left to read
	out  Tree
}

// node reads a tree of the list for a set, and returns its value.
func (r *refit) node(set []uint64) (value int64) {
	cost, class := r.splits.LeafCost(set)
	feature, begin := r.list[0], len(r.out)
	if r.list = r.list[1:]; feature >= 0 {
		with, without := make([]uint64, len(set)), make([]uint64, len(set))
		for i, c := range r.splits.Column(feature) {
			with[i], without[i] = set[i]&c, set[i]&^c
		}
		r.out = append(r.out, feature)
		value = r.node(with)
		value += r.node(without)
		if value < r.One(cost) && r.splitMay(set, feature) {
			return value
		}
	}
	r.out = append(r.out[:begin], Leaf(class))
	return r.One(cost)
}

// behind returns what follows the first tree of a list.
func behind(list Tree) Tree {
	for open := 1; open > 0; list = list[1:] {
		if open--; list[0] >= 0 {
			open += 2
		}
	}
	return list
}
