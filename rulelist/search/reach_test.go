package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
)

// TestReaches holds the question against the optimum: it is yes from there on.
func TestReaches(t *testing.T) {
	t.Parallel()
	seeds(t, 1200, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 31))
		in := pick(rng, []testgen.Generator{testgen.Small, testgen.Ties})(seed)
		reduced := reduced(t, in)
		o := Options{Lambda: in.Lambda, MaxRules: rng.IntN(2) * rng.IntN(4), Workers: 1 + rng.IntN(2)}
		want := must.Get(Solve(t.Context(), reduced, o))(t)
		for _, distance := range []int64{-1 - rng.Int64N(want.Objective+2), -1, 0, 1, rng.Int64N(want.Objective + 2)} {
			got, known, err := Reaches(t.Context(), reduced, o, want.Objective+distance)
			if err != nil || !known || got != (distance >= 0) {
				t.Errorf("seed %d: %d from the optimum %d: %v, known %v, %v", seed, distance, want.Objective, got, known, err)
			}
		}
	})
}
