package trie

import (
	"sync/atomic"

	"parcorels/loop/interleave"
)

// Reclamation.
//
// A worker that meets a node's name in a queue or a map may be about to read
// it while another retires it. So a worker pins the current epoch ([Handle.Pin])
// around the work on one node, and what was retired in epoch e is reused only
// when the global epoch is e+2: it moves from e to e+1 only when every pinned
// worker has seen e, so by then no worker that could have met the node is
// still pinned.
//
// A name met later is recognised as stale by its generation: a [Ref] carries
// the generation that the node had, and retiring a node increments it.
// A generation that matches while the reader is pinned stays readable until it
// unpins, even if the node is retired meanwhile. Generations have 31 bits; a
// stale name would be taken for a live one only after its node was reused 2^31
// times while the name lay in a map.

// Epoch-based reclamation (Fraser, "Practical lock-freedom", 2004): three bags
// a worker, one for each epoch that may still matter; the bag of epoch e is
// emptied into the free list when the worker sees epoch e+2 or later.
//
// Why no reader sees a node reused. Let a reader that is pinned in epoch r find
// a generation that matches. The reader published r and then saw that the
// epoch was r; later it read the generation, which was incremented later
// still; and the goroutine that incremented it read the epoch e of its bag after that. So
// e ≥ r, and the bag waits for an epoch ≥ r+2. The epoch leaves r+1 only when a
// scan that began in r+1 finds no other pin than r+1: such a scan began after
// the reader had published r, and meets it until the reader unpins. The same
// holds for the ancestors of the node, which are retired after it.
//
// The two orders that this rests on are those in Pin (publish, then look at
// the epoch) and in retire (increment, then look at the epoch). Fields that are
// not atomic are safe to read for the same reason: the reader's unpinning, the
// scan, the move of the epoch and the emptying of the bag happen in that order.

const (
	firstEpoch   = 2
	bags         = 3
	advanceEvery = 64   // retired nodes between two attempts to move the epoch
	keepFree     = 2048 // free nodes that a worker keeps before it gives some back
	giveFree     = 256
)

// Handle is one worker's access to an arena.
type Handle struct {
	arena   *Arena
	free    freeList
	bags    [bags]bag
	retired int
	seen    uint64 // the epoch of the last pin
	_       [64]byte
	pinned  atomic.Uint64 // the epoch that the worker is pinned in, 0 when it is not; others read it
	_       [56]byte
}

type bag struct {
	epoch uint64
	freeList
}

// Pin keeps every node that the worker meets from now on readable until Unpin.
func (h *Handle) Pin() {
	a := h.arena
	e := a.epoch.Load()
	for {
		h.pinned.Store(e)
		interleave.Here()
		now := a.epoch.Load() // the store must be visible before the epoch is trusted
		if now == e {
			break
		}
		e = now
	}
	if e != h.seen {
		h.seen = e
		h.collect(e)
	}
}

// Unpin ends what Pin began.
func (h *Handle) Unpin() { h.pinned.Store(0) }

// collect frees the bags that no pinned worker can reach any more.
func (h *Handle) collect(epoch uint64) {
	for i := range h.bags {
		if b := &h.bags[i]; b.epoch+2 <= epoch {
			h.empty(b)
		}
	}
	for h.free.count > keepFree {
		h.shed()
	}
}

// empty frees the nodes of a bag.
func (h *Handle) empty(b *bag) {
	for b.count > 0 {
		id, _ := b.pop(h.arena)
		h.free.push(h.arena, id)
	}
}

// shed gives a piece of the free list to the other workers.
func (h *Handle) shed() {
	var f freeList
	for range giveFree {
		id, _ := h.free.pop(h.arena)
		f.push(h.arena, id)
	}
	h.arena.giveBack(f)
}

// retire puts a node without references into the bag of the current epoch.
func (h *Handle) retire(id ID, n *Node) {
	n.generation.Add(1)
	interleave.Here()
	e := h.arena.epoch.Load() // after the increment: see above
	b := &h.bags[e%bags]
	if b.epoch != e {
		// The bag's old epoch is e-3 or earlier: everything in it is free.
		h.empty(b)
		b.epoch = e
	}
	b.push(h.arena, id)
	if h.retired++; h.retired%advanceEvery == 0 {
		h.arena.advance(e)
	}
}

// advance moves the global epoch on from e if every pinned worker has seen it.
// A worker that pins itself behind the scan sees e or more, which is as good.
func (a *Arena) advance(e uint64) {
	for i := range a.handles {
		if p := a.handles[i].pinned.Load(); p != 0 && p != e {
			return
		}
	}
	interleave.Here()
	a.epoch.CompareAndSwap(e, e+1)
}
