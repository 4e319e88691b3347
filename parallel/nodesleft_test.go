package parallel

import (
	"context"
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testgen"
)

// TestNoNodeLeft: without a symmetry map no node is held when a search ends
// that ran out of nodes again and again, so that most were used many times.
// (A root that was released is not counted, as it was before.)
func TestNoNodeLeft(t *testing.T) {
	for seed := range uint64(24) {
		in := testgen.Knotty(seed)
		rng := rand.New(rand.NewPCG(seed, 72))
		columns, labels := in.Bitsets()
		columns = columns[:min(7, len(columns))]
		reduced, err := instance.New(columns, labels, in.Weights, len(in.Labels))
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Lambda: in.Lambda, Workers: 1 + rng.IntN(2), Policy: Policy(rng.IntN(len(policyNames))), Symmetry: NoSymmetry, Without: AllPrunings()}
		x := Straits{Starved: true, Nodes: 20 + rng.IntN(300), Chunks: 1 + rng.IntN(2)}
		left := nodesLeft(&o, x)
		r, err := Solve(context.Background(), reduced, o)
		if err != nil {
			t.Fatal(err)
		}
		if n := left(); n > 0 || r.Status != Optimal || r.Stats.Expanded < 500 {
			t.Errorf("seed %d, %+v: %v after %d prefixes, %d nodes are held", seed, x, r.Status, r.Stats.Expanded, n)
		}
	}
}
