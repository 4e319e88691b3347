package parallel

import (
	"parcorels/bitvec"
	"parcorels/trie"
)

// frame is one prefix under examination, with the buffers that this takes. A
// worker has one for each depth of a dive (dive.go) and uses the first for
// prefixes from the queue.
type frame struct {
	id        trie.ID  // node of the prefix
	rooted    bool     // whether it has one; without, nothing below it can be inserted
	prefix    []uint16 // columns of the prefix
	depth     int
	cost      int64
	last      int  // column of the last rule
	lastLabel bool // its label
	before    []uint64
	u         []uint64 // remaining set
	all1      int64    // cost of class 1 in u
	all0      int64

	prog             bitvec.Program
	g1, g0           []int64  // cost of class 1 and 0 in u ∩ column
	alive            []uint16 // columns that can be of use below, ascending
	select1, select0 selection

	children []child // that could not be inserted
}

// child is a prefix that extends a frame's by one rule.
type child struct {
	col       int
	label     bool
	cost      int64
	objective int64
	left1     int64 // cost of class 1 and 0 that it leaves
	left0     int64
	id        trie.ID // its node, if it has one
	owned     bool    // whether id is its own node
}

func newFrame(p *problem) *frame {
	n := p.padded()
	return &frame{
		before:  make([]uint64, p.words),
		u:       make([]uint64, p.words),
		g1:      make([]int64, n),
		g0:      make([]int64, n),
		alive:   make([]uint16, 0, n),
		select1: newSelection(n),
		select0: newSelection(n),
	}
}

// load rebuilds the prefix of a node: its columns and its remaining set. It
// reports false if the node or an ancestor is dead.
func (f *frame) load(s *search, id trie.ID) bool {
	n := s.arena.Node(id)
	f.id, f.rooted, f.depth, f.cost = id, true, int(n.Depth), n.Cost
	f.last, f.lastLabel = int(n.Antecedent), n.Label
	f.prefix = s.path(id, f.prefix)
	for i := id; ; i = n.Parent {
		if n = s.arena.Node(i); n.Dead() {
			return false
		}
		if i == trie.Root {
			break
		}
	}
	copy(f.u, s.p.all)
	for i, col := range f.prefix {
		if i == f.depth-1 {
			copy(f.before, f.u)
		}
		bitvec.AndNot(f.u, f.u, s.p.columns[col])
	}
	return true
}

// descend makes f the frame of a child of up.
func (f *frame) descend(p *problem, up *frame, c *child) {
	f.id, f.rooted, f.depth, f.cost = c.id, c.owned, up.depth+1, c.cost
	f.prefix = append(append(f.prefix[:0], up.prefix...), uint16(c.col))
	f.last, f.lastLabel = c.col, c.label
	copy(f.before, up.u)
	bitvec.AndNot(f.u, up.u, p.columns[c.col])
}

// count evaluates every column against the remaining set.
func (f *frame) count(p *problem) {
	p.planes.Compile(&f.prog, f.u)
	f.all1, f.all0 = p.planes.Cost(f.u)
	p.matrix.Count(&f.prog, 0, p.matrix.Blocks(), f.g1, f.g0)
}
