package trie

import "parcorels/loop/interleave"

// New returns an open node below parent, which the caller keeps alive by being
// the one who expands it. Its mark is 0 or 1, for the caller's use. It fails when the arena's budget is spent.
func (h *Handle) New(parent ID, antecedent, mark int, cost, bound int64) (ID, bool) {
	if h.free.count == 0 {
		f, ok := h.arena.refill()
		if !ok {
			return 0, false
		}
		h.free = f
	}
	id, n := h.free.pop(h.arena)
	up := h.arena.Node(parent)
	up.life.Add(reference)
	n.Parent, n.Depth = parent, up.Depth+1
	n.Antecedent = uint16(antecedent)
	n.Cost, n.Bound = cost, bound
	n.life.Store(open | uint32(mark)*marked | reference)
	return id, true
}

// Discard takes back a node that New returned and nobody else has seen.
func (h *Handle) Discard(id ID) {
	n := h.arena.Node(id)
	h.arena.Node(n.Parent).drop() // its expander holds the parent: this is not the last
	n.life.Store(0)
	h.free.push(h.arena, id)
}

// Expanded marks an open node as one that need not be expanded any more. Its
// expander goes on holding it.
func (h *Handle) Expanded(id ID) {
	h.arena.Node(id).enter(expanded, open)
}

// Close marks a node as expanded and keeps it for comparisons. If it was
// killed meanwhile, it is released instead.
func (h *Handle) Close(id ID) {
	interleave.Here()
	n := h.arena.Node(id)
	if !n.enter(closed, open) && !n.enter(closed, expanded) {
		h.Release(id)
	}
}

// Reopen marks a closed node as open again, to be expanded once more, and
// reports whether it was closed. The worker that takes it from its queue must Close or
// Release it. No other worker is working.
func (h *Handle) Reopen(id ID) bool {
	return h.arena.Node(id).enter(open, closed)
}

// Hold adds a reference to a node, which is never retired then.
func (h *Handle) Hold(id ID) { h.arena.Node(id).life.Add(reference) }

// Kill marks a node as dead. The worker that takes it from its queue, or ends its
// expansion, must Release it; a node that was already closed is released here.
// The caller has resolved the node under its present pin; if it was retired
// since, this writes to a node that nobody uses and that New will overwrite.
// Exactly one of Close and any number of Kills leads to the release: the state
// leaves open once and closed at most once.
func (h *Handle) Kill(id ID) {
	if h.arena.Node(id).life.Or(dead)&states == closed {
		h.Release(id)
	}
}

// Release drops the reference that an open node holds to itself, after it was
// taken from its queue and will not be compared with any more, and retires the
// node and its ancestors as far as nothing refers to them.
func (h *Handle) Release(id ID) {
	h.Expanded(id) // before the reference goes: then the node may be another one's
	for {
		n := h.arena.Node(id)
		if n.drop() > 0 {
			return
		}
		interleave.Here()
		parent := n.Parent
		h.retire(id, n)
		if id == Root {
			return
		}
		id = parent
	}
}
