package separation

import (
	"math/bits"

	"parcorels/bitvec"
)

// Node bounds prefixes behind the root, one after the other, by dual ascents over the
// root's sets (ascent.go). Each worker has one of its own.
type Node struct {
	Context Context // of the prefix at hand
	Value   int64   // bound of it, beyond the prefix's cost

	root   *Root
	ascent ascent
}

// NewNode returns a Node.
func (r *Root) NewNode() *Node {
	n := &Node{root: r}
	n.Context.Live = make([][]uint64, r.P.labels)
	for q := range n.Context.Live {
		n.Context.Live[q] = make([]uint64, r.P.width)
	}
	r.planned.Do(func() { r.plan = r.newPlan() })
	n.ascent = newAscent(r.plan)
	return n
}

// NodeBytes is about the memory of a Node.
func (r *Root) NodeBytes() int64 {
	return int64(min(r.Pool.Len(), mostSets))*9 + int64(len(r.P.cost))*4
}

// PlanBytes is about the memory of what all Nodes share.
func (r *Root) PlanBytes() int64 {
	sets := int64(min(r.Pool.Len(), mostSets))
	points := int64(len(r.Pool.members)) / int64(max(r.Pool.Len(), 1))
	rules := r.Context.Rules()
	masks := int64(bitvec.CounterWords(rules) + bitvec.CounterWords(len(r.P.Columns)))
	return sets*(masks*8+24+4*points+int64(len(r.P.Columns)+rules)/8) + int64(len(r.P.cost))*4
}

// Begin takes a prefix: its columns, what they leave, and by label the columns whose rule a
// completion may use as far as the caller knows. It bounds it, but by no more
// than what exceeds room, and returns the work.
func (n *Node) Begin(prefix []Column, left []uint64, live [][]uint64, room int64) int64 {
	c := &n.Context
	c.Left = append(c.Left[:0], left...)
	for q := range c.Live {
		for i, root := range n.root.Context.Live[q] {
			c.Live[q][i] = live[q][i] & root
		}
	}
	a := &n.ascent
	a.work = 0
	a.run(c, prefix, room/a.quantum)
	n.Value = a.value * a.quantum
	return a.work
}

// Weights returns the weights of the bound.
func (n *Node) Weights() []Weight { return n.ascent.weights(nil) }

// CheckBound panics if the weights of the bound, evaluated exactly, give less.
func (n *Node) CheckBound() {
	if n.root.P.Evaluate(new(Bound), &n.Context, n.root.Pool, n.Weights()) < n.Value {
		panic("separation: an ascent claims more than its weights give")
	}
}

// Links returns the bound of the prefix at hand for a proof.
func (n *Node) Links() []Link {
	return []Link{n.root.Pool.link(n.Weights(), uint(bits.TrailingZeros64(uint64(n.ascent.quantum))))}
}

// Children prepares Child: it adds up, for each column, the weights of the sets
// that the column touches.
//
// A child keeps the inequalities of the sets that its rule does not touch. With
// the same weights on those, all loads are at most the parent's.
func (n *Node) Children() {
	if !n.ascent.touches(&n.Context) {
		n.Value = 0
	}
}

// Child returns a bound on what completions cost beyond the child that a column
// makes, of which a rule is live.
func (n *Node) Child(col int) int64 { return max(0, n.Value-n.ascent.touched(col)*n.ascent.quantum) }

// IsLive reports whether a completion of the prefix at hand may use a rule.
func (n *Node) IsLive(col, label int) bool {
	return n.Context.Live[label][col/64]>>(col%64)&1 == 1
}
