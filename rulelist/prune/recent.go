package prune

import (
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/internal/testing/interleave"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// The prefixes expanded most recently, by all workers together: most of what a
// scan of everything expanded would find is among them, and with many workers
// each one's own are only a small part.
//
// A worker fills a block; when it is full it swaps it into the next slot of a
// ring and gets the oldest block in return. A block in the ring is immutable,
// and readers go through it while they are pinned (package trie). So the
// returned block is retired with the epoch, waits until nobody who may have
// met it is pinned, and is filled again: once the ring is full nothing is allocated.
// If no block has waited long enough, the full one is emptied instead of
// published, which loses a few dominators and nothing else.

const (
	RecentLen   = 512
	RecentBlock = 16
	SpareBlocks = 3 // a worker's blocks outside the ring
	askEvery    = 4 // prefixes from asking for a block to asking again; two epochs pass in two blocks
)

// Ring is what the workers share.
type Ring struct {
	slots []atomic.Pointer[dominatorList] // nil: nothing was published there
	_     [64]byte
	next  atomic.Uint64 // blocks published; the next goes to next mod len(slots)
	_     [56]byte
}

func NewRing(p *problem.Problem) *Ring {
	return &Ring{slots: make([]atomic.Pointer[dominatorList], ringLen(p))}
}

func ringLen(p *problem.Problem) int { return max(1, listLen(p, RecentLen)/RecentBlock) }

// recentBlocks is one worker's part.
type recentBlocks struct {
	ring    *Ring
	handle  *trie.Handle
	words   int // of a set
	filling *dominatorList
	waiting []retired // oldest first
	passed  bool      // nobody reads the oldest any more
}

// retired is a block that may have readers until its epoch has passed.
type retired struct {
	block *dominatorList // nil: it is yet to be made
	epoch uint64
}

func (r *recentBlocks) init(ring *Ring, h *trie.Handle, p *problem.Problem) {
	r.ring, r.handle, r.words = ring, h, p.Words
	r.filling = newDominatorList(RecentBlock, p.Words)
	r.waiting = make([]retired, SpareBlocks-1)
}

// find returns the list and the place of an entry that dominates f's prefix,
// place −1 if there is none. The caller is pinned.
func (r *recentBlocks) find(d *dominators, p *problem.Problem, f *Frame) (*dominatorList, int) {
	if i := r.filling.find(d, p, f, 0, RecentBlock/bitvec.Lanes); i >= 0 {
		return r.filling, i
	}
	n := uint64(len(r.ring.slots))
	newest := r.ring.next.Load()
	for back := range n {
		l := r.ring.slots[(newest+n-1-back)%n].Load()
		if l == nil {
			continue // the ring is not full yet
		}
		if i := l.find(d, p, f, 0, RecentBlock/bitvec.Lanes); i >= 0 {
			return l, i
		}
	}
	return nil, -1
}

// add notes that f's prefix is about to be expanded. While the block fills, it
// asks now and then whether the next one may be used, which moves the epoch on: to
// ask, it reads what every other worker writes for every prefix.
func (r *recentBlocks) add(p *problem.Problem, f *Frame) {
	r.filling.set(r.filling.n, p, f)
	if !r.passed && r.filling.n%askEvery == 0 {
		r.passed = r.handle.Passed(r.waiting[0].epoch)
	}
	if r.filling.n < RecentBlock {
		return
	}
	if r.passed {
		r.publish()
	} else {
		r.filling.clear()
	}
}

func (r *recentBlocks) publish() {
	slot := (r.ring.next.Add(1) - 1) % uint64(len(r.ring.slots))
	interleave.Here()
	old := r.ring.slots[slot].Swap(r.filling)
	interleave.Here()
	if r.filling = r.waiting[0].block; r.filling == nil {
		r.filling = newDominatorList(RecentBlock, r.words)
	}
	r.filling.clear()
	copy(r.waiting, r.waiting[1:])
	r.waiting[len(r.waiting)-1] = retired{old, r.handle.Epoch()}
	r.passed = false
}
