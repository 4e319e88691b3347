package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/ratio"
)

// TestMinRows compares trees whose leaves hold enough rows with the best of all of them. A search that was stopped has a true bound.
func TestMinRows(t *testing.T) {
	bound := 0
	for seed := range uint64(cases.Count(6000)) {
		rng := rand.New(rand.NewPCG(seed, 8))
		q := random(rng)
		lambda := ratio.New(q.Num, q.Den) // in lowest terms
		q.Num, q.Den, q.MinRows = lambda.Num, lambda.Den, 0
		free := must.Get(q.BestTree())(t)
		q.MinRows = 2 + rng.IntN(1+len(q.Classes)/2)
		want := must.Get(q.BestTree())(t)
		if want.Objective > free.Objective {
			bound++
		}
		plain := q
		plain.Weights = nil
		p, counted := pointsOf(t, &q), pointsOf(t, &plain)
		o := Options{Lambda: lambda, Depth: max(q.Depth, 0), MinRows: q.MinRows, Workers: 1 + rng.IntN(3)}
		o.Rows = make([]int64, p.Count)
		for i := range p.Count {
			for c := range p.Classes {
				o.Rows[i] += counted.Weights[c][i]
			}
		}
		if q.Depth == 0 {
			continue
		}
		r, err := Solve(t.Context(), p, o)
		if err != nil || r.Status.String() != "optimal" || r.Objective != want.Objective || !slices.Equal(r.Tree, want.Preorder) {
			t.Fatalf("seed %d: %v %v, the best is %+v, of\n%+v", seed, r, err, want, q)
		}
		o.Nodes = 1 + rng.Int64N(4)
		if r, err := Solve(t.Context(), p, o); err != nil || r.Objective < want.Objective || r.LowerBound > want.Objective {
			t.Fatalf("seed %d: %d nodes: %v %v, the best is %+v, of\n%+v", seed, o.Nodes, r, err, want, q)
		}
	}
	if bound < cases.Some(600) {
		t.Errorf("%d trees are others than without MinRows", bound)
	}
}
