package search

// This file finds the list of largest posterior by branch and bound and proves that
// there is none better.
//
// Prefixes are expanded best bound first. What a prefix may become depends on the set
// that it leaves and on how many antecedents of each cardinality it used, and on nothing
// else: of two prefixes that agree in both, the one that adds less to F is dropped
// (equal: the one that is lexicographically larger; both are as long). The map compares
// sets, not only their hashes.
//
// A rule that captures nothing may pay under this posterior, when the prior expects
// longer lists; such rules are generated like others.
//
// Not done here, and what it would take to go further: several workers (the map and
// the heap are of one), and the capacity bound for antecedents that are small and pure.

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"parcorels/bitvec"
)

// node is a prefix: its parent with one more antecedent.
type node struct {
	parent     int32
	antecedent int32
	length     int32
	dead       bool
	sum, bound int64
}

// nodeBytes is what a node takes with its places in the map and the heap.
const nodeBytes = 160

// state is what the future of a prefix depends on, but for hash collisions.
type state struct {
	hash bitvec.Key
	use  used
}

// exact is the state of one search.
type exact struct {
	p      *posterior
	b      *bounder
	nodes  []node
	open   openHeap
	seen   map[state]int32
	best   solution
	hasher *bitvec.Hasher
	matrix *bitvec.Matrix
	prog   bitvec.Program
	g1, g0 []int64
	set    []uint64
	child  []uint64
	other  []uint64

	expanded int64
}

// openHeap is the prefixes to expand, the largest bound first; equal ones in the
// order in which they were found.
type openHeap struct {
	e   *exact
	ids []int32
}

func (h *openHeap) Len() int { return len(h.ids) }
func (h *openHeap) Less(i, j int) bool {
	a, b := &h.e.nodes[h.ids[i]], &h.e.nodes[h.ids[j]]
	return cmp.Or(cmp.Compare(b.bound, a.bound), cmp.Compare(h.ids[i], h.ids[j])) < 0
}
func (h *openHeap) Swap(i, j int) { h.ids[i], h.ids[j] = h.ids[j], h.ids[i] }
func (h *openHeap) Push(x any)    { h.ids = append(h.ids, x.(int32)) }
func (h *openHeap) Pop() any {
	last := h.ids[len(h.ids)-1]
	h.ids = h.ids[:len(h.ids)-1]
	return last
}

func newExact(p *posterior, b *bounder, incumbent solution) *exact {
	e := &exact{
		p: p, b: b, best: incumbent, seen: map[state]int32{}, hasher: bitvec.NewHasher(p.in.Words),
		matrix: bitvec.NewMatrix(len(p.card), p.in.Words),
		set:    make([]uint64, p.in.Words), child: make([]uint64, p.in.Words), other: make([]uint64, p.in.Words),
	}
	for a, c := range p.in.Columns {
		e.matrix.Set(a, c)
	}
	n := e.matrix.Blocks() * bitvec.Lanes
	e.g1, e.g0 = make([]int64, n), make([]int64, n)
	e.open.e = e
	e.nodes = append(e.nodes, node{parent: -1})
	if bound, ok := b.below(0, 0, &used{}, p.all); ok {
		e.nodes[0].bound = bound
		heap.Push(&e.open, int32(0))
	}
	return e
}

// run searches until the best list is proved, ctx ends, or the limits on
// expansions and bytes are reached (0: none). It returns the bound that no list's F
// exceeds, and whether it stopped for want of memory.
func (e *exact) run(ctx context.Context, limit, bytes int64) (bound int64, full bool) {
	for e.open.Len() > 0 {
		top := e.nodes[e.open.ids[0]].bound
		switch {
		case top < e.best.value:
			return e.best.value, false
		case ctx.Err() != nil, limit > 0 && e.expanded >= limit:
			return top, false
		case bytes > 0 && int64(len(e.nodes))*nodeBytes > bytes:
			return top, true
		}
		id := heap.Pop(&e.open).(int32)
		if !e.nodes[id].dead {
			e.expand(id)
		}
	}
	return e.best.value, false
}

// path returns the antecedents of a prefix.
func (e *exact) path(id int32) []int {
	rules := make([]int, e.nodes[id].length)
	for i := len(rules) - 1; i >= 0; i-- {
		rules[i] = int(e.nodes[id].antecedent)
		id = e.nodes[id].parent
	}
	return rules
}

// remaining sets dst to what a prefix leaves.
func (e *exact) remaining(dst []uint64, rules []int) {
	copy(dst, e.p.all)
	for _, a := range rules {
		bitvec.AndNot(dst, dst, e.p.in.Columns[a])
	}
}

// expand looks at all extensions of a prefix.
func (e *exact) expand(id int32) {
	e.expanded++
	rules := e.path(id)
	e.remaining(e.set, rules)
	var use used
	for _, a := range rules {
		use[e.p.card[a]]++
	}
	all1, all0 := e.p.in.Planes.Cost(e.set)
	e.p.in.Planes.Compile(&e.prog, e.set)
	e.matrix.Count(&e.prog, 0, e.matrix.Blocks(), e.g1, e.g0)
	sum, m := e.nodes[id].sum, len(rules)
	for a := range e.p.card {
		if slices.Contains(rules, a) {
			continue
		}
		after := sum + e.p.price(&use, a) + e.p.leaf(e.g1[a], e.g0[a])
		value := after + e.p.length[m+1] + e.p.leaf(all1-e.g1[a], all0-e.g0[a])
		if value >= e.best.value {
			s := solution{value, append(slices.Clone(rules), a)}
			if s.better(&e.best) {
				e.best = s
			}
		}
		e.insert(id, a, after, use)
	}
}

// insert adds the extension of a prefix by a to the open prefixes, unless its
// bound or another prefix closes it.
func (e *exact) insert(parent int32, a int, sum int64, use used) {
	m := e.nodes[parent].length + 1
	use[e.p.card[a]]++
	hash := e.hasher.AndNotHash(e.child, e.set, e.p.in.Columns[a])
	bound, ok := e.b.below(int(m), sum, &use, e.child)
	if !ok || bound < e.best.value {
		return
	}
	id := int32(len(e.nodes))
	key := state{hash, use}
	old, found := e.seen[key]
	if found && e.dominates(old, parent, a, sum) {
		return
	}
	e.nodes = append(e.nodes, node{parent: parent, antecedent: int32(a), length: m, sum: sum, bound: bound})
	e.seen[key] = id
	heap.Push(&e.open, id)
}

// dominates reports whether prefix old, of the same state as the extension of
// parent by a, is the better of the two. If it is the worse one it is dropped.
func (e *exact) dominates(old, parent int32, a int, sum int64) bool {
	rules := e.path(old)
	if e.remaining(e.other, rules); !slices.Equal(e.other, e.child) {
		return false // another set with the same hash
	}
	o := &e.nodes[old]
	if o.sum > sum || o.sum == sum && slices.Compare(rules, append(e.path(parent), a)) <= 0 {
		return true
	}
	o.dead = true
	return false
}
