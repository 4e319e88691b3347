package cli

import (
	"os"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
)

// done runs a command line that is to succeed, but for a proof that is still open.
func done(t *testing.T, line string) (stdout, stderr string) {
	t.Helper()
	status, stdout, stderr := run(words(line)...)
	if status != exitDone && status != exitNoProof {
		t.Fatalf("%s: status %d, %s", line, status, stderr)
	}
	return stdout, stderr
}

func contents(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path))(t))
}

// TestRefusedIsClosed: a checkpoint that is refused does not stay open: Windows could not replace it then.
func TestRefusedIsClosed(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	done(t, "fit t.csv --lambda 0.01 --workers 1 --test-without incumbent --nodes 10 --checkpoint run.ckpt")
	if status, _, stderr := run(words("fit t.csv --lambda 0.02 --resume run.ckpt")...); status != exitInput {
		t.Errorf("status %d, %s", status, stderr)
	}
	open, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(open) == 0 {
		t.Skip("this system does not tell which files are open")
	}
	for _, f := range open {
		if name, _ := os.Readlink(f); strings.HasSuffix(name, "run.ckpt") {
			t.Errorf("%s is open", name)
		}
	}
}
