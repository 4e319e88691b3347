package trie

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
)

// model is the life cycle in plain words: what each node is, who refers to it,
// and who may still be reading it. One goroutine plays all workers, so every
// step of the arena can be compared with it.
type model struct {
	t       *testing.T
	a       *Arena
	rng     *rand.Rand
	pinned  []bool
	nodes   map[ID]*modelNode // not retired
	readers map[ID][]bool     // retired, not reused: the workers that were pinned then and are still

	made, retired int
}

type modelNode struct {
	parent     ID
	children   int
	state      uint32
	self       bool // holds the reference to itself
	generation uint32
	cost       int64
}

func newModel(t *testing.T, workers int, seed uint64) *model {
	m := &model{
		t: t, a: NewArena(workers, func(int64) bool { return true }),
		rng: rand.New(rand.NewPCG(seed, 1)), pinned: make([]bool, workers),
		nodes: map[ID]*modelNode{Root: {self: true}}, readers: map[ID][]bool{},
	}
	m.nodes[Root].generation = m.a.Node(Root).generation.Load()
	return m
}

// any returns a node in the given state, false if a few draws find none.
func (m *model) any(state uint32) (ID, bool) {
	tries := 16
	for id, n := range m.nodes { // the order of a map is random
		if n.state == state && n.self && id != Root {
			return id, true
		}
		if tries--; tries == 0 {
			break
		}
	}
	return 0, false
}

func (m *model) step() {
	w := m.rng.IntN(len(m.pinned))
	h := m.a.Handle(w)
	if !m.pinned[w] {
		h.Pin()
		m.pinned[w] = true
		return
	}
	switch m.rng.IntN(10) {
	case 0, 1:
		m.create(h)
	case 2:
		id, ok := m.any([]uint32{open, expanded}[m.rng.IntN(2)])
		if ok {
			m.nodes[id].state = closed
			h.Close(id)
		}
	case 3, 4:
		if id, ok := m.any(closed); ok {
			m.nodes[id].state = dead
			m.drop(id)
			h.Kill(id)
		}
	case 5:
		m.end(h)
	case 6:
		m.unpin(w)
	case 7:
		if id, ok := m.any(open); ok { // killed while open: its owner releases it later
			m.nodes[id].state = dead
			h.Kill(id)
		}
	case 8:
		if id, ok := m.any(open); ok {
			m.nodes[id].state = expanded
			h.Expanded(id)
		}
	case 9:
		if id, ok := m.any(closed); ok && m.rng.IntN(4) == 0 {
			m.nodes[id].state = open
			if !h.Reopen(id) {
				m.t.Fatalf("closed node %d cannot be opened", id)
			}
		}
	}
}

// create makes a node below an open one, and sometimes takes it back.
func (m *model) create(h *Handle) {
	parent, ok := m.any(open)
	if !ok {
		parent = Root
	}
	cost := m.rng.Int64()
	id, ok := h.New(parent, 0, 0, cost, 0)
	if !ok {
		m.t.Fatal("refused although there is no budget")
	}
	if m.nodes[id] != nil {
		m.t.Fatalf("node %d is given out while in use", id)
	}
	for w, reads := range m.readers[id] {
		if reads {
			m.t.Fatalf("node %d is given out while worker %d, pinned since before it was retired, may read it", id, w)
		}
	}
	delete(m.readers, id)
	if m.rng.IntN(8) == 0 {
		h.Discard(id)
		m.readers[id] = nil
		return
	}
	m.made++
	m.nodes[parent].children++
	m.nodes[id] = &modelNode{parent: parent, self: true, cost: cost, generation: m.a.Node(id).generation.Load()}
}

// end is the owner's end of an open node: Close finds it killed, or Release.
func (m *model) end(h *Handle) {
	id, ok := m.any(dead)
	if ok && m.rng.IntN(2) == 0 {
		m.drop(id)
		h.Close(id)
		return
	}
	if !ok {
		if id, ok = m.any(open); !ok {
			return
		}
	}
	m.drop(id)
	h.Release(id)
}

// drop takes a node's reference to itself away and retires what nothing refers to.
func (m *model) drop(id ID) {
	m.nodes[id].self = false
	if m.nodes[id].state == open {
		m.nodes[id].state = expanded
	}
	for {
		n := m.nodes[id]
		if n.self || n.children > 0 {
			return
		}
		m.retired++
		m.readers[id] = append([]bool(nil), m.pinned...)
		delete(m.nodes, id)
		id = n.parent
		m.nodes[id].children--
	}
}

func (m *model) unpin(w int) {
	m.a.Handle(w).Unpin()
	m.pinned[w] = false
	for _, reads := range m.readers {
		if reads != nil {
			reads[w] = false
		}
	}
}

// check compares every node in use, references, generations and contents.
func (m *model) check() {
	m.t.Helper()
	used := checkConserved(m.t, m.a, len(m.nodes))
	listed := 0
	for id, n := range m.nodes {
		if !used[id] {
			m.t.Fatalf("node %d is free while in use", id)
		}
		want := uint32(n.children)
		if n.self {
			want++
		}
		got := m.a.Node(id)
		if got.references() != want || got.state() != n.state || got.generation.Load() != n.generation {
			m.t.Fatalf("node %d: %d references, state %d, generation %d; want %d, %d, %d", id,
				got.references(), got.state(), got.generation.Load(), want, n.state, n.generation)
		}
		if id != Root && (got.Cost != n.cost || got.Parent != n.parent || got.Depth != m.a.Node(n.parent).Depth+1) {
			m.t.Fatalf("node %d has changed: %+v", id, n)
		}
	}
	m.a.From(0, func(id ID, n *Node) bool {
		if m.nodes[id] == nil || n != m.a.Node(id) {
			m.t.Fatalf("node %d is listed as in use", id)
		}
		listed++
		return true
	})
	if listed != len(m.nodes) {
		m.t.Fatalf("%d nodes are listed as in use, want %d", listed, len(m.nodes))
	}
	if got := m.a.retiredTotal(); got != int64(m.retired) {
		m.t.Fatalf("%d nodes were retired, want %d", got, m.retired)
	}
}

// TestLifeCycle plays random histories of workers against the model: a node is
// retired when nothing refers to it, once, and not given out again while
// anyone who was pinned then still is.
func TestLifeCycle(t *testing.T) {
	seeds, steps := uint64(40), 4000
	if !cases.All() {
		seeds = 8
	}
	for seed := range seeds {
		m := newModel(t, 1+int(seed%4), seed)
		for i := range steps {
			m.step()
			if i%500 == 499 {
				m.check()
			}
		}
		m.check()
		if m.retired == 0 || m.made-m.retired != len(m.nodes)-1 {
			t.Fatalf("seed %d: made %d, retired %d, in use %d", seed, m.made, m.retired, len(m.nodes))
		}
	}
}
