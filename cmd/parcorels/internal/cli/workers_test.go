package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
)

// TestSameModelWithAnyWorkers: the model that is saved is the same, byte for
// byte, from 1, 2 and 8 workers, also from a search that was cut off with so
// many and continues with as many.
func TestSameModelWithAnyWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	count := max(8, cases.Some(40))
	resumed := 0
	for seed := range uint64(count + count/2) { // symmetric ones are often solved before they can be saved
		in := []testgen.Generator{testgen.Knotty, testgen.Knotty, testgen.Nearly, testgen.Wide}[seed%4](seed)
		in.Weights = nil // the format has no place for them
		if in.Check() != nil {
			continue
		}
		writeOut(t, in)
		rng := rand.New(rand.NewPCG(seed, 12))
		args := []string{"fit", "x.out", "--quiet", "--lambda", in.Lambda.String()}
		if rng.IntN(4) > 0 {
			args = append(args, "--test-without", "incumbent,lookahead")
		}
		var first []byte
		for _, workers := range []string{"1", "2", "8"} {
			run := append(args[:len(args):len(args)], "--workers", workers)
			same := func(more ...string) {
				t.Helper()
				model := saved(t, append(run[:len(run):len(run)], more...))
				if first == nil {
					first = model
				}
				if !bytes.Equal(model, first) {
					t.Fatalf("seed %d, %v %v: the model is\n%s\nwith 1 worker it is\n%s\n%v", seed, run, more, model, first, in)
				}
			}
			same()
			_ = os.Remove("x.ckpt")
			saved(t, append(run[:len(run):len(run)], "--nodes", fmt.Sprint(1+rng.IntN(10)), "--checkpoint", "x.ckpt"))
			if _, err := os.Stat("x.ckpt"); err == nil {
				resumed++
				same("--resume", "x.ckpt")
			}
		}
	}
	if resumed < count {
		t.Errorf("only %d searches were resumed", resumed)
	}
}

// saved runs a command line and returns the model that it saves.
func saved(t *testing.T, args []string) []byte {
	t.Helper()
	var out, problems bytes.Buffer
	args = append(args, "-o", "m.json")
	if code := Run(context.Background(), args, strings.NewReader(""), &out, &problems); code != 0 {
		t.Fatalf("%v: exit status %d\n%s%s", args, code, out.Bytes(), problems.Bytes())
	}
	model := must.Get(os.ReadFile("m.json"))(t)
	return model
}
