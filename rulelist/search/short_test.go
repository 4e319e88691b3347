package search_test

import (
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// TestShortBeside looks at short lists while the workers of a search stand still: the same list is found, and few
// rules are proved.
func TestShortBeside(t *testing.T) {
	t.Parallel()
	looked := 0
	seeds(t, 200, func(seed uint64) {
		in := testgen.Wide(seed)
		want := best(t, in)
		o := search.ShortBeside(search.Options{Workers: 1 + int(seed%3), Without: problem.LookAhead | problem.Similar | problem.Separation})
		againstOracle(t, in, want, describe(o), with(o))
		r, err := solve(t.Context(), in, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Short.Rules > 0 {
			looked++
			if r.Short.Rules < min(3, len(in.Columns)) || r.Short.Time <= 0 {
				t.Errorf("seed %d: %+v", seed, r.Short)
			}
		}
	})
	if looked == 0 {
		t.Error("no search took long enough for a look at short lists")
	}
}

// TestFewRules asks for at most three rules, which takes no search, on instances with many ties.
func TestFewRules(t *testing.T) {
	t.Parallel()
	seeds(t, 600, func(seed uint64) {
		in := []testgen.Generator{testgen.Ties, testgen.Small}[seed%2](seed)
		if in.MaxRules = 1 + int(seed%3); seed%5 == 0 {
			in.Lambda = ratio.New(0, 1)
		}
		want := best(t, in)
		o := search.Options{Workers: 1 + int(seed%4)}
		againstOracle(t, in, want, describe(o), with(o))
		r, err := solve(t.Context(), in, o)
		if err != nil || r.Short.Rules < in.MaxRules {
			t.Errorf("seed %d: %+v, %v", seed, r.Short, err)
		}
	})
}
