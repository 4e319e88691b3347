package search

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	verifylist "parcorels/verify/rulelist"
)

// TestOracleClasses holds every configuration against exhaustive search, on tables of several
// classes: the same objective, list and labels.
func TestOracleClasses(t *testing.T) {
	t.Parallel()
	lengths := map[int]int{}
	seeds := testgen.Few(cases.Count(2000))
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 61))
		p := testgen.Classes(rng)
		in := testgen.Reduced(t, testgen.ClassSet(&p))
		want := p.BestList()
		lengths[len(want.Antecedents)]++
		all := configurations(rng)
		for _, o := range []Options{all[0], pick(rng, all), pick(rng, all), Separated(pick(rng, all))} {
			o.Lambda, o.MaxRules = ratio.New(p.Num, p.Den), max(p.Depth, 0)
			if err := solvesClasses(t, in, o, want); err != nil {
				t.Fatalf("seed %d, %s: %v\n%+v", seed, describe(o), err, p)
			}
		}
	}
	t.Logf("optima by length: %v", lengths)
	if seeds >= 200 && len(lengths) < 4 {
		t.Error("the optima are all short")
	}
}

func solvesClasses(t *testing.T, in *instance.Instance, o Options, want oracle.ClassList) error {
	t.Helper()
	r, err := Solve(t.Context(), in, o)
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
	for seed := range uint64(testgen.Few(cases.Count(1000))) {
		rng := rand.New(rand.NewPCG(seed, 63))
		p := testgen.Classes(rng)
		set := testgen.ClassSet(&p)
		in := testgen.Reduced(t, set)
		want := p.BestList()
		var file bytes.Buffer
		o := Separated(Options{Workers: pick(rng, workers),
			Without: problem.Incumbent | problem.Prunings(rng.Uint64())&problem.AllPrunings()&^problem.Separation})
		o.Lambda, o.MaxRules, o.Proof = ratio.New(p.Num, p.Den), max(p.Depth, 0), &Proof{To: &file, Digest: set.Digest()}
		if err := solvesClasses(t, in, o, want); err != nil {
			t.Fatalf("seed %d, %s: %v\n%+v", seed, describe(o), err, p)
		}
		check := func(proof []byte) (verifylist.Result, error) {
			return checkProof(proof, set, 1+int(seed%2))
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
				t.Fatalf("seed %d: a changed proof is accepted that claims %d, the optimum is %d\n%+v", seed, v.Objective, want.Objective,
					p)
			}
		}
	}
	t.Logf("%d bounds; of changed proofs %d refused, %d accepted", bounds, refused, accepted)
	if bounds == 0 || refused < accepted {
		t.Error("there are no bounds, or changed proofs are accepted")
	}
}

// TestClassesInStraits stops searches of several classes and resumes them, leaves them hardly any
// memory, and asks whether some list is as good.
func TestClassesInStraits(t *testing.T) {
	t.Parallel()
	resumed := 0
	for seed := range uint64(testgen.Few(cases.Count(500))) {
		rng := rand.New(rand.NewPCG(seed, 64))
		p := testgen.Classes(rng)
		in := testgen.Reduced(t, testgen.ClassSet(&p))
		want := p.BestList()
		without := problem.Incumbent | problem.LookAhead | problem.Prunings(rng.Uint64())&problem.AllPrunings()
		o := Options{Workers: pick(rng, workers), Without: without}
		o.Lambda, o.MaxRules = ratio.New(p.Num, p.Den), max(p.Depth, 0)
		starved := Straits{Starved: true, Nodes: rng.IntN(4), Chunks: 1 + rng.IntN(3), Bounded: rng.IntN(2) == 0}.In(o)
		if err := solvesClasses(t, in, starved, want); err != nil {
			t.Fatalf("seed %d, starved, %s: %v\n%+v", seed, describe(o), err, p)
		}
		var saved []byte
		stopped := o
		stopped.Nodes = 1 + rng.Int64N(4)
		stopped.Checkpoint = &save.Checkpoint{Save: func(write func(io.Writer) error) error {
			var b bytes.Buffer
			err := write(&b)
			saved = b.Bytes()
			return err
		}}
		r, err := Solve(t.Context(), in, stopped)
		if err != nil || r.LowerBound > want.Objective || r.Objective < want.Objective {
			t.Fatalf("seed %d, stopped, %s: bound %d, objective %d of %d: %v\n%+v", seed, describe(o), r.LowerBound, r.Objective,
				want.Objective, err, p)
		}
		if saved != nil {
			resumed++
			o.Checkpoint = &save.Checkpoint{From: from(saved)}
			if err := solvesClasses(t, in, o, want); err != nil {
				t.Fatalf("seed %d, resumed, %s: %v\n%+v", seed, describe(o), err, p)
			}
			o.Checkpoint = nil
		}
		for _, less := range []int64{0, 1} {
			if reached, known, err := Reaches(t.Context(), in, o, want.Objective-less); err != nil || !known ||
				reached != (less == 0) {
				t.Fatalf("seed %d: a list of %d less than the optimum: %v, known %v: %v\n%+v", seed, less, reached, known, err, p)
			}
		}
	}
	if t.Logf("%d resumed", resumed); resumed == 0 {
		t.Error("no search was resumed")
	}
}
