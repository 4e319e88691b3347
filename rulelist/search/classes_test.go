package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/cases"
	"parcorels/internal/oracle"
	"parcorels/internal/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

// reduceClasses returns the instance of a problem.
func reduceClasses(p *oracle.TreeProblem) (*instance.Instance, error) {
	columns, classes := testgen.ClassColumns(p)
	return instance.NewClasses(columns, classes, p.K, p.Weights, len(classes))
}

// TestOracleClasses holds every configuration against exhaustive search, on tables of several
// classes: the same objective, list and labels.
func TestOracleClasses(t *testing.T) {
	t.Parallel()
	lengths := map[int]int{}
	for seed := range uint64(testgen.Few(cases.Count(12000))) {
		rng := rand.New(rand.NewPCG(seed, 61))
		p := testgen.Classes(rng)
		in, err := reduceClasses(&p)
		if err != nil {
			t.Fatal(err)
		}
		want := p.BestList()
		lengths[len(want.Antecedents)]++
		all := configurations(rng)
		for _, o := range []search.Options{all[0], pick(rng, all), pick(rng, all), search.Separated(pick(rng, all))} {
			o.Lambda, o.MaxRules = ratio.New(p.Num, p.Den), max(p.Depth, 0)
			if err := solvesClasses(t, in, o, want); err != nil {
				t.Fatalf("seed %d, %s: %v\n%+v", seed, describe(o), err, p)
			}
		}
	}
	t.Logf("optima by length: %v", lengths)
	if len(lengths) < 4 {
		t.Error("the optima are all short")
	}
}

func solvesClasses(t *testing.T, in *instance.Instance, o search.Options, want oracle.ClassList) error {
	t.Helper()
	r, err := search.Solve(t.Context(), in, o)
	if err != nil {
		return err
	}
	labels := []int{}
	for _, rule := range r.Rules {
		labels = append(labels, rule.Class)
	}
	labels = append(labels, r.Default)
	list := antecedents(r)
	switch {
	case r.Status != parallel.Optimal || r.LowerBound != r.Objective:
		return fmt.Errorf("status %v, bound %d, objective %d", r.Status, r.LowerBound, r.Objective)
	case r.Objective != want.Objective || !slices.Equal(list, want.Antecedents) || !slices.Equal(labels, want.Labels):
		return fmt.Errorf("%v, labels %v, objective %d; the optimum is %+v", list, labels, r.Objective, want)
	}
	return nil
}
