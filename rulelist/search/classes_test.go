package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
	"parcorels/internal/cases"
	"parcorels/internal/oracle"
	"parcorels/internal/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

// severalClasses draws a problem of three to five classes within reach of the oracle: weights that
// are those of samples or of classes, samples and columns that repeat, classes that balance, λ
// from tiny to more than the data, limits of rules.
func severalClasses(rng *rand.Rand) oracle.TreeProblem {
	n := 1 + rng.IntN(1+rng.IntN(30))
	p := oracle.TreeProblem{K: 3 + rng.IntN(3)*rng.IntN(2), Depth: -1, Num: 1, Den: 2 + rng.Int64N(60)}
	if rng.IntN(4) == 0 {
		p.Depth = 1 + rng.IntN(4)
		if rng.IntN(2) == 0 {
			p.Num, p.Den = 0, 1
		}
	}
	for range 1 + rng.IntN(6) {
		c := make([]bool, n)
		dense := rng.Float64()
		for i := range c {
			c[i] = rng.Float64() < dense
		}
		if from := rng.IntN(len(p.Columns) + 1); from < len(p.Columns) {
			switch rng.IntN(6) {
			case 0:
				copy(c, p.Columns[from])
			case 1:
				for i := range c {
					c[i] = !p.Columns[from][i]
				}
			case 2:
				for i := range c {
					c[i] = c[i] && p.Columns[from][i]
				}
			}
		}
		p.Columns = append(p.Columns, c)
	}
	noise, byClass := rng.IntN(4), make([]int64, p.K)
	for c := range byClass {
		byClass[c] = 1 + rng.Int64N(6)
	}
	weighs := rng.IntN(3)
	for i := range n {
		class := rng.IntN(p.K)
		for j, c := range p.Columns[:min(len(p.Columns), p.K)] { // something to learn
			if c[i] && rng.IntN(4) >= noise {
				class = j
				break
			}
		}
		p.Classes = append(p.Classes, class)
		switch weighs {
		case 1:
			p.Weights = append(p.Weights, byClass[class])
		case 2:
			p.Weights = append(p.Weights, 1+rng.Int64N(int64(1)<<rng.IntN(10)))
		}
	}
	return p
}

// reduceClasses returns the instance of a problem.
func reduceClasses(p *oracle.TreeProblem) (*instance.Instance, error) {
	n := len(p.Classes)
	columns, classes := make([]*bitset.BitSet, len(p.Columns)), make([]uint16, n)
	for j, c := range p.Columns {
		columns[j] = bitset.New(uint(n))
		for i, x := range c {
			columns[j].SetTo(uint(i), x)
		}
	}
	for i, c := range p.Classes {
		classes[i] = uint16(c)
	}
	return instance.NewClasses(columns, classes, p.K, p.Weights, n)
}

// TestOracleClasses holds every configuration against exhaustive search, on tables of several
// classes: the same objective, list and labels.
func TestOracleClasses(t *testing.T) {
	t.Parallel()
	lengths := map[int]int{}
	for seed := range uint64(testgen.Few(cases.Count(12000))) {
		rng := rand.New(rand.NewPCG(seed, 61))
		p := severalClasses(rng)
		in, err := reduceClasses(&p)
		if err != nil {
			t.Fatal(err)
		}
		want := p.BestList()
		lengths[len(want.Antecedents)]++
		all := configurations(rng)
		for _, o := range []search.Options{all[0], pick(rng, all), pick(rng, all)} {
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
