package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rules"
	"parcorels/verify/framing"
	verifylist "parcorels/verify/rulelist"
)

// solve returns what the solver says about the instance.
func solve(ctx context.Context, in testgen.Instance, o Options) (Result, error) {
	reduced, err := instance.FromSet(in.Set())
	if err != nil {
		return Result{}, err
	}
	o.Lambda, o.MaxRules = in.Lambda, in.MaxRules
	return Solve(ctx, reduced, o)
}

// reduced returns an instance as the solver takes it.
func reduced(t *testing.T, in testgen.Instance) *instance.Instance {
	t.Helper()
	return testgen.Reduced(t, in.Set())
}

// laidOut returns the problem with its columns.
func laidOut(t testing.TB, in *instance.Instance, o Options) *problem.Problem {
	t.Helper()
	p := must.Get(problem.New(in, o.settings()))(t)
	p.Choose(func() bool { return true })
	return p
}

// prove solves a set and returns the proof as well.
func prove(set *rules.Set, o Options) (r Result, proof []byte, err error) {
	in, err := instance.FromSet(set)
	if err != nil {
		return r, nil, err
	}
	var file bytes.Buffer
	o.Proof = &Proof{To: &file, Digest: set.Digest()}
	r, err = Solve(context.Background(), in, o)
	return r, file.Bytes(), errors.Join(err, r.ProofErr)
}

// checkProof opens a proof and checks it.
func checkProof(proof []byte, set *rules.Set, workers int) (verifylist.Result, error) {
	p, err := verifylist.Open(bytes.NewReader(proof))
	if err != nil {
		return verifylist.Result{}, err
	}
	return p.Check(context.Background(), set, verifylist.Options{Options: framing.Options{Workers: workers}})
}

// describe names the options that differ from the defaults.
func describe(o Options) string {
	s := fmt.Sprintf("policy %v, symmetry %v, %d workers", o.Policy, o.Symmetry, o.Workers)
	if o.Without != 0 {
		s += fmt.Sprintf(", without %v", o.Without)
	}
	if o.Memory != 0 {
		s += fmt.Sprintf(", %d bytes", o.Memory)
	}
	if o.Nodes != 0 {
		s += fmt.Sprintf(", %d nodes", o.Nodes)
	}
	if o.Time != 0 {
		s += fmt.Sprintf(", %v", o.Time)
	}
	return s
}

// antecedents returns the list of a result without its predictions.
func antecedents(r Result) []int {
	var list []int
	for _, rule := range r.Rules {
		list = append(list, rule.Antecedent)
	}
	return list
}

// consistent checks a result against itself and against the value that its
// list has on the samples, whatever the status.
func consistent(in testgen.Instance, r Result) error {
	want, err := in.Evaluate(antecedents(r))
	if err != nil {
		return err
	}
	got := oracle.List{Antecedents: want.Antecedents, Default: r.Default == 1, Errors: r.Errors, Objective: r.Objective}
	for _, rule := range r.Rules {
		got.Predict = append(got.Predict, rule.Class == 1)
	}
	switch {
	case !slices.Equal(got.Predict, want.Predict) || got.Default != want.Default ||
		got.Errors != want.Errors || got.Objective != want.Objective:
		return fmt.Errorf("the list is %+v and not %+v", want, got)
	case r.Scale != in.Scale():
		return fmt.Errorf("the scale is %d and not %d", in.Scale(), r.Scale)
	case r.LowerBound > r.Objective || r.LowerBound < 0:
		return fmt.Errorf("lower bound %d with objective %d", r.LowerBound, r.Objective)
	case r.Status == parallel.Optimal && r.LowerBound != r.Objective:
		return fmt.Errorf("optimal, but the lower bound is %d and the objective %d", r.LowerBound, r.Objective)
	}
	return nil
}

// optimal checks that the result is the given list, proven.
func optimal(in testgen.Instance, r Result, want oracle.List) error {
	if err := consistent(in, r); err != nil {
		return err
	}
	if r.Status != parallel.Optimal {
		return fmt.Errorf("the status is %v", r.Status)
	}
	if got := antecedents(r); r.Objective != want.Objective || !slices.Equal(got, want.Antecedents) {
		return fmt.Errorf("%v with objective %d; the optimum is %v with %d", got, r.Objective, want.Antecedents, want.Objective)
	}
	return nil
}

// sound checks a result that a limit may have cut short, given the optimum.
func sound(in testgen.Instance, r Result, want oracle.List) error {
	if r.Status == parallel.Optimal {
		return optimal(in, r, want)
	}
	if err := consistent(in, r); err != nil {
		return err
	}
	if r.Objective < want.Objective || r.LowerBound > want.Objective {
		return fmt.Errorf("%v: objective %d, lower bound %d; the optimum is %v with %d",
			r.Status, r.Objective, r.LowerBound, want.Antecedents, want.Objective)
	}
	return nil
}

// best returns what the oracle finds.
func best(t *testing.T, in testgen.Instance) oracle.List {
	t.Helper()
	want, err := in.Best()
	if err != nil {
		t.Fatalf("%v\n%v", err, in)
	}
	return want
}

// solves holds searches against the oracle's list.
func solves(t *testing.T, in testgen.Instance, want oracle.List, all ...Options) {
	t.Helper()
	for _, o := range all {
		r, err := solve(t.Context(), in, o)
		if err == nil {
			err = optimal(in, r, want)
		}
		if err != nil {
			t.Fatalf("%s, seed %d, %s, Optimal %v: %v\n%v", in.Family, in.Seed, describe(o), o.Optimal, err, in)
		}
	}
}

// seeds calls f with count consecutive seeds, a tenth of that unless all are asked for, few with
// the race detector, and with -soak as many as fit into that time. It returns how many.
func seeds(t *testing.T, count int, f func(seed uint64)) (tried int) {
	t.Helper()
	count = testgen.Few(cases.Some(count))
	start := time.Now()
	for ; tried < count || time.Since(start) < *soak; tried++ {
		f(*seed + uint64(tried))
	}
	t.Logf("%d instances from seed %d on", tried, *seed)
	return tried
}
