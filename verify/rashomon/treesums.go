package rashomon

import (
	"cmp"
	"slices"
)

// Questions about trees: as for lists, each state has a node for each set of further rows that a path
// leaves there.

type treeNode struct {
	state   int
	further []uint64
	splits  []treeSplit // their sides are nodes
}

// treeNodes finds the nodes of a graph.
type treeNodes struct {
	nodes  []treeNode
	of     [][]int // by state
	places map[string]int
	order  []int // each node before its sides
}

func (t *treeNodes) place(state int, further []uint64) int {
	key := treeName(further, state)
	at, ok := t.places[key]
	if !ok {
		at = len(t.nodes)
		t.places[key], t.of[state] = at, append(t.of[state], at)
		t.nodes = append(t.nodes, treeNode{state: state, further: further})
	}
	return at
}

// refine finds the nodes. It returns false if there are too many.
func (c *treesChecker) refine(rows Rows) (t *treeNodes, ok bool) {
	t = &treeNodes{of: make([][]int, len(c.states)), places: map[string]int{}}
	t.place(0, rows.all())
	splits := 0
	for i := range c.states { // splits lead to later states
		for _, at := range t.of[i] {
			for _, x := range c.states[i].splits {
				further := t.nodes[at].further
				with := rows.captured(further, x.antecedent)
				split := treeSplit{x.antecedent, t.place(x.with, with), t.place(x.without, without(further, with))}
				t.nodes[at].splits = append(t.nodes[at].splits, split)
				splits++
			}
			if splits > mostEntries {
				return nil, false
			}
		}
		t.order = append(t.order, t.of[i]...)
	}
	return t, true
}

// Least is one of Answers. The best tree with a certain leaf has the least trees beside the path to it. Where that
// gives two leaves of one class side by side, one leaf instead costs less and predicts the same.
func (c *treesChecker) Least(rows Rows) (least [][]int64, ok bool) {
	graph, ok := c.refine(rows)
	if !ok {
		return nil, false
	}
	nodes := graph.nodes
	least = newLeast(len(c.digits), rows.Count)
	beside := make([]int64, len(nodes)) // of each node, what the rest of the best tree costs
	for at := range beside {
		beside[at] = none
	}
	beside[0] = 0
	for _, at := range graph.order {
		n := &nodes[at]
		for class, cost := range c.leaves(c.states[n.state].set) {
			if cost += beside[at]; cost <= c.most {
				offerRows(least[class], n.further, cost+c.base)
			}
		}
		for _, x := range n.splits {
			beside[x.with] = min(beside[x.with], beside[at]+c.states[nodes[x.without].state].least)
			beside[x.without] = min(beside[x.without], beside[at]+c.states[nodes[x.with].state].least)
		}
	}
	return least, true
}

// Optimum is one of Answers.
func (c *treesChecker) Optimum(holds func(antecedent int) bool) int {
	at := 0
	for c.best[at] >= 0 {
		with := at + 1
		if holds(c.best[at]) {
			at = with
			continue
		}
		at = with
		for open := 1; open > 0; at++ { // over the side where it holds
			if c.best[at] < 0 {
				open--
			} else {
				open++
			}
		}
	}
	return -1 - c.best[at]
}

// treeSum is the value of a sum, of a leaf of a class or of a larger tree, whose leaf is −1. Two leaves of one
// class side by side are no good tree.
type treeSum struct {
	value int64
	leaf  int
}

// Sums is one of Answers.
func (c *treesChecker) Sums(rows Rows, s Sum) (map[int64]int64, bool) {
	g := s.grouped(c.of, len(c.weight), len(c.digits))
	graph, ok := c.refine(rows)
	if !ok {
		return nil, false
	}
	nodes := graph.nodes
	tables, orders := make([]map[treeSum]int64, len(nodes)), make([][]treeSum, len(nodes))
	entries, joined := 0, 0
	for _, at := range slices.Backward(graph.order) {
		n, state := &nodes[at], &c.states[nodes[at].state]
		t := map[treeSum]int64{}
		for class, cost := range c.leaves(state.set) {
			if cost <= state.room {
				t[treeSum{g.predicted(class, state.set, n.further), class}] = cost
			}
		}
		for _, x := range n.splits {
			whole, marked := addUp(g.decided, state.set), g.marked(x.antecedent)
			for _, a := range orders[x.with] {
				for _, b := range orders[x.without] {
					cost := tables[x.with][a] + tables[x.without][b]
					if cost > state.room {
						break
					}
					if a.leaf >= 0 && a.leaf == b.leaf {
						continue
					}
					joined++
					to := treeSum{a.value + b.value, -1}
					if marked {
						to.value = whole
					}
					if known, ok := t[to]; !ok || cost < known {
						t[to] = cost
					}
				}
			}
			if entries+len(t) > mostEntries || joined/100 > mostEntries {
				return nil, false
			}
		}
		entries += len(t)
		keys := make([]treeSum, 0, len(t))
		for at := range t {
			keys = append(keys, at)
		}
		slices.SortFunc(keys, func(a, b treeSum) int { return cmp.Compare(t[a], t[b]) })
		tables[at], orders[at] = t, keys
	}
	least := map[int64]int64{}
	for at, cost := range tables[0] {
		if known, ok := least[at.value]; !ok || cost+c.base < known {
			least[at.value] = cost + c.base
		}
	}
	return least, true
}
