package rulelist_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// TestSolverProofsVerify checks what the solver writes, in whatever way it
// searches.
func TestSolverProofsVerify(t *testing.T) {
	run := 0
	for seed := range seeds(360) {
		in := append(slices.Clone(families[:3]), testgen.Symmetric, testgen.Medium)[seed%5](seed / 5)
		if seed%3 == 0 {
			in.MaxRules = 1 + int(seed/3%4)
			if seed%2 == 0 {
				in.Lambda = ratio.New(0, 1)
			}
		}
		for _, o := range ways(seed) {
			o.Lambda, o.MaxRules = in.Lambda, in.MaxRules
			run++
			verifySolver(t, in, o, instance.FromSet)
			if seed%4 == 0 {
				verifySolver(t, in, o, instance.FromSetSeparate)
			}
		}
	}
	if run < int(seeds(360)) {
		t.Errorf("only %d runs", run)
	}
}

// ways returns two ways to search, of all that there are.
func ways(seed uint64) (all []search.Options) {
	for k := range uint64(2) {
		x := seed*2 + k
		o := search.Options{
			Workers:  1 + int(x%3),
			Policy:   search.Policy(x / 3 % 5),
			Symmetry: search.Symmetry(x / 15 % 3),
		}
		switch x / 45 % 4 {
		case 1:
			o.Memory = 1
		case 2:
			o.Memory = 20 << 10
		case 3:
			// Without the bound or the look-ahead a search takes for ever.
			o.Without = problem.Prunings(x*0x9e3779b97f4a7c15>>32) & problem.AllPrunings() &^ (problem.Bound | problem.LookAhead)
		}
		if x%2 == 0 {
			o.Without |= problem.Incumbent // whose estimate allows few symmetries on small instances
		}
		all = append(all, o)
	}
	return all
}

func verifySolver(t *testing.T, in testgen.Instance, o search.Options, from func(*rules.Set) (*instance.Instance, error)) {
	t.Helper()
	set := in.Set()
	var file bytes.Buffer
	o.Proof = &search.Proof{To: &file, Digest: set.Digest()}
	o.Nodes = 50_000 // beyond it no proof, and no loss
	points, err := from(set)
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.Solve(context.Background(), points, o)
	if err != nil || r.ProofErr != nil {
		t.Fatal(err, r.ProofErr)
	}
	what := fmt.Sprintf("%+v\n%v", o, in)
	size := file.Len()
	v, err := check(t, file.Bytes(), set, o.Workers)
	if r.Status != parallel.Optimal {
		if err == nil {
			t.Fatalf("a proof of a list that is not known to be the smallest\n%s", what)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, what)
	}
	if v.Objective != r.Objective || v.Errors != r.Errors || v.Scale != r.Scale || len(v.Rules) != len(r.Rules) {
		t.Fatalf("verified %+v, solved %+v\n%s", v, r, what)
	}
	if int64(size) != r.Stats.ProofBytes || v.Records != r.Stats.ProofRecords {
		t.Fatalf("%d bytes, %d records; the solver counted %d, %d", size, v.Records, r.Stats.ProofBytes, r.Stats.ProofRecords)
	}
}
