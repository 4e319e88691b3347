package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// TestSeparation compares searches with the separation bound, which small
// instances do not get by themselves, with exhaustive search: with all other
// prunings, with random ones and alone. Some have so little memory that the LPs, the search
// or both go without some of it, or end.
func TestSeparation(t *testing.T) {
	t.Parallel()
	var ended [2]int
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}
	seeds(t, 600, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 31))
		in := pick(rng, generators)(seed)
		want := best(t, in)
		all := problem.AllPrunings()
		for _, without := range []problem.Prunings{
			0, all &^ (problem.Separation | problem.Incumbent), all &^ (problem.Separation | problem.Bound),
			problem.Prunings(rng.Uint64()) & all &^ problem.Separation,
		} {
			if in.Family == "knotty" {
				without &^= problem.Bound | problem.Similar
			}
			o := search.Separated(search.Options{Workers: pick(rng, workers), Without: without})
			againstOracle(t, in, want, describe(o), with(o))
			o.Memory = littleMemory(rng)
			againstOracle(t, in, want, describe(o), func(ctx context.Context, in testgen.Instance, want oracle.List) error {
				r, err := solve(ctx, in, o)
				switch {
				case err != nil:
					return err
				case r.Stats.PeakBytes > o.Memory:
					return fmt.Errorf("%d bytes of %d", r.Stats.PeakBytes, o.Memory)
				case r.Status == parallel.Optimal:
					ended[0]++
				case r.Status == parallel.MemoryLimit:
					ended[1]++
				default:
					return fmt.Errorf("the status is %v", r.Status)
				}
				return sound(in, r, want)
			})
		}
	})
	t.Logf("with little memory %d searches found the optimum, %d did not begin", ended[0], ended[1])
	if ended[0] == 0 || ended[1] == 0 {
		t.Errorf("with little memory %d searches found the optimum, %d did not begin", ended[0], ended[1])
	}
}

// littleMemory draws a budget about as large as what a search of one worker takes.
func littleMemory(rng *rand.Rand) int64 { return 300<<10 + rng.Int64N(600<<10) }

// TestSeparationPays asks that the bound closes noisy tables with a small part of
// the prefixes, and finds the same lists.
func TestSeparationPays(t *testing.T) {
	testgen.NotRaced(t)
	var expanded [2]int64
	for seed := range uint64(5) {
		in := testgen.Noisy(seed)
		var lists [2]search.Result
		for k, without := range []problem.Prunings{0, problem.Separation} {
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
