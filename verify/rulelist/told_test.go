package rulelist_test

import (
	"testing"

	"parcorels/instance"
	"parcorels/internal/testgen"
	"parcorels/rulelist/search"
)

// TestSymmetriesAreTold: whatever a symmetry dropped, first or alone, it is in
// the proof.
func TestSymmetriesAreTold(t *testing.T) {
	for seed := range seeds(600) {
		in := testgen.Symmetric(seed)
		verifySolver(t, in, search.Options{Lambda: in.Lambda, Workers: 1, Without: search.Incumbent}, instance.FromSet)
	}
}
