package cli

import (
	"fmt"
	"os"
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

const partialFit = "fit t.csv --lambda 0.01 --workers 1 --test-without incumbent "

// partial leaves a search in run.ckpt, and its proof beside it, which it
// returns.
func partial(t *testing.T) (proof string) {
	t.Helper()
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	done(t, partialFit+"--nodes 10 --checkpoint run.ckpt --proof t.proof")
	return contents(t, "run.ckpt.proof.part")
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPartRefused has a line for everything that can be wrong with an unfinished
// proof. The files stay what they were, and the right proof can be continued.
func TestPartRefused(t *testing.T) {
	whole := partial(t)
	n := len(whole)
	checkpoint := contents(t, "run.ckpt")
	renamed := strings.Replace(contents(t, "t.csv"), "jacket_color", "color_of_the_jacket", 1)
	done(t, partialFit+"--nodes 10 --checkpoint plain.ckpt")
	write(t, map[string]string{"renamed.csv": renamed, "plain.ckpt.proof.part": whole})
	const changed = "run.ckpt.proof.part: unusable proof: it is not the one that the checkpoint was saved with, or it was changed since"
	for _, c := range []struct{ part, line, want string }{
		{whole[:n-1], "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof",
			fmt.Sprintf("run.ckpt.proof.part: unusable proof: it has %d bytes, and %d were written when the checkpoint was saved", n-1, n)},
		{"", "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof",
			fmt.Sprintf("run.ckpt.proof.part: unusable proof: it has 0 bytes, and %d were written when the checkpoint was saved", n)},
		{whole[:n-1] + "x", "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof", changed},
		{strings.Repeat("x", n), "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof", changed},
		{"x" + whole, "fit t.csv --lambda 0.01 --resume run.ckpt --checkpoint new.ckpt --proof t.proof", changed},
		{whole, "fit t.csv --lambda 0.02 --resume run.ckpt --proof t.proof",
			"run.ckpt: unusable checkpoint: it was saved with λ = 0.01, not 0.02"},
		{whole, "fit renamed.csv --lambda 0.01 --resume run.ckpt --proof t.proof",
			"run.ckpt.proof.part: the proof was begun with another file of data, t.csv"},
		{whole, "fit t.csv --lambda 0.01 --resume plain.ckpt --proof t.proof",
			"plain.ckpt: unusable checkpoint: it was saved by a search without a proof, and what that did cannot be proved any more"},
		{whole, "fit t.csv --lambda 0.01 --resume run.ckpt --proof run.ckpt.proof.part",
			"run.ckpt.proof.part: the result would overwrite what it is made from"},
		{whole, "fit t.csv --lambda 0.01 --resume run.ckpt --proof run.ckpt", "run.ckpt: the result would overwrite what it is made from"},
		{whole, "fit t.csv --lambda 0.01 --checkpoint new --proof new.proof.part", "new.proof.part: two results would go to this file"},
	} {
		write(t, map[string]string{"run.ckpt.proof.part": c.part})
		status, stdout, stderr := run(words(c.line)...)
		if status != exitInput || stdout != "" || stderr != "parcorels: "+c.want+"\n" {
			t.Errorf("%s, with %d bytes: status %d, %s%swant %s", c.line, len(c.part), status, stdout, stderr, c.want)
		}
		if contents(t, "run.ckpt.proof.part") != c.part || contents(t, "run.ckpt") != checkpoint {
			t.Errorf("%s, with %d bytes: a file was changed", c.line, len(c.part))
		}
		for _, name := range []string{"new.ckpt", "new.ckpt.proof.part", "t.proof"} {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s, with %d bytes: left %s behind", c.line, len(c.part), name)
			}
		}
	}
	done(t, "fit t.csv --lambda 0.01 --resume run.ckpt --proof t.proof")
	done(t, "verify t.proof t.csv")
}

// TestRefusedIsClosed: a checkpoint that is refused does not stay open: Windows could not replace it then.
func TestRefusedIsClosed(t *testing.T) {
	partial(t)
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

// TestPartOfUnwritableProof: a whole proof that cannot be put in its place is
// not lost.
func TestPartOfUnwritableProof(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	status, stdout, stderr := run(words("fit t.csv --lambda 0.01 --checkpoint run.ckpt --proof /dev/full")...)
	want := "parcorels: note: the proof is in run.ckpt.proof.part\nparcorels: /dev/full: cannot be written: no space left on device\n"
	if status != exitOutput || !strings.Contains(stdout, "\noptimal: ") || stderr != want {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	done(t, "verify run.ckpt.proof.part t.csv")
}
