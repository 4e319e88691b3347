package trie

import (
	"slices"
	"sync/atomic"
)

// ID names a node of an arena. The root is 0.
type ID uint32

// Root is the node of the empty prefix.
const Root ID = 0

// NodeBytes is the size of a node.
const NodeBytes = 32

// Node is one prefix. Its exported fields are written before its ID is
// published and never afterwards, as long as a reader is pinned.
type Node struct {
	Cost       int64  // cost of the prefix, in the caller's units
	Bound      int64  // a lower bound on everything below, in the same units; once retired, the link of a list
	Parent     ID     // the prefix without its last rule
	Depth      uint16 // number of rules
	Antecedent uint16 // of the last rule

	life       atomic.Uint32 // state, mark and references, below
	generation atomic.Uint32 // incremented when the node is retired; 31 bits
}

// The word life holds, from its lowest bit on, one of the four states, the caller's mark, and how many refer to the
// node: itself, while it is not released, and its children. With no reference nobody uses the node.
const (
	open uint32 = iota
	expanded
	closed
	dead // both bits, so that setting them needs no comparison

	states    = dead
	marked    = 1 << 2
	reference = 1 << 3
)

// state returns one of open, expanded, closed and dead.
func (n *Node) state() uint32 { return n.life.Load() & states }

// Mark returns the mark of the node, 0 or 1.
func (n *Node) Mark() int { return int(n.life.Load() / marked & 1) }

// references returns how many refer to the node.
func (n *Node) references() uint32 { return n.life.Load() / reference }

// Dead reports whether the node was killed.
func (n *Node) Dead() bool { return n.state() == dead }

// Open reports whether the node waits in a queue or is being expanded.
func (n *Node) Open() bool { return n.state() == open }

// Closed reports whether the node has been expanded and is kept for comparisons.
func (n *Node) Closed() bool { return n.state() == closed }

// enter moves the node from one state to another, and reports whether it was in the
// first. References may come and go meanwhile.
func (n *Node) enter(to, from uint32) bool {
	for {
		life := n.life.Load()
		if life&states != from {
			return false
		}
		if n.life.CompareAndSwap(life, life&^states|to) {
			return true
		}
	}
}

// drop takes a reference away and returns how many are left.
func (n *Node) drop() uint32 { return n.life.Add(^uint32(reference-1)) / reference }

// Ref names a node together with its generation; the zero Ref names none.
// The top bit is always clear and may be used as a mark.
type Ref uint64

const generationMask = 1<<31 - 1

// Ref returns the reference of a node that the caller keeps from being
// retired. The root, whose ID is 0, starts at generation 1, so no Ref is zero.
func (a *Arena) Ref(id ID) Ref {
	g := a.Node(id).generation.Load() & generationMask
	return Ref(uint64(g)<<32 | uint64(id))
}

// Resolve returns the node of r, or nil if it was retired since. The caller is
// pinned; the node stays readable until it unpins.
func (a *Arena) Resolve(r Ref) *Node {
	n := a.Node(ID(r))
	if n.generation.Load()&generationMask != uint32(r>>32) {
		return nil
	}
	return n
}

// Path writes the antecedents from the root down to the node id, in that order, to buf and returns it. The caller is
// pinned, or nobody works on the tree.
func Path[A ~uint16](a *Arena, id ID, buf []A) []A {
	n := a.Node(id)
	buf = slices.Grow(buf[:0], int(n.Depth)+1)[:n.Depth]
	for id != Root {
		buf[n.Depth-1] = A(n.Antecedent)
		id = n.Parent
		n = a.Node(id)
	}
	return buf
}
