package cli

import (
	"strings"
	"testing"
)

// TestVerifyExplain has a proof that a single bound explains, and ones that have no
// explanation.
func TestVerifyExplain(t *testing.T) {
	proveBikes(t)
	write(t, map[string]string{"d.csv": "a,b,y\n1,0,x\n0,1,y\n1,1,x\n0,0,y\n1,0,x\n0,1,y\n"})
	exampleTable(t, "monk1", "monk1.csv")
	for _, args := range []string{
		"fit monk1.csv --lambda 0.01 --proof list.proof",
		"fit d.csv --model tree --lambda 0.05 --proof tree.proof", "fit d.csv --model bayes --proof bayes.proof",
	} {
		if status, _, stderr := run(words(args)...); status != exitDone {
			t.Fatalf("%s: status %d: %s", args, status, stderr)
		}
	}
	status, stdout, stderr := run("verify", "list.proof", "monk1.csv", "--explain")
	for _, want := range []string{"VERIFIED", "WHY NO RULE LIST", "POINTS", "SETS", "THE BOUND", "objective 0.0400000000"} {
		if status != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("status %d, %q is not there: %s%s", status, want, stdout, stderr)
		}
	}
	for _, model := range []string{"tree", "bayes"} {
		status, stdout, stderr := run("verify", model+".proof", "d.csv", "--explain")
		if status != exitInput || stdout != "" || strings.Count(stderr, "\n") != 1 ||
			!strings.Contains(stderr, "--explain is for proofs about rule lists") {
			t.Errorf("%s: status %d, %s%s", model, status, stdout, stderr)
		}
	}
	status, stdout, _ = run("verify", "bikes.proof", "bikes.csv", "--explain")
	if status != exitDone || !strings.Contains(stdout, "wrong costs") && !strings.Contains(stdout, "No certificate by hand") {
		t.Errorf("status %d, %s", status, stdout)
	}
}

// TestProofOfAnotherModel: verify says whether a model is the one that is proved, and what
// differs.
func TestProofOfAnotherModel(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "monk1.csv")
	for _, args := range []string{
		"fit monk1.csv --lambda 0.01 --proof list.proof -o list.json",
		"fit monk1.csv --lambda 0.01 --max-card 1 -o other.json", "fit monk1.csv --lambda 0.05 -o price.json",
		"fit monk1.csv --model tree --lambda 0.05 -o tree.json",
	} {
		if status, _, stderr := run(words(args)...); status != exitDone {
			t.Fatalf("%s: status %d: %s", args, status, stderr)
		}
	}
	for file, want := range map[string]string{
		"list.json": "", "other.json": "condition 2 is", "price.json": "their λ or objectives differ",
		"tree.json": "one is a rule list, the other a tree",
	} {
		status, stdout, stderr := run("verify", "list.proof", "monk1.csv", file)
		if want == "" && (status != exitDone || !strings.Contains(stdout, "(list.json is the same model;")) {
			t.Errorf("%s: status %d, %s%s", file, status, stdout, stderr)
		}
		if want != "" && (status != exitOutput || stdout != "" || !strings.Contains(stderr, want)) {
			t.Errorf("%s: status %d, %s%s", file, status, stdout, stderr)
		}
	}
}
