package search_test

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/search"
)

// TestImprovedSearches: rounds of improvement while the search runs change nothing of the list and its proof.
func TestImprovedSearches(t *testing.T) {
	t.Parallel()
	seeds(t, 300, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 91))
		in := pick(rng, []testgen.Generator{testgen.Small, testgen.Knotty, testgen.Wide, testgen.Ties})(seed)
		want := best(t, in)
		for range 2 {
			o := search.Improved(search.Options{Workers: pick(rng, workers)})
			againstOracle(t, in, want, describe(o), with(o))
		}
	})
}
