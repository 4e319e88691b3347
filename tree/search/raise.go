package search

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
