package cli

import (
	"bytes"
	"context"
	"os"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/testing/must"
	"strings"
	"testing"
	"time"
)

// TestDefaultTime: a search that nobody limits ends, says so, and leaves what it is resumed
// from under a name that is free.
func TestDefaultTime(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk2", "t.csv")
	left := 100 * time.Millisecond // of the limit when the program starts
	run := func(line string) string {
		t.Helper()
		var out bytes.Buffer
		e := &process.Env{Flag: flagOf, Stdout: &out, Stderr: &out, Start: time.Now().Add(left - process.DefaultTime)}
		must.Do(t, dispatch(context.Background(), e, testArguments(words(line))))
		return out.String()
	}
	for _, name := range []string{"t.csv.ckpt", "t.csv.2.ckpt"} {
		text := run("fit t.csv --lambda 0.0065")
		for !strings.Contains(text, "--resume") && !strings.Contains(text, "optimal") { // a busy machine had no time for the search
			left *= 2
			text = run("fit t.csv --lambda 0.0065")
		}
		for _, want := range []string{"time limit reached", "60 s is the default", "--time none has no limit", "--resume " + name} {
			if !strings.Contains(text, want) {
				t.Errorf("without %q:\n%s", want, text)
			}
		}
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if text := run("fit t.csv --lambda 0.0065 --test-without incumbent,separation --resume t.csv.ckpt --time none " +
		"--nodes 1"); !strings.Contains(text, "resumed from t.csv.ckpt") {
		t.Error(text)
	}
	if text := run("fit t.csv --lambda 0.05 --time 10m"); strings.Contains(text, "--resume") || strings.Contains(text, "default") {
		t.Error(text)
	}
	if _, err := os.Stat("t.csv.3.ckpt"); err == nil {
		t.Error("a checkpoint that nobody asked for is left")
	}
}
