package rashomon

import (
	"slices"

	"parcorels/verify/framing"
)

// Rows are further rows, of which nothing was learned: how many, and which of them satisfy each antecedent.
type Rows struct {
	Count int
	Holds [][]uint64
}

func (r Rows) all() []uint64 {
	all := make([]uint64, (r.Count+63)/64)
	for i := range r.Count {
		all[i/64] |= 1 << (i % 64)
	}
	return all
}

// captured returns those of some rows that satisfy an antecedent.
func (r Rows) captured(some []uint64, antecedent int) []uint64 {
	if r.Count == 0 {
		return nil
	}
	return intersect(some, r.Holds[antecedent])
}

// mostEntries bounds the nodes and tables of a question: some gigabytes.
const mostEntries = 4_000_000

// refined is the graph of a proof with a node for each state and the further rows that prefixes
// leave there. A rule has to capture a sample, so further rows neither add nor take away a list.
type refined struct {
	nodes []node
	order []int // each before those that its ways lead to
}

type node struct {
	state   int
	further []uint64
	d       int64 // least cost of a prefix
	ways    []way
}

// way is a rule of a node. Stops are what a default of each class costs behind it, none for its own.
type way struct {
	antecedent, label, child int
	cost                     int64
	stops                    []int64
}

// refine finds the nodes. Antecedents of one column are one way unless they differ in the
// further rows that they capture, or in the mark. It returns false if there are too many.
func (c *checker) refine(rows Rows, marked func(antecedent int) bool) (*refined, bool) {
	r := &refined{nodes: []node{{further: rows.all()}}}
	of := make([][]int, len(c.states))
	of[0] = []int{0}
	places := map[string]int{}
	ways := 0
	for i := range c.states { // edges lead to later states
		for _, at := range of[i] {
			c.eachRule(i, func(column, label, child int, cost int64, stops []int64) {
				known := map[string]bool{}
				for _, a := range c.members[column] {
					captured := rows.captured(r.nodes[at].further, a)
					same := treeName(captured, labelOf(marked(a)))
					if known[same] {
						continue
					}
					known[same] = true
					left := without(r.nodes[at].further, captured)
					key := treeName(left, child)
					to, ok := places[key]
					if !ok {
						to = len(r.nodes)
						places[key], of[child] = to, append(of[child], to)
						r.nodes = append(r.nodes, node{state: child, further: left, d: none})
					}
					n := &r.nodes[at]
					n.ways = append(n.ways, way{a, label, to, cost, stops})
					r.nodes[to].d = min(r.nodes[to].d, n.d+cost)
					ways++
				}
			})
			if ways > mostEntries {
				return nil, false
			}
		}
		r.order = append(r.order, of[i]...)
	}
	return r, true
}

// Least is one of Answers. A list by way of a rule is good if the least prefix, the rule, and the least that
// follows are within the threshold together.
func (c *checker) Least(rows Rows) (least [][]int64, ok bool) {
	r, ok := c.refine(rows, func(int) bool { return false })
	if !ok {
		return nil, false
	}
	least = newLeast(len(c.digits), rows.Count)
	offer := func(label int, set []uint64, cost int64) {
		if cost <= c.most {
			offerRows(least[label], set, cost+c.base)
		}
	}
	empty, _ := c.losses(c.all, c.all)
	for q, cost := range empty {
		offer(q, rows.all(), cost)
	}
	follows := make([]int64, len(r.nodes)) // of each node, the least completion with a rule
	for _, at := range slices.Backward(r.order) {
		n := &r.nodes[at]
		follows[at] = none
		for _, w := range n.ways {
			after := min(slices.Min(w.stops), follows[w.child])
			follows[at] = min(follows[at], w.cost+after)
			offer(w.label, without(n.further, r.nodes[w.child].further), n.d+w.cost+after)
			for q, stop := range w.stops {
				offer(q, r.nodes[w.child].further, n.d+w.cost+stop)
			}
		}
	}
	return least, true
}

// offerRows lowers what is known of some rows to an objective.
func offerRows(least []int64, rows []uint64, objective int64) {
	for i := range framing.Members(rows) {
		if least[i] < 0 || objective < least[i] {
			least[i] = objective
		}
	}
}

func newLeast(classes, rows int) [][]int64 {
	least := make([][]int64, classes)
	for q := range least {
		least[q] = make([]int64, rows)
		for i := range least[q] {
			least[q][i] = -1
		}
	}
	return least
}
