package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"parcorels/internal/testing/testgen"
	"strings"
	"testing"
	"time"
)

// run is Run in a test, without stdin.
func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Process{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		ProgressEvery: 20 * time.Millisecond}.Run(context.Background(), args)
	return status, out.String(), errs.String()
}

// write makes files in the current folder.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// wide is a table of so many columns that their pairs are too many.
func wide() string {
	const columns, rows = 420, 100
	source := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for c := range columns {
		fmt.Fprintf(&b, "c%d,", c)
	}
	b.WriteString("class\n")
	for range rows {
		for range columns {
			fmt.Fprintf(&b, "%d,", source.IntN(2))
		}
		fmt.Fprintf(&b, "%d\n", source.IntN(2))
	}
	return b.String()
}

// TestBudgetOfAntecedents: more antecedents than are kept are no error, and
// list, model and proof say so.
func TestBudgetOfAntecedents(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	write(t, map[string]string{"wide.csv": wide()})
	status, stdout, stderr := run("fit", "wide.csv", "--nodes", "1", "-o", "model.json")
	if status != exitDone || !strings.Contains(stdout, "65,536 conditions") ||
		!strings.Contains(stdout, "note: those of most gain are kept of") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if model, err := os.ReadFile("model.json"); err != nil || !strings.Contains(string(model), `"antecedents_kept": 65536`) {
		t.Errorf("model.json: %v, %s", err, model)
	}
	status, stdout, stderr = run("fit", "wide.csv", "--max-antecedents", "40", "--lambda", "0.05", "--proof", "a.proof")
	if status != exitDone || !strings.Contains(stdout, "optimal among the 40 conditions kept of") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if status, stdout, stderr = run("verify", "a.proof", "wide.csv"); status != exitDone ||
		!strings.Contains(stdout, "(among the 40 conditions kept of") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}
