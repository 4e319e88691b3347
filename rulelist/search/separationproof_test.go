package search_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	verifylist "parcorels/verify/rulelist"
)

// TestSeparationProofs has the proofs checked of searches that bound prefixes by
// LPs, with all other prunings, with random ones and alone, some with little memory.
func TestSeparationProofs(t *testing.T) {
	t.Parallel()
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty, testgen.Symmetric, testgen.Wide}
	var bounds, little int64
	seeds(t, 600, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 41))
		in := pick(rng, generators)(seed)
		all := problem.AllPrunings()
		for _, without := range []problem.Prunings{
			0, problem.Incumbent, all &^ (problem.Separation | problem.Bound),
			problem.Prunings(rng.Uint64()) & all &^ (problem.Separation | problem.Bound),
		} {
			if in.Family == "knotty" {
				without &^= problem.Similar
			}
			o := search.Separated(search.Options{Workers: pick(rng, workers), Without: without})
			bounds += proved(t, in, o)
			o.Memory = littleMemory(rng)
			little += proved(t, in, o)
		}
	})
	t.Logf("%d bounds in the proofs, %d with little memory", bounds, little)
	if bounds == 0 || little == 0 {
		t.Errorf("%d bounds in the proofs, %d with little memory", bounds, little)
	}
}

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
