package cli

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/parallel"
	listsearch "parcorels/rulelist/search"
)

// hard writes tic-tac-toe, which no machine solves for the small λ of hardFit
// before it is interrupted.
func hard(t *testing.T) {
	t.Helper()
	exampleTable(t, "tictactoe", "t.csv")
}

var hardFit = []string{"fit", "t.csv", "--lambda", "0.001", "--workers", "2", "--progress", "always", "-o", "model.json"}

// canceller cancels at the first write. A slow machine may write advice and progress at once.
type canceller struct {
	cancel func()
	lock   sync.Mutex
	text   strings.Builder
}

func (c *canceller) Write(b []byte) (int, error) {
	c.cancel()
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.text.Write(b)
}

func TestInterruptedSearch(t *testing.T) {
	t.Chdir(t.TempDir())
	hard(t)
	ctx, cancel := context.WithCancel(context.Background())
	var stdout strings.Builder
	stderr := &canceller{cancel: cancel} // at the first line of progress
	if status := (Process{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: stderr, ProgressEvery: 20 * time.Millisecond}).Run(ctx,
		hardFit); status != exitInterrupted {
		t.Errorf("status %d, want %d", status, exitInterrupted)
	}
	checkInterrupted(t, stdout.String())
	// A slow machine gets advice before its first line of progress.
	if text := strings.ReplaceAll(stderr.text.String(), "parcorels: note:", ""); strings.Contains(text, "parcorels:") {
		t.Errorf("stderr has an error: %s", text)
	}
}

// checkInterrupted checks what an interrupted search leaves behind.
func checkInterrupted(t *testing.T, stdout string) {
	t.Helper()
	for _, want := range []string{"\nif ", "\nobjective ", "\ninterrupted: ", "\nlower bound "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("stdout lacks %q:\n%s", want, stdout)
		}
	}
	m := must.Get(loadList("model.json"))(t)
	if m.Status != parallel.Interrupted || m.LowerBound.Num > m.Objective.Num {
		t.Errorf("the model has status %q, bound %v, objective %v", m.Status, m.LowerBound, m.Objective)
	}
}

// runInterrupted runs a command line that is interrupted when the nth search begins, or at the end of the first
// where n is 0.
func runInterrupted(t *testing.T, n int, line string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	solve := func(ctx context.Context, in *instance.Instance, o listsearch.Options) (listsearch.Result, error) {
		switch n--; n {
		case 0:
			cancel()
		case -1:
			defer cancel()
		}
		return listsearch.Solve(ctx, in, o)
	}
	var out, err strings.Builder
	if status := (Process{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Solve: solve}).Run(ctx,
		words(line)); status != exitInterrupted {
		t.Errorf("%s: status %d, want %d: %s", line, status, exitInterrupted, &err)
	}
	if text := strings.ReplaceAll(err.String(), "parcorels: note:", ""); strings.Contains(text, "parcorels:") {
		t.Errorf("%s: stderr has an error: %s", line, text)
	}
	return out.String(), err.String()
}

// TestInterruptedResult: what was found when a command was interrupted is printed, and the model written.
func TestInterruptedResult(t *testing.T) {
	t.Chdir(t.TempDir())
	hard(t)
	for _, c := range []struct {
		search int
		line   string
		want   []string // of stdout
	}{
		{1, "fit t.csv --lambda 0.001 --fair top_left=x --parity 0 -o model.json", []string{"not proved: ", "the search was interrupted",
			"the best list found without the limit"}},
		{1, "fit t.csv --lambda 0.001 --fair top_left=x --parity 0 --proof x.proof -o model.json", []string{"not proved: "}},
		{0, "fit t.csv --lambda 0.2 --chance 1000 --workers 1 -o model.json", []string{"optimal: ",
			"stopped before it was compared with chance"}},
		{2, "path t.csv --to 0.001 --rules 3 --workers 1 -o model.json", []string{"the search was interrupted"}},
	} {
		_ = os.Remove("model.json") // of the case before
		stdout, _ := runInterrupted(t, c.search, c.line)
		for _, want := range c.want {
			if !strings.Contains(stdout, want) {
				t.Errorf("%s: stdout lacks %q:\n%s", c.line, want, stdout)
			}
		}
		if _, err := loadList("model.json"); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
		if _, err := os.Stat("x.proof"); err == nil {
			t.Errorf("%s: a proof is written", c.line)
		}
	}
	stdout, stderr := runInterrupted(t, 2, "path t.csv --to 0.001 --cv --pick best --workers 1 -o none.json")
	if !strings.Contains(stdout, "proved: these are all") || !strings.Contains(stderr, "note: no model of the path") {
		t.Errorf("stdout %s\nstderr %s", stdout, stderr)
	}
}

// TestInterruptedCrossValidation: the fits that are done are printed.
func TestInterruptedCrossValidation(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	args := words("cv t.csv --lambda 0.02 --workers 1 --progress always --json cv.json")
	ctx, cancel := context.WithCancel(context.Background())
	var stdout strings.Builder
	stderr := &canceller{cancel: cancel} // at the line of the first fit
	if status := Run(ctx, args, strings.NewReader(""), &stdout, stderr); status != exitInterrupted {
		t.Errorf("status %d, want %d", status, exitInterrupted)
	}
	if !strings.Contains(stdout.String(), "s; interrupted: 1 of 10 folds done") || strings.Contains(stdout.String(), "same list") ||
		strings.Contains(stderr.text.String(), "parcorels:") {
		t.Errorf("stdout %s\nstderr %s", stdout.String(), stderr.text.String())
	}
	text, err := os.ReadFile("cv.json")
	if err != nil || !strings.Contains(string(text), `"status": "interrupted"`) || !strings.Contains(string(text), `"folds_done": 1`) {
		t.Errorf("cv.json: %s, %v", text, err)
	}
	stdout.Reset()
	status := Run(ctx, args, strings.NewReader(""), &stdout, stderr) // interrupted from the start
	if status != exitInterrupted || stdout.Len() > 0 || !strings.HasSuffix(stderr.text.String(),
		"parcorels: interrupted before there was a result\n") {
		t.Errorf("status %d, stdout %s\nstderr %s", status, stdout.String(), stderr.text.String())
	}
}
