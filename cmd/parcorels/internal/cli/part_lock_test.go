package cli

import (
	"os"
	"strings"
	"testing"

	"parcorels/internal/filelock"
)

// TestLocked: a search does not touch the checkpoint, or the proof beside it,
// that another one writes.
func TestLocked(t *testing.T) {
	was := partial(t)
	saved := contents(t, "run.ckpt")
	for _, c := range []struct{ path, line string }{
		{"new.ckpt", "fit t.csv --lambda 0.01 --checkpoint new.ckpt"},
		{"new.ckpt", "fit t.csv --lambda 0.01 --checkpoint new.ckpt --proof t.proof"},
		{"new.ckpt", "fit t.csv --lambda 0.01 --resume run.ckpt --checkpoint new.ckpt --proof t.proof"},
		{"run.ckpt", "fit t.csv --lambda 0.01 --resume run.ckpt"},
		{"run.ckpt", "fit t.csv --lambda 0.01 --checkpoint run.ckpt"},
		{"run.ckpt", "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof"},
	} {
		other, err := filelock.Take(c.path)
		if err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := run(words(c.line)...)
		if want := "parcorels: " + c.path + ": another search is writing it; give this one a checkpoint of its " +
			"own\n"; status != exitInput || stdout != "" || stderr != want {
			t.Errorf("%s: status %d, %s%s", c.line, status, stdout, stderr)
		}
		if contents(t, "run.ckpt") != saved || contents(t, "run.ckpt.proof.part") != was {
			t.Errorf("%s: the files were changed", c.line)
		}
		other.Release()
	}
	for _, link := range []struct{ target, name string }{{"run.ckpt", "link.ckpt"}, {".", "folder"}} {
		if err := os.Symlink(link.target, link.name); err != nil {
			t.Skip(err) // not every system lets everybody
		}
	}
	other, err := filelock.Take("run.ckpt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link.ckpt", "folder/run.ckpt", "folder/link.ckpt"} {
		status, _, stderr := run("fit", "t.csv", "--lambda", "0.01", "--resume", name)
		if status != exitInput || !strings.HasSuffix(stderr, "another search is writing it; give this one a checkpoint of its own\n") ||
			contents(t, "run.ckpt") != saved {
			t.Errorf("%s, another name of the checkpoint: status %d, %s", name, status, stderr)
		}
	}
	other.Release()
	done(t, "fit t.csv --lambda 0.01 --resume link.ckpt --proof t.proof")
	done(t, "verify t.proof t.csv")
}
