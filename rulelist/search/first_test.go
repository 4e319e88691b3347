package search

import (
	"testing"
	"time"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// started returns a search over the instance, as it is before the first
// incumbent is looked for.
func started(t *testing.T, in testgen.Instance, o Options) *search {
	t.Helper()
	o.Lambda = in.Lambda
	p := laidOut(t, reduced(t, in), o.withDefaults())
	return newSearch(p, o.withDefaults())
}

// indices returns a list of antecedents as the oracle has it.
func indices(list []problem.Antecedent) []int {
	out := make([]int, len(list))
	for i, a := range list {
		out[i] = int(a)
	}
	return out
}

// valued checks that the incumbent is a list of the instance and has the
// objective that the definition gives it.
func valued(t *testing.T, in testgen.Instance, s *search) oracle.List {
	t.Helper()
	best := s.incumbent.Load()
	list, err := in.Evaluate(indices(best.List))
	if err != nil {
		t.Fatalf("%v\n%v", err, in)
	}
	if list.Objective != best.Objective {
		t.Fatalf("list %v with objective %d has %d\n%v", best.List, best.Objective, list.Objective, in)
	}
	return list
}

func TestFirstIncumbent(t *testing.T) {
	testFirst(t, Options{}, 0)
}

// TestFirstRoundOfLongSteps: where the eighth of the time limit is over before the narrowest
// beam ends, that still has half of the limit.
func TestFirstRoundOfLongSteps(t *testing.T) {
	testFirst(t, Options{Time: time.Hour}, time.Hour/4)
}

// testFirst checks that no list of one rule is better than the incumbent, of a search that
// began so long ago.
func testFirst(t *testing.T, o Options, ago time.Duration) {
	testgen.Each(150, func(in testgen.Instance) {
		s := started(t, in, o)
		s.start = time.Now().Add(-ago)
		s.first(t.Context())
		got := valued(t, in, s)
		for a := -1; a < len(in.Columns); a++ {
			var list []int // the empty list, then those of one rule
			if a >= 0 {
				list = []int{a}
			}
			other := must.Get(in.Evaluate(list))(t)
			if other.Objective < got.Objective {
				t.Fatalf("list %v has %d, worse than %v with %d\n%v", got.Antecedents, got.Objective, list, other.Objective, in)
			}
		}
	})
}

// TestFirstIsMostlyOptimal: on instances that the oracle can solve the first
// incumbent is never better than the optimum and, as a rule, as good.
func TestFirstIsMostlyOptimal(t *testing.T) {
	met, tried := 0, 0
	testgen.Each(100, func(in testgen.Instance) {
		if in.Family == "medium" {
			return
		}
		s := started(t, in, Options{})
		s.first(t.Context())
		optimum := must.Get(in.Best())(t)
		got := s.incumbent.Load().Objective
		if got < optimum.Objective {
			t.Fatalf("objective %d; the optimum %v has %d\n%v", got, optimum.Antecedents, optimum.Objective, in)
		}
		if tried++; got == optimum.Objective {
			met++
		}
	})
	if met*100 < tried*97 {
		t.Errorf("the optimum was met on %d of %d instances", met, tried)
	}
}
