package search

import (
	"context"
	"slices"
	"testing"
	"time"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// TestSeparationBoundsEarly stops searches after one prefix: with the separation bound
// the gap is a few per cent then, and most of the objective without.
func TestSeparationBoundsEarly(t *testing.T) {
	for seed := range uint64(3) {
		in := testgen.Noisy(seed)
		var gaps [2]float64
		for k, without := range []problem.Prunings{0, problem.Separation} {
			r := must.Get(solve(context.Background(), in, Separated(Options{Workers: 1, Nodes: 1, Without: without})))(t)
			gaps[k] = r.Gap()
		}
		if gaps[0] > 0.1 || gaps[1] < 0.3 {
			t.Errorf("seed %d: gaps after one prefix: %v with the separation bound, %v without", seed, gaps[0], gaps[1])
		}
	}
}

// TestFirstIsTold looks at a search as soon as it has its first list, before all lists of few rules are looked at.
func TestFirstIsTold(t *testing.T) {
	in := testgen.Noisy(1)
	in.MaxRules = 2
	var finals []bool
	_, err := solve(context.Background(), in, Options{ProgressEvery: time.Nanosecond,
		Progress: func(p Progress) { finals = append(finals, p.Final) }})
	if err != nil || !slices.Equal(finals, []bool{false, true}) {
		t.Errorf("looks, of which the last is final: %v, %v", finals, err)
	}
}

// TestSeparationIsTold looks at a search while the root's LP runs, which is before the
// first prefix: the bounds told then rise, and hold.
func TestSeparationIsTold(t *testing.T) {
	in := testgen.Noisy(1)
	var early []Progress
	r := must.Get(solve(context.Background(), in, Separated(Options{
		Workers: 2, ProgressEvery: time.Nanosecond,
		Progress: func(p Progress) {
			if p.Nodes == 0 && !p.Final {
				early = append(early, p)
			}
		},
	})))(t)
	if len(early) < 2 {
		t.Fatalf("%d looks before the first prefix", len(early))
	}
	last := 0.
	for _, p := range early {
		if p.Bound < last || p.Bound > r.ObjectiveValue()+1e-12 || p.Value < r.ObjectiveValue()-1e-12 || p.Open == 0 {
			t.Errorf("a look %+v after a bound of %v; the optimum is %v", p, last, r.ObjectiveValue())
		}
		last = p.Bound
	}
	if last < r.ObjectiveValue()/2 {
		t.Errorf("the last bound before the first prefix is %v of %v", last, r.ObjectiveValue())
	}
}
