package search_test

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testgen"
	"parcorels/rulelist/search"
)

// TestOracleSymmetric holds searches of instances with symmetries against the
// oracle, with and without the other prunings, and asks that orbits save some
// of the work.
func TestOracleSymmetric(t *testing.T) {
	t.Parallel()
	with1, without1 := int64(0), int64(0)
	seeds(t, 300, func(seed uint64) {
		in := testgen.Symmetric(seed)
		want := best(t, in)
		rng := rand.New(rand.NewPCG(seed, 12))
		all := configurations(rng)
		for range 4 {
			o := pick(rng, all)
			o.Without |= search.Prunings(rng.Uint64()) & search.AllPrunings() &^ (search.Bound | search.Orbits)
			againstOracle(t, in, want, describe(o), with(o))
		}
		for _, without := range []search.Prunings{0, search.Orbits} {
			r, err := solve(t.Context(), in, search.Options{Workers: 1, Without: without | search.Incumbent | search.LookAhead})
			if err != nil {
				t.Fatal(err)
			}
			if without == 0 {
				with1 += r.Stats.Inserted
			} else {
				without1 += r.Stats.Inserted
			}
		}
	})
	if t.Logf("%d prefixes inserted, %d without orbits", with1, without1); with1 >= without1*9/10 {
		t.Errorf("orbits save too little: %d of %d prefixes are inserted", with1, without1)
	}
}
