package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parcorels/internal/cases"
	"parcorels/parallel"
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
		o := Options{Lambda: ratio.New(p.Num, p.Den), Depth: max(p.Depth, 0), MaxLeaves: p.MaxLeaves, Fewer: rng.IntN(2) == 0, Workers: []int{1, 1, 1, 2, 7}[rng.IntN(5)]}
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
		for i, f := range got.Fewer {
			p.MaxLeaves = o.MaxLeaves - len(got.Fewer) + i
			want, err := p.BestTree()
			if err != nil {
				t.Fatal(err)
			}
			if f.Status != parallel.Optimal || !slices.Equal(f.Tree, want.Preorder) || f.Objective*d != want.Objective || f.Leaves != int(want.Leaves) {
				t.Fatalf("%s: at most %d leaves:\n%+v\nsolved   %+v\noracle   %+v", name, p.MaxLeaves, p, f, want)
			}
		}
	}
	if len(leaves) < 6 {
		t.Errorf("leaves of the best trees: %v, want 1 to 6 at least", leaves)
	}
}

// TestFewer: a search that finds the trees of smaller limits, too, finds those of searches of their own.
func TestFewer(t *testing.T) {
	p := boards(t)
	lambdas := []ratio.Ratio{ratio.New(1, 400), ratio.New(0, 1)}
	for _, lambda := range lambdas[:cases.Some(len(lambdas))] {
		o := Options{Lambda: lambda, MaxLeaves: 13, Fewer: true}
		all, err := Solve(t.Context(), p, o)
		if err != nil || all.Status != parallel.Optimal || len(all.Fewer) != 3 {
			t.Fatal(all, err)
		}
		for i, f := range append(all.Fewer, all) {
			o := Options{Lambda: lambda, MaxLeaves: 10 + i}
			one, err := Solve(t.Context(), p, o)
			if err != nil || f.Status != one.Status || !slices.Equal(f.Tree, one.Tree) || f.Objective != one.Objective || f.LowerBound != one.LowerBound || f.Leaves != one.Leaves || f.Errors != one.Errors {
				t.Errorf("λ = %v, at most %d leaves: %+v, want %+v, %v", lambda, o.MaxLeaves, f, one, err)
			}
		}
	}
}

// TestMaxLeavesStopped: at any number of counts there is a tree within the limit whose value is what the
// result says, and a bound that the optimum respects; and looks at the search only get better.
func TestMaxLeavesStopped(t *testing.T) {
	p := boards(t)
	o := Options{Lambda: ratio.New(0, 1), MaxLeaves: 7, Workers: 1}
	best, err := Solve(t.Context(), p, o)
	if err != nil || best.Status != parallel.Optimal || best.Leaves != 7 {
		t.Fatal(best, err)
	}
	stopped := 0
	for _, nodes := range []int64{1, 3, 10, 30, 100, 300, 1000, best.Stats.Counted / 2, best.Stats.Counted - 10} {
		for o.Workers = 1; o.Workers <= 3; o.Workers += 2 {
			var last Progress
			o.Nodes, o.ProgressEvery = nodes, time.Millisecond
			o.Progress = func(look Progress) {
				if last.Value > 0 && (look.Value > last.Value || look.Bound < last.Bound || look.Nodes < last.Nodes) {
					t.Errorf("from %+v to %+v", last, look)
				}
				last = look
			}
			r, err := Solve(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != parallel.Optimal {
				stopped++
			}
			if r.Leaves > 7 || r.LowerBound > best.Objective || r.Objective < best.Objective || r.Objective != objectiveOf(p, r.Tree, o.Lambda) {
				t.Errorf("%d nodes: objective %d of %d leaves, bound %d; optimum %d", nodes, r.Objective, r.Leaves, r.LowerBound, best.Objective)
			}
			if !last.Final || last.Length != r.Leaves {
				t.Errorf("%+v is not the end of %+v", last, r)
			}
		}
	}
	if stopped < 8 {
		t.Errorf("%d searches were stopped", stopped)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := Solve(ctx, p, Options{MaxLeaves: 5, Lambda: ratio.New(0, 1)}); err != nil || r.Status == parallel.Optimal || len(r.Tree) == 0 {
		t.Errorf("%v, %v", r, err)
	}
}
