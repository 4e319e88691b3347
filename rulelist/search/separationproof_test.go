package search

import (
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
)

// proved solves an instance with a proof, has that checked, and returns how many
// bounds there are in it. A search that has not the memory to begin has none.
func proved(t *testing.T, in testgen.Instance, o Options) int64 {
	t.Helper()
	set := in.Set()
	o.Lambda, o.MaxRules = in.Lambda, in.MaxRules
	r, proof, err := prove(set, o)
	if err != nil {
		t.Fatalf("%s: %v\n%v", describe(o), err, in)
	}
	if o.Memory > 0 && r.Status == parallel.MemoryLimit {
		return 0
	}
	v, err := checkProof(proof, set, 2)
	if err != nil || v.Objective != r.Objective {
		t.Fatalf("%s: verified %d, found %d: %v\n%v", describe(o), v.Objective, r.Objective, err, in)
	}
	return v.Bounds
}
