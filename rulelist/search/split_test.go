package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// flags is a table of some flags, their negations and a noisy label that depends on four of them.
func flags(t *testing.T, samples, n int) *instance.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 5))
	p := oracle.Problem{Columns: make([][]bool, 2*n)}
	for range samples {
		held := 0
		for c := range n {
			holds := rng.IntN(3) == 0
			if holds && c < 4 {
				held += 2
			}
			p.Columns[c], p.Columns[n+c] = append(p.Columns[c], holds), append(p.Columns[n+c], !holds)
		}
		p.Labels = append(p.Labels, rng.IntN(n) < 2*held)
	}
	return testgen.Reduced(t, testgen.Instance{Problem: p}.Set())
}

// TestSplitAlone: the split bound without an LP, as on trial, leaves the list that is found as it is, for any number of
// workers, and leaves fewer prefixes to expand.
func TestSplitAlone(t *testing.T) {
	t.Parallel()
	in := flags(t, 4000, 18)
	solve := func(workers int, h *hooks) Result {
		o := Options{Lambda: ratio.New(1, 800), Workers: workers, Without: problem.Separation, hooks: h}
		r, err := Solve(context.Background(), in, o)
		if err != nil || r.Status != parallel.Optimal {
			t.Fatal(r.Status, err)
		}
		return r
	}
	split := &hooks{built: func(s *search) {
		if s.beginSplit(s.layOut(0).NewRoot(1<<40, 1)); s.shares == nil {
			t.Error("the pairs have too many rules")
		}
	}}
	want := solve(1, nil)
	for _, workers := range []int{1, 3} {
		got := solve(workers, split)
		if got.Objective != want.Objective || !slices.Equal(got.Rules, want.Rules) {
			t.Errorf("%d workers: %v, without the bound %v", workers, got.Rules, want.Rules)
		}
		if 20*got.Stats.Expanded > 19*want.Stats.Expanded {
			t.Errorf("%d workers: %d prefixes, without the bound %d", workers, got.Stats.Expanded, want.Stats.Expanded)
		}
	}
}
