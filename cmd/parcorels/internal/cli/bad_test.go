package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"parcorels/cmd/parcorels/internal/fit"
	"parcorels/internal/testing/testgen"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Tests fit much, perhaps on slow machines.
func init() { fit.QuickTime, fit.Usual = time.Hour, 19 }

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

// badFiles are what a user might give by mistake, and two files that are good.
var badFiles = map[string]string{
	"good.csv":       "a,b,w,class\n1,x,1,yes\n0,y,2,no\n1,y,0.5,no\n",
	"weighted.csv":   "a,w,class\n1,1,yes\n0,2,no\n1,3,yes\n0,1,no\n",
	"text.csv":       "a,class\nx,1\ny,0\n",
	"empty.csv":      "",
	"header.csv":     "a,b,class\n",
	"ragged.csv":     "a,b,class\n1,0,1\n0,1\n",
	"quote.csv":      "a,b\n\"1,0\n1,1\n",
	"bytes.csv":      "a,class\n\x00,1\n",
	"zero.csv":       "a,w,class\n1,1,yes\n0,0,no\n",
	"negative.csv":   "a,w,class\n1,1,yes\n0,-2,no\n",
	"words.csv":      "a,w,class\n1,1,yes\n0,many,no\n",
	"heavy.csv":      "a,b,w,class\n1,x,2147483648,yes\n0,y,2147483649,no\n1,y,4294967296,no\n",
	"three.csv":      "a,class\n1,x\n0,y\n1,z\n",
	"unlabelled.csv": "a,class\n1,x\n0,?\n1,y\n",
	"nocolumn.csv":   "b,class\nx,1\n",
	"strange.csv":    "a,class\nx,maybe\n",
	"short.csv":      "a,class\nx\n",
	"nolabel.out":    "{a} 0 1\n",
	"cell.out":       "{a} 0 2\n",
	"cell.label":     "{n} 0 1\n{y} 1 0\n",
	"ragged.out":     "{a} 0 1\n{b} 0 1 1\n",
	"ragged.label":   "{n} 0 1\n{y} 1 0\n",
	"clash.out":      "{a} 0 1\n",
	"clash.label":    "{n} 0 1\n{y} 1 1\n",
	"long.out":       "{a} 0 1\n",
	"long.label":     "{n} 0 1 0\n{y} 1 0 1\n",
	"notamodel.txt":  "hello\n",
	"object.json":    "{}\n",
}

// TestBadInput runs the command lines of testdata/mistakes on badFiles. Below each stands the
// line that it gets; -update rewrites these.
func TestBadInput(t *testing.T) {
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write(t, badFiles)
	if status, _, stderr := run("fit", "text.csv", "-o", "model.json", "--lambda", "0.1"); status != exitDone {
		t.Fatal(stderr)
	}
	path := filepath.Join(folder, "testdata", "mistakes")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(text)) {
		command := strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "\t") {
			continue
		}
		status, stdout, stderr := run(words(command)...)
		if status != exitInput || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("parcorels %s\nstatus %d, stdout %q, stderr %q", command, status, stdout, stderr)
		}
		got.WriteString(line + "\t" + strings.TrimPrefix(stderr, "parcorels: "))
	}
	switch {
	case *update:
		err = os.WriteFile(path, []byte(got.String()), 0o644)
	case got.String() != string(text):
		t.Error(difference(string(text), got.String()))
	}
	if err != nil {
		t.Error(err)
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
