package first

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

const testRound = 3 << 12

// improved makes some rounds and checks every list that is offered.
func improved(t *testing.T, in testgen.Instance, rounds int) (*problem.Solution, int64) {
	t.Helper()
	p := laidOut(t, in)
	if len(p.Antecedents) == 0 {
		return nil, 0
	}
	f, h := finding(p, 0)
	f.o.Round = testRound
	offer := f.o.Offer
	f.o.Offer = func(s *problem.Solution) bool {
		isValued(t, in, s)
		return offer(s)
	}
	for range rounds {
		f.Round(nil)
	}
	return h.best, f.work.spent
}

// TestRounds: lists have the objectives that they are offered with, and the same rounds find the same list.
func TestRounds(t *testing.T) {
	found, tried := 0, 0
	testgen.Each(20, func(in testgen.Instance) {
		one, spent := improved(t, in, 4)
		other, again := improved(t, in, 4)
		if one == nil {
			return
		}
		if !slices.Equal(one.List, other.List) || spent != again {
			t.Fatalf("%v after %d, %v after %d\n%v", one.List, spent, other.List, again, in)
		}
		tried++
		if len(one.List) > 0 {
			found++
		}
	})
	if found*3 < tried {
		t.Errorf("%d lists were found on %d instances", found, tried)
	}
}

// TestRoundsAreMostlyOptimal: rounds alone, from the empty list, find the optimum of most small instances.
func TestRoundsAreMostlyOptimal(t *testing.T) {
	met, tried := 0, 0
	for seed := range uint64(testgen.Few(100)) {
		in := testgen.Small(seed)
		got, _ := improved(t, in, 6)
		if got == nil {
			continue
		}
		optimum, err := in.Best()
		if err != nil || got.Objective < optimum.Objective {
			t.Fatalf("objective %d; the optimum has %d (%v)", got.Objective, optimum.Objective, err)
		}
		if tried++; got.Objective == optimum.Objective {
			met++
		}
	}
	if met*100 < tried*95 {
		t.Errorf("the optimum was met on %d of %d instances", met, tried)
	}
}

// TestRoundStops: a round ends soon after what runs it ends.
func TestRoundStops(t *testing.T) {
	p := laidOut(t, testgen.Medium(3))
	f, _ := finding(p, 0)
	asked := 0
	f.Round(func() bool { asked++; return asked < 50 })
	if f.work.spent > firstRound/2 {
		t.Errorf("%d units of work after the end", f.work.spent)
	}
}

// TestInsertionOfClasses holds the errors of insertions against lists of more than two classes.
func TestInsertionOfClasses(t *testing.T) {
	for seed := range uint64(testgen.Few(100)) {
		in := testgen.Classes(rand.New(rand.NewPCG(seed, 5)))
		p := chosen(t, testgen.ClassSet(&in), ratio.New(1, 50))
		if len(p.Antecedents) < 3 {
			continue
		}
		x := newPartition(p, &meter{limit: 1 << 60})
		list := []problem.Column{0}
		x.split(list)
		except := make([]bool, len(p.Antecedents))
		except[0] = true
		errors, col, at := x.bestInsertion(except)
		if errors == problem.Unknown {
			continue
		}
		x.split(slices.Insert(slices.Clone(list), at, col))
		if x.errors != errors {
			t.Fatalf("seed %d: column %d at %d errs by %d, not %d", seed, col, at, x.errors, errors)
		}
		for c := 1; c < len(p.Antecedents); c++ {
			for at := range 2 {
				x.split(slices.Insert(slices.Clone(list), at, problem.Column(c)))
				if x.errors < errors {
					t.Fatalf("seed %d: column %d at %d errs by %d, the best insertion by %d", seed, c, at, x.errors, errors)
				}
			}
		}
	}
}
