package search

import (
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// TestShortBeside looks at short lists at the beginning of a search: the same list is found, and few
// rules are proved.
func TestShortBeside(t *testing.T) {
	t.Parallel()
	looked := 0
	seeds(t, 200, func(seed uint64) {
		in := testgen.Wide(seed)
		want := best(t, in)
		o := ShortBeside(Options{Workers: 1 + int(seed%3), Without: problem.LookAhead | problem.Similar | problem.Separation})
		solves(t, in, want, o)
		r := must.Get(solve(t.Context(), in, o))(t)
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
		o := Options{Workers: 1 + int(seed%4)}
		solves(t, in, want, o)
		r, err := solve(t.Context(), in, o)
		if err != nil || r.Short.Rules < in.MaxRules {
			t.Errorf("seed %d: %+v, %v", seed, r.Short, err)
		}
	})
}

// TestShortProof ends searches that write a proof before they have proved the list. The proof has the lists of few rules, and is
// accepted as one of these.
func TestShortProof(t *testing.T) {
	t.Parallel()
	proved := 0
	seeds(t, 300, func(seed uint64) {
		in := testgen.Wide(seed)
		set := in.Set()
		r, proof, err := prove(set, ShortAlone(Options{
			Lambda: in.Lambda, Workers: 1, Without: problem.LookAhead | problem.Similar | problem.Separation,
		}))
		if err != nil {
			t.Fatal(err)
		}
		if r.Short.Proof == 0 {
			return
		}
		proved++
		v, err := checkProof(proof, set, 0)
		if err != nil || v.Counted != r.Short.Proof || v.Objective != r.Objective || r.Status == parallel.Optimal {
			t.Errorf("seed %d: %v, %+v after %v, %+v", seed, err, v, r.Status, r.Short)
		}
	})
	if proved == 0 {
		t.Error("no search ended with a proof of short lists")
	}
}
