package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// TestResumeAscendingNumbers: a checkpoint of a version that numbered the features of
// numbers in ascending order is resumed, and one of other data is not.
func TestResumeAscendingNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"t.csv": noisyNumbers(1), "other.csv": noisyNumbers(2)})
	d, err := dataset.Read("t.csv", dataset.Options{Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keep := &search.Checkpoint{Digest: set.Digest(), Save: func(to func(io.Writer) error) error {
		var text strings.Builder
		err := to(&text)
		write(t, map[string]string{"run.ckpt": text.String()})
		return err
	}}
	o := search.Options{Lambda: ratio.New(1, 100), Workers: 1, Nodes: 5, Checkpoint: keep}
	if _, r, err := search.Fit(context.Background(), set, o); err != nil || r.Status == parallel.Optimal {
		t.Fatalf("%v, %v: expected a search that is to be resumed", r.Status, err)
	}
	status, _, stderr := run("fit", "other.csv", "--lambda", "0.01", "--resume", "run.ckpt")
	if status != exitInput || !strings.Contains(stderr, "run.ckpt") {
		t.Errorf("other data: status %d, %s", status, stderr)
	}
	begun, _ := done(t, "fit t.csv --lambda 0.01")
	resumed, _ := done(t, "fit t.csv --lambda 0.01 --resume run.ckpt")
	if !strings.Contains(resumed, "resumed from run.ckpt") || objectiveOf(resumed) == "" || objectiveOf(resumed) != objectiveOf(begun) {
		t.Errorf("resumed:\n%s\nbegun anew:\n%s", resumed, begun)
	}
}

// objectiveOf returns the objective that fit printed.
func objectiveOf(text string) string {
	_, text, _ = strings.Cut(text, "\nobjective ")
	text, _, _ = strings.Cut(text, " ")
	return text
}

// noisyNumbers returns a table of numbers: large ones make class 1 likely.
func noisyNumbers(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	text.WriteString("a,b,c,class\n")
	for range 300 {
		a, b, c := rng.IntN(20), rng.IntN(20), rng.IntN(4)
		class := 0
		if a+b+rng.IntN(14) > 24 {
			class = 1
		}
		fmt.Fprintf(&text, "%d,%d,%d,%d\n", a, b, c, class)
	}
	return text.String()
}
