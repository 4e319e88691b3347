package cli

import (
	"bytes"
	"context"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDefaultTime: a search that nobody limits ends, says so, and leaves no file.
func TestDefaultTime(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk2", "t.csv")
	left := 100 * time.Millisecond // of the limit when the program starts
	run := func(line string) string {
		t.Helper()
		var out bytes.Buffer
		e := &process.Env{Flag: flagOf, Stdout: &out, Stderr: &out, Start: time.Now().Add(left - process.DefaultTime)}
		must.Do(t, dispatch(context.Background(), e, words(line)))
		return out.String()
	}
	text := run("fit t.csv --lambda 0.0065")
	for !strings.Contains(text, "time limit") && !strings.Contains(text, "optimal") { // a busy machine had no time for the search
		left *= 2
		text = run("fit t.csv --lambda 0.0065")
	}
	for _, want := range []string{"time limit reached", "60 s is the default", "--time none has no limit"} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
	if text := run("fit t.csv --lambda 0.05 --time 10m"); strings.Contains(text, "default") {
		t.Error(text)
	}
	if left, err := filepath.Glob("*.ckpt"); err != nil || left != nil {
		t.Error("checkpoints that nobody asked for are left: ", left, err)
	}
}
