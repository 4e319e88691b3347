package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/trie"
)

// TestNoNodeLeft: without a symmetry map no node is held when a search ends
// that ran out of nodes again and again, so that most were used many times.
// (A root that was released is not counted, as it was before.)
func TestNoNodeLeft(t *testing.T) {
	for seed := range uint64(testgen.Few(24)) {
		rng := rand.New(rand.NewPCG(seed, 72))
		reduced, o := sevenColumns(t, seed)
		o.Workers, o.Policy = 1+rng.IntN(2), Policy(rng.IntN(len(policyNames)))
		x := Straits{Starved: true, Nodes: 20 + rng.IntN(300), Chunks: 1 + rng.IntN(2)}
		left := nodesLeft(&o, x)
		r := must.Get(Solve(context.Background(), reduced, o))(t)
		if n := left(); n > 0 || r.Status != parallel.Optimal || r.Stats.Expanded < 500 {
			t.Errorf("seed %d, %+v: %v after %d prefixes, %d nodes are held", seed, x, r.Status, r.Stats.Expanded, n)
		}
	}
}

// sevenColumns is an instance that a search without prunings takes thousands of
// prefixes for, and without a symmetry map.
func sevenColumns(t *testing.T, seed uint64) (*instance.Instance, Options) {
	t.Helper()
	in := testgen.Knotty(seed)
	in.Columns = in.Columns[:min(7, len(in.Columns))]
	return reduced(t, in), Options{Lambda: in.Lambda, Symmetry: NoSymmetry, Without: problem.AllPrunings()}
}

// TestNoNodeLeftByDives: nodes that become free during a dive go to children
// that had none, and are free again in the end.
func TestNoNodeLeftByDives(t *testing.T) {
	for seed := range uint64(testgen.Few(24)) {
		reduced, o := sevenColumns(t, seed)
		o.Workers = 1
		x := Straits{Starved: true, Nodes: 40, Chunks: 100}
		left := nodesLeft(&o, x)
		var h *trie.Handle
		var kept []trie.ID // out of the search's reach until it is in a dive
		built := o.hooks.built
		o.hooks.built = func(s *search) {
			built(s)
			h = s.arena.Handle(0)
			for range 30 {
				id, ok := h.New(trie.Root, 0, 0, 0, 0)
				if !ok {
					t.Fatal("no node")
				}
				kept = append(kept, id)
			}
		}
		children := 0
		o.hooks.opened = func(_ *worker, f *prune.Frame) {
			for children += len(openColumns(f)); children >= 16 && len(kept) > 0; children -= 16 {
				h.Discard(kept[0])
				kept = kept[1:]
			}
		}
		r := must.Get(Solve(context.Background(), reduced, o))(t)
		if n := left(); n > 0 || r.Status != parallel.Optimal || len(kept) > 0 {
			t.Errorf("seed %d: %v after %d prefixes, %d nodes are held, %d were never free", seed, r.Status, r.Stats.Expanded, n, len(kept))
		}
	}
}
