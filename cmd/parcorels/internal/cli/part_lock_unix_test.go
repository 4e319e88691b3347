//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"os"
	"testing"
)

// TestPartLocked: a search does not touch the proof that another one writes.
func TestPartLocked(t *testing.T) {
	was := partial(t)
	for _, c := range []struct{ path, line string }{
		{"new.ckpt.proof.part", "fit t.csv --lambda 0.01 --checkpoint new.ckpt --proof t.proof"},
		{"new.ckpt.proof.part", "fit t.csv --lambda 0.01 --resume run.ckpt --checkpoint new.ckpt --proof t.proof"},
		{"run.ckpt.proof.part", "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof"},
	} {
		path, line := c.path, c.line
		write(t, map[string]string{path: was})
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !lock(f) {
			t.Fatal("nobody else can have locked it")
		}
		status, stdout, stderr := run(words(line)...)
		if want := "parcorels: " + path + ": another search is writing it; give this one a checkpoint of its own\n"; status != exitInput || stdout != "" || stderr != want {
			t.Errorf("%s: status %d, %s%s", line, status, stdout, stderr)
		}
		if contents(t, path) != was {
			t.Errorf("%s: the file was changed", line)
		}
		_ = f.Close()
		done(t, line)
		done(t, "verify t.proof t.csv")
	}
}
