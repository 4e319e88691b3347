package cli

import (
	"strings"
	"testing"
)

// TestVerifyExplain has a proof that a single bound explains, and one that has perhaps no explanation.
func TestVerifyExplain(t *testing.T) {
	proveBikes(t)
	exampleTable(t, "monk1", "monk1.csv")
	mustRun(t, words("fit monk1.csv --lambda 0.01 --proof list.proof")...)
	stdout, _ := done(t, "verify list.proof monk1.csv --explain")
	for _, want := range []string{"VERIFIED", "WHY NO RULE LIST", "POINTS", "SETS", "THE BOUND", "objective 0.0400000000"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not there: %s", want, stdout)
		}
	}
	stdout, _ = done(t, "verify bikes.proof bikes.csv --explain")
	if !strings.Contains(stdout, "wrong costs") && !strings.Contains(stdout, "No certificate by hand") {
		t.Error(stdout)
	}
}
