package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/ratio"
)

// TestReaches holds the question against the optimum: it is yes from there on.
func TestReaches(t *testing.T) {
	for seed := range uint64(cases.Count(1000)) {
		rng := rand.New(rand.NewPCG(seed, 31))
		p := random(rng)
		in := pointsOf(t, &p)
		o := Options{Lambda: ratio.New(p.Num, p.Den), Depth: max(p.Depth, 0), Workers: 1 + rng.IntN(2)}
		best := must.Get(Solve(t.Context(), in, o))(t)
		for _, distance := range []int64{-1 - rng.Int64N(best.Objective+2), -1, 0, 1, rng.Int64N(best.Objective + 2)} {
			got, known, err := Reaches(t.Context(), in, o, best.Objective+distance)
			if err != nil || !known || got != (distance >= 0) {
				t.Errorf("seed %d: %d from the optimum %d: %v, known %v, %v", seed, distance, best.Objective, got, known, err)
			}
		}
	}
}
