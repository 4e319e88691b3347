package search

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/cases"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// TestSymmetryMapReclaimedHolder: nothing is known of a holder that was reclaimed, so
// any prefix takes its place, and displaces nobody.
func TestSymmetryMapReclaimedHolder(t *testing.T) {
	arena := trie.NewArena(1, func(int64) bool { return true })
	s := &search{shared: shared{arena: arena}, p: &problem.Problem{Antecedents: []problem.Antecedent{0, 1}}}
	m := parallel.NewKeyMap[trie.Ref](new(parallel.Budget))
	key := bitvec.Key{Hi: 3, Lo: 4}
	h := arena.Handle(0)
	h.Pin()
	small, _ := h.New(trie.Root, 0, 1, 0)
	if outcome, _ := m.Offer(key, arena.Ref(small), &claim{p: s.p, arena: s.arena, cost: 1, depth: 1,
		prefix: []problem.Column{0}}); outcome != parallel.Entered {
		t.Fatalf("outcome %d on an empty map", outcome)
	}
	large, _ := h.New(trie.Root, 1, 2, 0)
	c := &claim{p: s.p, arena: s.arena, cost: 2, depth: 1, prefix: []problem.Column{1}}
	if outcome, displaced := m.Offer(key, arena.Ref(large), c); outcome != parallel.Refused || displaced != 0 {
		t.Fatalf("against a smaller holder: outcome %d, displaced %#x", outcome, displaced)
	}
	h.Release(small)
	if outcome, displaced := m.Offer(key, arena.Ref(large), c); outcome != parallel.Entered || displaced != 0 {
		t.Errorf("against a reclaimed holder: outcome %d, displaced %#x", outcome, displaced)
	}
	if outcome, _ := m.Offer(key, arena.Ref(large), c); outcome != parallel.Refused {
		t.Errorf("against itself: outcome %d", outcome)
	}
}

// TestSymmetryMapAndNodes plays the search's use of map and nodes: look up, make a
// node, offer it, take it back or kill whom it displaced, and sooner or later
// close it or let it go. In the end every node has been retired once: all
// references are stale, and the free lists hold no node twice.
func TestSymmetryMapAndNodes(t *testing.T) {
	rounds, offers := 4, 20_000
	if !cases.All() {
		rounds, offers = 2, 4_000
	}
	for round := range rounds {
		const workers = 4
		arena := trie.NewArena(workers, func(int64) bool { return true })
		s := &search{shared: shared{arena: arena}, p: &problem.Problem{Antecedents: make([]problem.Antecedent, 1<<16)}}
		for i := range s.p.Antecedents {
			s.p.Antecedents[i] = problem.Antecedent(i) ^ 0x5555
		}
		s.symmetry = parallel.NewKeyMap[trie.Ref](new(parallel.Budget))
		keys := randomKeys([]int{3, 300}[round%2])
		refs := make([][]trie.Ref, workers)
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() { refs[i] = s.offerAndEnd(i, offers/workers, keys) })
		}
		wg.Wait()
		h := arena.Handle(0)
		h.Pin()
		for _, k := range keys {
			if r := s.symmetry.Find(k); r != 0 && arena.Resolve(r) != nil {
				h.Kill(trie.ID(r))
			}
		}
		made := 0
		for _, r := range slices.Concat(refs...) {
			made++
			if n := arena.Resolve(r); n != nil {
				t.Fatalf("round %d: node %#x was never retired: %+v", round, r, n)
			}
		}
		h.Unpin()
		checkNoNodeTwice(t, arena, workers, made)
	}
}

// offerAndEnd is one worker's part. It returns the references of its nodes
// that entered the map.
func (s *search) offerAndEnd(worker, offers int, keys []bitvec.Key) (refs []trie.Ref) {
	rng := rand.New(rand.NewPCG(uint64(worker), 12))
	h := s.arena.Handle(worker)
	c := &claim{p: s.p, arena: s.arena}
	var open []trie.ID
	for i := range offers {
		h.Pin()
		key := keys[rng.IntN(len(keys))]
		c.cost, c.depth = rng.Int64N(20), 1
		c.prefix = append(c.prefix[:0], problem.Column(rng.Uint32()))
		if r := s.symmetry.Find(key); r == 0 || c.Against(r) != parallel.Loses {
			id, _ := h.New(trie.Root, int(c.prefix[0]), c.cost, 0)
			ref := s.arena.Ref(id)
			switch outcome, displaced := s.symmetry.Offer(key, ref, c); {
			case outcome == parallel.Refused:
				h.Discard(id)
			case displaced != 0:
				h.Kill(trie.ID(displaced))
				fallthrough
			default:
				refs = append(refs, ref)
				open = append(open, id)
			}
		}
		if n := len(open); n > 0 && (n > 100 || rng.IntN(2) == 0 || i == offers-1) {
			s.end(h, rng, open[n-1])
			open = open[:n-1]
		}
		h.Unpin()
	}
	for _, id := range open {
		h.Pin()
		s.end(h, rng, id)
		h.Unpin()
	}
	return refs
}

// end closes a node as the search does after an expansion, or lets it go as
// after a bound.
func (s *search) end(h *trie.Handle, rng *rand.Rand, id trie.ID) {
	if rng.IntN(3) > 0 {
		h.Close(id)
	} else {
		h.Release(id)
	}
}

// checkNoNodeTwice takes more nodes than were ever made: none comes twice.
func checkNoNodeTwice(t *testing.T, arena *trie.Arena, workers, made int) {
	t.Helper()
	seen := map[trie.ID]bool{trie.Root: true}
	for i := range workers {
		h := arena.Handle(i)
		for range 64 {
			h.Pin()
			for range 8 + made/workers/32 {
				id, _ := h.New(trie.Root, 0, 0, 0)
				if seen[id] {
					t.Fatalf("node %d is given out twice", id)
				}
				seen[id] = true
			}
			h.Unpin()
		}
	}
}

func randomKeys(n int) (keys []bitvec.Key) {
	rng := rand.New(rand.NewPCG(1, 21))
	for range n {
		keys = append(keys, bitvec.Key{Hi: rng.Uint64(), Lo: rng.Uint64()})
	}
	return keys
}
