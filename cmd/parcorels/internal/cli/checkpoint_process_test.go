//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parcorels/answer"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist/problem"
)

// killed runs a command line that keeps a checkpoint in run.ckpt, kills it at a
// random moment, and resumes from what is there, until one process ends by
// itself. It returns how many were killed, and how many resumed from another.
func killed(t *testing.T, rng *rand.Rand, args ...string) (kills, resumed int) {
	t.Helper()
	for {
		now := append(slices.Clone(args), "--checkpoint", "run.ckpt", "--every", "20ms", "--json", "r.json",
			"--workers", []string{"1", "2", "4"}[rng.IntN(3)], "--memory", []string{"2MiB", "16MiB", "1GiB"}[rng.IntN(3)])
		if _, err := os.Stat("run.ckpt"); err == nil {
			now = append(now, "--resume", "run.ckpt")
			resumed++
		}
		cmd := program("main", now...)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		must.Do(t, cmd.Start())
		// Later and later, so that the last one has the time to end.
		moment := time.Duration(rng.IntN(30+25*kills*kills)) * time.Millisecond
		kill := time.AfterFunc(moment, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case status.Signaled() && status.Signal() == syscall.SIGKILL:
			kills++
		case status.ExitStatus() == exitDone:
			if left, err := filepath.Glob("*run.ckpt*"); err != nil || len(left) > 0 {
				t.Errorf("of a finished search there is still %q, %v", left, err)
			}
			return kills, resumed
		default:
			t.Fatalf("%q: %v\n%s%s", now, cmd.ProcessState, &stdout, &stderr)
		}
	}
}

// found reads the rule list in r.json.
func found(t *testing.T) (antecedents []string, objective string) {
	t.Helper()
	text := must.Get(os.ReadFile("r.json"))(t)
	var r report.Result
	must.Do(t, json.Unmarshal(text, &r))
	if r.Status != parallel.Optimal {
		t.Errorf("the status is %s", r.Status)
	}
	for _, rule := range r.Rules {
		antecedents = append(antecedents, rule.Antecedent)
	}
	return antecedents, strconv.FormatFloat(r.Objective, 'f', answer.Digits, 64)
}

// enumerable is a problem that exhaustive search can do.
func enumerable(seed uint64) testgen.Instance {
	rng := rand.New(rand.NewPCG(seed, 50))
	bits := func() []bool {
		b := make([]bool, 40)
		for i := range b {
			b[i] = rng.IntN(3) == 0
		}
		return b
	}
	p := oracle.Problem{Labels: bits(), Lambda: ratio.Ratio{Num: 1, Den: 24}}
	for range 9 {
		p.Columns = append(p.Columns, bits())
	}
	return testgen.Instance{Problem: p, Family: "enumerable", Seed: seed}
}

// TestKilledAgainstOracle leaves out all that makes the search short, so that
// it goes through a million prefixes, and kills it at random moments.
func TestKilledAgainstOracle(t *testing.T) {
	t.Chdir(t.TempDir())
	count := max(1, cases.Some(3))
	all, total := problem.AllPrunings().String(), 0
	for seed := range uint64(count) {
		in := enumerable(seed)
		want := must.Get(in.Best())(t)
		writeOut(t, in)
		rng := rand.New(rand.NewPCG(seed, 51))
		kills, resumed := killed(t, rng, "fit", "x.out", "--lambda", in.Lambda.String(), "--test-without", all, "--test-symmetry", "none")
		var list []string
		for _, a := range want.Antecedents {
			list = append(list, fmt.Sprintf("{a%d}", a))
		}
		got, objective := found(t)
		if !slices.Equal(got, list) || objective != big.NewRat(want.Objective, in.Scale()).FloatString(answer.Digits) {
			t.Errorf("seed %d, after %d kills: %v with objective %s; the optimum is %v with %d/%d", seed, kills, got, objective, list,
				want.Objective, in.Scale())
		}
		t.Logf("%d processes killed, %d resumed from another", kills, resumed)
		total += resumed
	}
	if total == 0 {
		t.Error("no search resumed from another")
	}
}

// TestKilledProving kills searches with a proof, which is whole in the end. With few antecedents it is quickly checked.
func TestKilledProving(t *testing.T) {
	t.Chdir(t.TempDir())
	hard(t)
	count := max(1, cases.Some(3))
	total := 0
	for seed := uint64(0); seed < uint64(count) || total == 0 && seed < 20; seed++ {
		kills, resumed := killed(t, rand.New(rand.NewPCG(seed, 53)), "fit", "t.csv", "--lambda", "0.02", "--max-antecedents", "40",
			"--test-without", "separation,lookahead", "--proof", "t.proof")
		t.Logf("%d processes killed, %d resumed from another", kills, resumed)
		want, _ := found(t)
		status, stdout, stderr := run("verify", "t.proof", "t.csv", "--json", "-")
		var v struct {
			Rules []report.Rule `json:"rules"`
		}
		if err := json.Unmarshal([]byte(stdout), &v); err != nil || status != exitDone {
			t.Fatalf("seed %d, after %d kills: status %d, %v\n%s", seed, kills, status, err, stderr)
		}
		var got []string
		for _, rule := range v.Rules {
			got = append(got, rule.Antecedent)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: verified %v, found %v", seed, got, want)
		}
		total += resumed
	}
	if total == 0 {
		t.Error("no search resumed from another")
	}
}

// TestSignalSaves: Ctrl-C leaves a checkpoint, and a proof if one is written, that can be resumed.
func TestSignalSaves(t *testing.T) {
	for proof, ended := range map[string]int{"": exitDone, " --proof t.proof": exitNoProof} {
		if proof != "" && testgen.Raced {
			continue
		}
		t.Chdir(t.TempDir())
		hard(t)
		text := signalled(t, syscall.SIGINT, words("--checkpoint run.ckpt"+proof)...)
		if !strings.Contains(text, "\n(saved: resume with --resume run.ckpt"+proof+")\n") {
			t.Errorf("stdout does not tell of the checkpoint:\n%s", text)
		}
		resume := "fit t.csv --lambda 0.001 --resume run.ckpt --nodes 1 --test-without incumbent,separation"
		status, stdout, stderr := run(words(resume + proof)...)
		if status != ended || !strings.Contains(stdout, "\nresumed from run.ckpt: ") {
			t.Errorf("%s: status %d, stdout %q, stderr %q", proof, status, stdout, stderr)
		}
		if _, err := os.Stat("t.proof"); err == nil {
			t.Error("there is a proof of what is not proved")
		}
	}
}
