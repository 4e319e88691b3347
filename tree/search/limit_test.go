package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/cases"
	"parcorels/ratio"
)

// TestMaxLeaves compares limited searches with all trees of at most so many leaves.
func TestMaxLeaves(t *testing.T) {
	leaves := map[int]int{}
	for seed := range uint64(cases.Count(5000)) {
		rng := rand.New(rand.NewPCG(seed, 27))
		p := random(rng)
		if p.Depth == 0 {
			p.Depth = 1
		}
		if rng.IntN(2) == 0 {
			p.Num, p.Den = 0, 1
		}
		p.MaxLeaves = 1 + rng.IntN(8)
		o := Options{Lambda: ratio.New(p.Num, p.Den), Depth: max(p.Depth, 0), MaxLeaves: p.MaxLeaves, Workers: []int{1, 1, 1, 2, 7}[rng.IntN(5)]}
		if rng.IntN(3) == 0 {
			o.Memory = 1 + rng.Int64N(1<<rng.IntN(22))
		}
		name := fmt.Sprintf("seed %d, %+v", seed, o)
		in := pointsOf(t, &p)
		got, err := Solve(context.Background(), in, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := p.BestTree()
		if err != nil {
			t.Fatal(err)
		}
		d := p.Den / o.Lambda.Den // λ in lowest terms
		if got.Status.String() != "optimal" || !slices.Equal(got.Tree, want.Preorder) ||
			got.Objective*d != want.Objective || got.LowerBound != got.Objective || got.Leaves != int(want.Leaves) {
			t.Fatalf("%s:\n%+v\nsolved   %+v\noracle   %+v", name, p, got, want)
		}
		leaves[got.Leaves]++
	}
	if len(leaves) < 6 {
		t.Errorf("leaves of the best trees: %v, want 1 to 6 at least", leaves)
	}
}
