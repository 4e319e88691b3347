package search_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"parcorels/internal/testgen"
	"parcorels/rulelist/search"
)

// TestSeparation compares searches with the separation bound, which small
// instances do not get by themselves, with exhaustive search: with all other
// prunings, with random ones and alone.
func TestSeparation(t *testing.T) {
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}
	seeds(t, 600, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 31))
		in := pick(rng, generators)(seed)
		want := best(t, in)
		all := search.AllPrunings()
		for _, without := range []search.Prunings{
			0, all &^ (search.Separation | search.Incumbent), all &^ (search.Separation | search.Bound),
			search.Prunings(rng.Uint64()) & all &^ search.Separation,
		} {
			if in.Family == "knotty" {
				without &^= search.Bound | search.Similar
			}
			o := search.Separated(search.Options{Workers: pick(rng, workers), Without: without})
			againstOracle(t, in, want, describe(o), with(o))
		}
	})
}

// TestSeparationPays asks that the bound closes noisy tables with a small part of
// the prefixes, and finds the same lists.
func TestSeparationPays(t *testing.T) {
	var expanded [2]int64
	for seed := range uint64(5) {
		in := testgen.Noisy(seed)
		var lists [2]search.Result
		for k, without := range []search.Prunings{0, search.Separation} {
			o := search.Separated(search.Options{Workers: 1, Without: without})
			r, err := solve(context.Background(), in, o)
			if err != nil {
				t.Fatal(err)
			}
			lists[k] = r
			expanded[k] += r.Stats.Expanded
		}
		if a, b := lists[0], lists[1]; !reflect.DeepEqual(a.Rules, b.Rules) || a.Objective != b.Objective || a.Status != b.Status {
			t.Fatalf("%v and %v without\n%v", a, b, in)
		}
	}
	t.Logf("%d prefixes expanded with the separation bound, %d without", expanded[0], expanded[1])
	if expanded[0]*5 > expanded[1] {
		t.Errorf("%d prefixes expanded with the separation bound, %d without", expanded[0], expanded[1])
	}
}
