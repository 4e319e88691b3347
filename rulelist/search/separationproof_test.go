package search_test

import (
	"bytes"
	"context"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/search"
	verifylist "parcorels/verify/rulelist"
)

// proved solves an instance with a proof, has that checked, and returns how many
// bounds there are in it. A search that has not the memory to begin has none.
func proved(t *testing.T, in testgen.Instance, o search.Options) int64 {
	t.Helper()
	set := setOf(in)
	reduced, err := instance.FromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	o.Lambda, o.MaxRules, o.Proof = in.Lambda, in.MaxRules, &search.Proof{To: &file, Digest: set.Digest()}
	r, err := search.Solve(context.Background(), reduced, o)
	if err != nil || r.ProofErr != nil {
		t.Fatalf("%s: %v, %v\n%v", describe(o), err, r.ProofErr, in)
	}
	if o.Memory > 0 && r.Status == parallel.MemoryLimit {
		return 0
	}
	v, err := search.CheckProof(context.Background(), &file, set, verifylist.Options{Workers: 2})
	if err != nil || v.Objective != r.Objective {
		t.Fatalf("%s: verified %d, found %d: %v\n%v", describe(o), v.Objective, r.Objective, err, in)
	}
	return v.Bounds
}
