package first

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// searches calls f with a local search over each of some instances.
func searches(t *testing.T, each int, f func(in testgen.Instance, rng *rand.Rand, x *localSearch)) {
	t.Helper()
	testgen.Each(each, func(in testgen.Instance) {
		p := laidOut(t, in)
		if len(p.Antecedents) == 0 {
			return
		}
		rng := rand.New(rand.NewPCG(in.Seed, 1))
		f(in, rng, newLocalSearch(p, &meter{limit: math.MaxInt64}, rng, 20))
	})
}

// randomList draws distinct columns.
func randomList(p *problem.Problem, rng *rand.Rand, most int) []problem.Column {
	var list []problem.Column
	for _, col := range rng.Perm(len(p.Antecedents))[:rng.IntN(min(most, len(p.Antecedents))+1)] {
		list = append(list, problem.Column(col))
	}
	return list
}

// objectiveOf recomputes what a list of columns is worth from the definition.
func objectiveOf(t *testing.T, in testgen.Instance, p *problem.Problem, columns []problem.Column) int64 {
	t.Helper()
	var list []int
	for _, col := range columns {
		list = append(list, int(p.Antecedents[col]))
	}
	l := must.Get(in.Evaluate(list))(t)
	return l.Objective
}

// TestBestInsertion tries every column at every position.
func TestBestInsertion(t *testing.T) {
	searches(t, 15, func(in testgen.Instance, rng *rand.Rand, x *localSearch) {
		for range 5 {
			list := randomList(x.p, rng, 5)
			except := make([]bool, len(x.p.Antecedents))
			for i := range except {
				except[i] = rng.IntN(3) == 0
			}
			want := problem.Unknown
			for col := range x.p.Antecedents {
				for at := 0; at <= len(list) && !except[col]; at++ {
					x.points.split(slices.Insert(slices.Clone(list), at, problem.Column(col)))
					want = min(want, x.points.errors)
				}
			}
			x.points.split(list)
			if x.points.errors == 0 {
				continue // no insertion is of use, and not all are tried
			}
			got, col, at := x.points.bestInsertion(except)
			if got != want {
				t.Fatalf("columns %v, except %v: %d errors, the best insertion has %d\n%v", list, except, got, want, in)
			}
			if got == problem.Unknown {
				continue
			}
			x.points.split(slices.Insert(slices.Clone(list), at, col))
			if except[col] || x.points.errors != got {
				t.Fatalf("columns %v with %d at %d: %d errors and not %d\n%v", list, col, at, x.points.errors, got, in)
			}
		}
	})
}

// neighbours calls f with every list that one move makes.
func neighbours(p *problem.Problem, list []problem.Column, f func([]problem.Column)) {
	insertions := func(list []problem.Column) {
		for col := range p.Antecedents {
			for at := 0; at <= len(list) && !slices.Contains(list, problem.Column(col)); at++ {
				f(slices.Insert(slices.Clone(list), at, problem.Column(col)))
			}
		}
	}
	insertions(list)
	for i := range list {
		less := slices.Delete(slices.Clone(list), i, i+1)
		f(less)
		insertions(less)
		for j := range i {
			swapped := slices.Clone(list)
			swapped[i], swapped[j] = swapped[j], swapped[i]
			f(swapped)
		}
	}
}

// TestDescend: it never goes up, and where it ends no neighbour is better.
func TestDescend(t *testing.T) {
	searches(t, 15, func(in testgen.Instance, rng *rand.Rand, x *localSearch) {
		start := randomList(x.p, rng, 6)
		x.start(start)
		x.descend(x.p.Price)
		got := x.p.RootCost() + x.objective
		if want := objectiveOf(t, in, x.p, x.list); got != want {
			t.Fatalf("columns %v: objective %d and not %d\n%v", x.list, got, want, in)
		}
		if before := objectiveOf(t, in, x.p, start); got > before {
			t.Fatalf("from %v with %d up to %v with %d\n%v", start, before, x.list, got, in)
		}
		list := slices.Clone(x.list)
		neighbours(x.p, list, func(other []problem.Column) {
			objective := x.p.RootCost() + x.evaluate(other)
			if objective < got || objective == got && len(other) < len(list) {
				t.Fatalf("columns %v with %d: the neighbour %v has %d\n%v", list, got, other, objective, in)
			}
		})
	})
}

// TestLocalSearchAllocates nothing once its buffers have grown.
func TestLocalSearchAllocates(t *testing.T) {
	in := testgen.Medium(3)
	p := laidOut(t, in)
	x := newLocalSearch(p, &meter{limit: math.MaxInt64}, rand.New(rand.NewPCG(1, 1)), 10)
	for range 200 {
		x.perturb(nil, x.longest)
	}
	if n := testing.AllocsPerRun(50, func() { x.perturb(nil, x.longest) }); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}
