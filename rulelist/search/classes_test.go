package search_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/cases"
	"parcorels/internal/oracle"
	"parcorels/internal/prooftamper"
	"parcorels/internal/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"

	"github.com/bits-and-blooms/bitset"
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
	for seed := range uint64(testgen.Few(cases.Count(5000))) {
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

// TestClassBoundProofs checks proofs with bounds of tables of several classes, and changed ones.
func TestClassBoundProofs(t *testing.T) {
	t.Parallel()
	bounds, refused, accepted := int64(0), 0, 0
	for seed := range uint64(testgen.Few(cases.Count(3000))) {
		rng := rand.New(rand.NewPCG(seed, 63))
		p := testgen.Classes(rng)
		columns, classOf := testgen.ClassColumns(&p)
		set := &rules.Set{Data: &dataset.Dataset{N: len(classOf), ClassOf: classOf, ClassNames: make([]string, p.K), Weights: p.Weights}}
		for _, c := range columns {
			set.Antecedents = append(set.Antecedents, rules.Antecedent{Parts: []*bitset.BitSet{c}})
		}
		in, err := instance.FromSet(set)
		if err != nil {
			t.Fatal(err)
		}
		want := p.BestList()
		var file bytes.Buffer
		o := search.Separated(search.Options{Workers: pick(rng, workers), Without: search.Incumbent | search.Prunings(rng.Uint64())&search.AllPrunings()&^search.Separation})
		o.Lambda, o.MaxRules, o.Proof = ratio.New(p.Num, p.Den), max(p.Depth, 0), &search.Proof{To: &file, Digest: set.Digest()}
		if err := solvesClasses(t, in, o, want); err != nil {
			t.Fatalf("seed %d, %s: %v\n%+v", seed, describe(o), err, p)
		}
		check := func(proof []byte) (verifylist.Result, error) {
			return verifylist.Check(t.Context(), bytes.NewReader(proof), set, verifylist.Options{Workers: 1 + int(seed%2)})
		}
		v, err := check(file.Bytes())
		if err != nil || v.Objective != want.Objective {
			t.Fatalf("seed %d, %s: verified %d of %d: %v\n%+v", seed, describe(o), v.Objective, want.Objective, err, p)
		}
		bounds += v.Bounds
		for range 4 {
			v, err := check(prooftamper.Mutate(rng, file.Bytes()))
			if err != nil {
				refused++
				continue
			}
			if accepted++; v.Lambda == o.Lambda && v.MaxRules == o.MaxRules && v.Objective != want.Objective {
				t.Fatalf("seed %d: a changed proof is accepted that claims %d, the optimum is %d\n%+v", seed, v.Objective, want.Objective, p)
			}
		}
	}
	t.Logf("%d bounds; of changed proofs %d refused, %d accepted", bounds, refused, accepted)
	if bounds == 0 || refused < accepted {
		t.Error("there are no bounds, or changed proofs are accepted")
	}
}
