package search

import (
	"math/rand/v2"
	"testing"
	"time"

	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

// TestTrial has searches that begin anew with the root's bound after some prefixes: the list
// is the same, its proof holds, all prefixes are counted, and no bound falls.
func TestTrial(t *testing.T) {
	t.Parallel()
	anew := 0
	seeds(t, 500, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 71))
		in := pick(rng, []testgen.Generator{testgen.Small, testgen.Ties, testgen.Wide, testgen.Knotty})(seed)
		want := best(t, in)
		for range 3 {
			prefixes := 1 + rng.Int64N(6)
			o := OnTrial(Options{Workers: pick(rng, workers), Without: pick(rng,
				[]problem.Prunings{problem.LookAhead, problem.LookAhead | problem.Similar | problem.Incumbent})}, prefixes)
			looks, bound := 0, 0.0
			o.ProgressEvery = 20 * time.Microsecond
			o.Progress = func(p Progress) {
				if bound > p.Bound {
					t.Errorf("seed %d: a bound of %v after %v", seed, p.Bound, bound)
				}
				bound = p.Bound
				if p.Final {
					looks++
				}
			}
			solves(t, in, want, o)
			bound = 0
			r, err := solve(t.Context(), in, o)
			if err != nil || looks != 2 {
				t.Fatalf("seed %d: %d final looks of two searches, %v", seed, looks, err)
			}
			if r.Stats.Expanded > prefixes {
				anew++
			}
			o.Progress, o.ProgressEvery = nil, 0
			proved(t, in, o)
			o.Nodes = 2
			if r, err := solve(t.Context(), in, o); err != nil || sound(in, r, want) != nil ||
				r.Stats.Expanded > 2 && r.Status != parallel.Optimal {
				t.Fatalf("seed %d: %d prefixes, %v %v: %v", seed, r.Stats.Expanded, r.Status, sound(in, r, want), err)
			}
		}
	})
	if tried := testgen.Few(100); anew < tried/8 {
		t.Errorf("only %d searches began anew", anew)
	}
}
