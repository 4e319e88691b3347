package trie

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/loop/interleave"
)

// forest is a small search: workers take open nodes from a stack, extend them,
// and publish references where others find, read, displace and kill them. What
// a node holds follows from its ticket, so a reader can tell whether a node
// was reused under its eyes.
type forest struct {
	t       *testing.T
	a       *Arena
	tickets atomic.Int64
	last    int64
	parents []int64         // ticket → ticket of the parent
	slots   []atomic.Uint64 // published references
	mu      sync.Mutex
	open    []ID
	lost    atomic.Int64 // discarded nodes
	stale   atomic.Int64 // references found stale
	read    atomic.Int64 // and not
}

const maxForestDepth = 12

func newForest(t *testing.T, workers, slots int, last int64) *forest {
	return &forest{
		t: t, a: NewArena(workers, func(int64) bool { return true }), last: last,
		parents: make([]int64, last+1), slots: make([]atomic.Uint64, slots),
	}
}

// contents returns what a node of a ticket holds.
func contents(ticket int64) (antecedent uint16) {
	return uint16(uint64(ticket) * 0x9e3779b97f4a7c15 >> 48)
}

func (f *forest) take() (ID, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.open) == 0 {
		return Root, false
	}
	id := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	return id, true
}

func (f *forest) put(id ID) {
	f.mu.Lock()
	f.open = append(f.open, id)
	f.mu.Unlock()
}

// work is the life of one worker.
func (f *forest) work(worker int) {
	rng := rand.New(rand.NewPCG(uint64(worker), 2))
	for f.tickets.Load() < f.last && !f.t.Failed() {
		f.step(f.a.Handle(worker), rng)
	}
}

// step takes an open node, or the root when there is none, and extends it.
func (f *forest) step(h *Handle, rng *rand.Rand) {
	id, owned := f.take()
	h.Pin()
	defer h.Unpin()
	f.look(rng)
	alive := f.consistent(id)
	if alive && f.a.Node(id).Depth < maxForestDepth {
		for range 1 + rng.IntN(3) {
			f.extend(h, rng, id)
		}
	}
	f.look(rng)
	switch {
	case !owned: // the root stays open
	case alive:
		h.Close(id)
	default:
		h.Release(id)
	}
}

// consistent compares a node and its ancestors with their tickets and reports
// whether all are alive.
func (f *forest) consistent(id ID) bool {
	alive := true
	for id != Root {
		n := f.a.Node(id)
		up := f.a.Node(n.Parent)
		antecedent := contents(n.Cost)
		if n.Antecedent != antecedent || n.Depth != up.Depth+1 || up.Cost != f.parents[n.Cost] {
			f.t.Errorf("node %d with ticket %d is not what it was: %+v", id, n.Cost, n)
			return false
		}
		alive = alive && !n.Dead()
		id = n.Parent
	}
	return alive
}

// look resolves a reference, if one is there, and reads what it names twice.
func (f *forest) look(rng *rand.Rand) {
	r := Ref(f.slots[rng.IntN(len(f.slots))].Load())
	if r == 0 {
		return
	}
	n := f.a.Resolve(r)
	if n == nil {
		f.stale.Add(1)
		return
	}
	f.read.Add(1)
	ticket := n.Cost
	f.consistent(ID(r))
	interleave.Here()
	f.consistent(ID(r))
	if n.Cost != ticket {
		f.t.Errorf("node %d was reused under a pinned reader", ID(r))
	}
}

// extend makes a child and publishes it over another's place, which is killed,
// or takes it back when somebody was faster.
func (f *forest) extend(h *Handle, rng *rand.Rand, parent ID) {
	ticket := f.tickets.Add(1)
	if ticket > f.last {
		return
	}
	f.parents[ticket] = f.a.Node(parent).Cost
	antecedent := contents(ticket)
	id, ok := h.New(parent, int(antecedent), 0, ticket, 0)
	if !ok {
		f.t.Error("refused although there is no budget")
		return
	}
	slot := &f.slots[rng.IntN(len(f.slots))]
	old := slot.Load()
	resolved := old != 0 && f.a.Resolve(Ref(old)) != nil
	interleave.Here()
	if !slot.CompareAndSwap(old, uint64(f.a.Ref(id))) {
		h.Discard(id)
		f.lost.Add(1)
		return
	}
	if resolved {
		h.Kill(ID(old))
	}
	f.put(id)
}

// clear ends every life.
func (f *forest) clear() {
	h := f.a.Handle(0)
	h.Pin()
	for id, ok := f.take(); ok; id, ok = f.take() {
		h.Close(id)
	}
	for i := range f.slots {
		if r := Ref(f.slots[i].Load()); r != 0 && f.a.Resolve(r) != nil {
			h.Kill(ID(r))
		}
	}
	h.Release(Root)
	h.Unpin()
}

// TestConcurrentLife runs a forest and accounts for every node afterwards:
// each was retired exactly once.
func TestConcurrentLife(t *testing.T) {
	last := int64(120_000)
	if !cases.All() {
		last = 15_000
	}
	for _, slots := range []int{1, 8, 1024} { // one slot: everybody kills everybody
		workers := 4
		f := newForest(t, workers, slots, last)
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() { f.work(i) })
		}
		wg.Wait()
		if t.Failed() {
			return
		}
		f.checkEnd()
		t.Logf("%d slots: %d discarded, %d references read, %d stale", slots, f.lost.Load(), f.read.Load(), f.stale.Load())
	}
}

// checkEnd ends every life and accounts for it.
func (f *forest) checkEnd() {
	f.t.Helper()
	f.clear()
	checkConserved(f.t, f.a, 0)
	made := min(f.tickets.Load(), f.last) - f.lost.Load()
	if got := f.a.retiredTotal(); got != made+1 {
		f.t.Errorf("%d nodes and the root were made, %d retired", made, got)
	}
}

// TestMemoryStaysFlat keeps killing subtrees for long. One goroutine plays the
// workers in turn, one of them slow: how much waits for a worker that is kept
// from its core while it is pinned would depend on the machine.
func TestMemoryStaysFlat(t *testing.T) {
	last := int64(600_000)
	if !cases.All() {
		last = 40_000
	}
	const slots = 256 // so at most 256 paths of 12 nodes are closed and alive
	f := newForest(t, 4, slots, last)
	slow := f.a.Handle(3)
	rng := rand.New(rand.NewPCG(1, 3))
	for i := 0; f.tickets.Load() < last && !t.Failed(); i++ {
		f.step(f.a.Handle(rng.IntN(3)), rng)
		if i%100 == 0 {
			slow.Unpin()
			slow.Pin()
		}
	}
	slow.Unpin()
	if got := f.a.Bytes() / chunkBytes; got > 5 {
		t.Errorf("%d nodes in turn take %d chunks: a few workers' lists and %d paths fit in 5", last, got, slots)
	}
	f.checkEnd()
}
