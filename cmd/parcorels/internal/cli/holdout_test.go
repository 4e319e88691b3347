package cli

import (
	"os"
	"strings"
	"testing"

	"parcorels/internal/testing/testgen"
)

// TestEarlierProof: what had the name of a proof before has another, whatever becomes of the run.
func TestEarlierProof(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	write(t, map[string]string{"p": "old"})
	for _, args := range []string{"fit t.csv --holdout 0.25 --proof p", "fit missing.csv --proof p",
		"fit t.csv --target nobody --proof p"} {
		status, _, stderr := run(words(args)...)
		if status != exitInput || strings.Contains(args, "holdout") != strings.Contains(stderr, "a part of the rows") {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
		_, err := os.Stat("p")
		if refused := strings.Contains(args, "holdout"); refused != (err == nil) {
			t.Errorf("%s: the earlier proof has its name: %v", args, err)
		}
	}
	if old, _ := os.ReadFile("p.old"); string(old) != "old" {
		t.Errorf("the earlier proof is now %q", old)
	}
	mustRun(t, words("fit t.csv --proof p -o m.json --checkpoint c")...)
	if _, stdout, _ := run("verify", "p", "t.csv", "m.json", "--quiet"); !strings.Contains(stdout, "the same model;") {
		t.Error(stdout)
	}
	if _, err := os.Stat("p.old"); err == nil {
		t.Error("an earlier proof is left beside the new one")
	}
}
