package numeric

import "slices"

// The best trees of one split (stumps) of parts of a set. Only a place with different classes
// beside it can be better than those around (Fayyad and Irani, IJCAI 1993), but looking at all
// places costs as much as telling them apart. Parts are not listed: lists of all columns would
// take as much memory as the set has.

// stump is the best tree of a part of a set with one split at most: of equal ones a leaf, then that
// of the first column, and there of the first place.
type stump struct {
	value int64
	leaf  Node // of the part as a whole
	tree  Tree
}

// one makes one part of a set, number 0.
func (w *worker) one(s *set) { clear(w.number[:s.size()]) }

// divide makes two parts of one: the first place items in the order of a column keep its number, the
// others get another. It returns the split.
func (w *worker) divide(s *set, part, right int32, column, place int) Node {
	n, count := Node{Column: column}, 0
	for _, e := range s.lists[column] {
		of := &w.number[e.Number()]
		if *of != part {
			continue
		}
		switch count++; {
		case count <= place:
			n.Low = w.table.rank(e)
			continue
		case count == place+1:
			n.High = w.table.rank(e)
		}
		*of = right
	}
	return n
}

// stumps returns the stumps of so many parts of a set.
func (w *worker) stumps(s *set, parts int) []stump {
	k := w.table.Classes
	all, left, right := make([]int64, parts*k), make([]int64, parts*k), make([]int64, parts*k)
	for _, e := range s.lists[0] {
		all[int(w.number[e.Number()])*k+w.table.classOf(e)] += w.weightOf(s, e)
	}
	of := func(weights []int64, part int) []int64 { return weights[part*k : (part+1)*k] }
	found, weight := make([]stump, parts), make([]int64, parts)
	for part := range found {
		for _, x := range of(all, part) {
			weight[part] += x
		}
		leaf := leafOf(heaviest(of(all, part)))
		found[part] = stump{w.One(weight[part] - slices.Max(of(all, part))), leaf, Tree{leaf}}
	}
	before := make([]int32, parts)
	for h, list := range s.lists {
		clear(left)
		copy(right, all)
		for part := range before {
			before[part] = -1
		}
		for _, e := range list {
			part := int(w.number[e.Number()])
			if rank := w.table.rank(e); rank != before[part] {
				if l, r, f := of(left, part), of(right, part), &found[part]; before[part] >= 0 {
					if v := w.Two(weight[part] - slices.Max(l) - slices.Max(r)); v < f.value {
						f.value = v
						f.tree = append(f.tree[:0], Node{h, before[part], rank}, leafOf(heaviest(l)), leafOf(heaviest(r)))
					}
				}
				before[part] = rank
			}
			c, x := part*k+w.table.classOf(e), w.weightOf(s, e)
			left[c] += x
			right[c] -= x
		}
	}
	return found
}

// stump returns the best tree of a set with one split at most.
func (w *worker) stump(s *set) stump {
	w.one(s)
	return w.stumps(s, 1)[0]
}

// treeOfTwo returns the tree that splits a set at a place, and its sides once more.
func (w *worker) treeOfTwo(s *set, column, place int) Tree {
	w.one(s)
	t := Tree{w.divide(s, 0, 1, column, place)}
	for _, side := range w.stumps(s, 2) {
		t = append(t, side.tree...)
	}
	return t
}

// treeOfThree returns the tree that splits a set at a place, and its sides as they choose.
func (w *worker) treeOfThree(s *set, column, place int, sides [2]choice) Tree {
	w.one(s)
	t := Tree{w.divide(s, 0, 2, column, place)}
	var splits [2]Node
	for side, c := range sides {
		if !c.leaf {
			splits[side] = w.divide(s, int32(2*side), int32(2*side+1), c.column, c.place)
		}
	}
	stumps := w.stumps(s, 4)
	for side, c := range sides {
		if c.leaf {
			t = append(t, stumps[2*side].leaf)
			continue
		}
		t = append(t, splits[side])
		t = append(append(t, stumps[2*side].tree...), stumps[2*side+1].tree...)
	}
	return t
}

// heaviest returns the first class of the largest weight.
func heaviest(weights []int64) int { return slices.Index(weights, slices.Max(weights)) }
