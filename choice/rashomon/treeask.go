package rashomon

import (
	"cmp"
	"math/bits"
	"slices"
)

// Questions about trees. As for lists, each state has a table of the properties of its trees with a
// tree of the least cost for each. The tables of both sides of a split are joined. Two leaves of one
// class side by side are no good tree, so a table tells leaves of each class and larger trees
// apart.

// Tree is a good tree: Preorder as tree.New takes it.
type Tree struct {
	Preorder  []int
	Objective int64
}

// treeProperty says how a property is built from the leaves up.
type treeProperty struct {
	leaf  func(state int32, class int) int64
	split func(state, column int32, with, without int64) int64
}

// treeKey is a property of a leaf of a class, or of a larger tree, whose class is −1.
func treeKey(of int64, leaf int) key { return key{of, int64(leaf)} }

// TreeTable has a tree of the least objective of each property.
type TreeTable struct {
	t      *Trees
	states [][]entry // by cost; of a split, antecedent and next are places in the tables of the sides
	order  []int32   // of the entries of whole trees, the least first
}

// tabulateTrees makes the tables, or returns false if they need more than so many entries.
func tabulateTrees(t *Trees, p treeProperty, most int) (*TreeTable, bool) {
	out := &TreeTable{t: t, states: make([][]entry, max(len(t.states), 1))}
	found := &places{}
	total, joined := 0, 0
	for _, i := range t.order() {
		s := &t.states[i]
		found.clear()
		for c, cost := range s.leaves {
			if cost <= s.room {
				found.offer(entry{key: treeKey(p.leaf(i, c), c), cost: cost, rules: 1, edge: -1})
			}
		}
		for j, x := range s.splits {
			with, without := out.states[x.with], out.states[x.without]
			for a := range with {
				for b := range without {
					cost := with[a].cost + without[b].cost
					if cost > s.room {
						break
					}
					if with[a].key[1] >= 0 && with[a].key[1] == without[b].key[1] {
						continue
					}
					joined++
					found.offer(entry{treeKey(p.split(i, x.column, with[a].key[0], without[b].key[0]), -1), cost, with[a].rules + without[b].rules, int32(j), int32(a), int32(b)})
				}
				if total+len(found.list) > most || joined/100 > most {
					return nil, false
				}
			}
		}
		total += len(found.list)
		out.states[i] = slices.Clone(found.list)
		slices.SortStableFunc(out.states[i], func(a, b entry) int { return cmp.Or(cmp.Compare(a.cost, b.cost), int(a.rules-b.rules)) })
	}
	known := map[int64]bool{}
	for i, x := range out.states[0] {
		if !known[x.key[0]] {
			known[x.key[0]] = true
			out.order = append(out.order, int32(i))
		}
	}
	return out, true
}

// Len returns the number of properties.
func (t *TreeTable) Len() int { return len(t.order) }

// Key returns the property of a place. Places are in the order of objective.
func (t *TreeTable) Key(i int) int64 { return t.states[0][t.order[i]].key[0] }

// Objective returns that of the tree of a place.
func (t *TreeTable) Objective(i int) int64 { return t.t.base + t.states[0][t.order[i]].cost }

// At returns the tree of a place.
func (t *TreeTable) At(i int) Tree {
	return Tree{t.preorder(0, t.order[i], nil), t.Objective(i)}
}

func (t *TreeTable) preorder(state, place int32, to []int) []int {
	e := &t.states[state][place]
	if e.edge < 0 {
		return append(to, -1-int(e.key[1]))
	}
	x := &t.t.states[state].splits[e.edge]
	to = t.preorder(x.with, e.antecedent, append(to, int(x.column)))
	return t.preorder(x.without, e.next, to)
}

// Sums finds a least tree of each value of a sum: predicted has, by class and point, what
// predicting the class there adds. It returns false if the tables need more than so many entries.
func (t *Trees) Sums(predicted [][]int64, most int) (*TreeTable, bool) {
	return tabulateTrees(t, treeProperty{
		leaf:  func(state int32, class int) int64 { return t.addUp(predicted[class], state) },
		split: func(_, _ int32, with, without int64) int64 { return with + without },
	}, most)
}

// Decided finds a least tree of each weight of the points whose path asks about some antecedents.
func (t *Trees) Decided(by func(antecedent int) bool, weight []int64, most int) (*TreeTable, bool) {
	return tabulateTrees(t, treeProperty{
		leaf: func(int32, int) int64 { return 0 },
		split: func(state, column int32, with, without int64) int64 {
			if by(int(column)) {
				return t.addUp(weight, state)
			}
			return with + without
		},
	}, most)
}

// ColumnSets finds a least tree for each set of columns that its splits look at; see Set.ColumnSets.
func (t *Trees) ColumnSets(of func(antecedent int) uint64, most int) (*TreeTable, bool) {
	return tabulateTrees(t, treeProperty{
		leaf:  func(int32, int) int64 { return 0 },
		split: func(_, column int32, with, without int64) int64 { return with | without | int64(of(int(column))) },
	}, most)
}

// Smallest returns a tree of the least objective, and false if there is none.
func (t *Trees) Smallest() (Tree, bool) {
	table, ok := tabulateTrees(t, treeProperty{
		leaf:  func(int32, int) int64 { return 0 },
		split: func(_, _ int32, _, _ int64) int64 { return 0 },
	}, 1<<30)
	if !ok || table.Len() == 0 {
		return Tree{}, false
	}
	return table.At(0), true
}

// addUp returns the sum of values over the points of a state.
func (t *Trees) addUp(value []int64, state int32) (sum int64) {
	if value == nil {
		return 0
	}
	for w, x := range t.states[state].set {
		for ; x != 0; x &= x - 1 {
			sum += value[64*w+bits.TrailingZeros64(x)]
		}
	}
	return sum
}

// Flips returns, by class and point, the least objective of a tree that predicts the class there,
// and −1 where no good tree does.
//
// The room of a state is the threshold less the least cost of the rest of a tree. So the least
// tree with a leaf of a class there costs the threshold less the room, and the leaf. A tree with
// two leaves of one class side by side is never the least: with one leaf it predicts the same.
func (t *Trees) Flips() [][]int64 {
	least := make([][]int64, len(t.p.Loss))
	for c := range least {
		least[c] = slices.Repeat([]int64{-1}, t.p.Points)
	}
	for i := range t.states {
		s := &t.states[i]
		for c, cost := range s.leaves {
			if cost > s.room {
				continue
			}
			objective := t.base + t.threshold - s.room + cost
			for w, x := range s.set {
				for ; x != 0; x &= x - 1 {
					if at := &least[c][64*w+bits.TrailingZeros64(x)]; *at < 0 || objective < *at {
						*at = objective
					}
				}
			}
		}
	}
	return least
}

// Only returns the trees whose splits all have antecedents that are allowed. It computes values
// from small sets to large and rooms back again. A state without room is in no tree.
func (t *Trees) Only(allowed func(antecedent int) bool) *Trees {
	out := *t
	out.states = slices.Clone(t.states)
	order := t.order()
	both := func(x split) int64 { return out.states[x.with].value + out.states[x.without].value }
	for _, i := range order {
		s := &out.states[i]
		s.splits = slices.DeleteFunc(slices.Clone(s.splits), func(x split) bool { return !allowed(int(x.column)) })
		s.room, s.value = -1, slices.Min(s.leaves)
		for _, x := range s.splits {
			s.value = min(s.value, both(x))
		}
	}
	if len(order) == 0 || out.states[0].value > t.threshold {
		out.states = nil
		return &out
	}
	out.states[0].room = t.threshold
	for _, i := range slices.Backward(order) {
		s := &out.states[i]
		s.splits = slices.DeleteFunc(s.splits, func(x split) bool { return both(x) > s.room })
		for _, x := range s.splits {
			with, without := &out.states[x.with], &out.states[x.without]
			with.room, without.room = max(with.room, s.room-without.value), max(without.room, s.room-with.value)
		}
	}
	return &out
}
