package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parcorels/answer"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/report"
)

// TestStoppedAnywhere ends searches by every limit, at random moments and with
// random options, and holds what is printed and saved against exhaustive
// search: bound ≤ optimum ≤ objective, and equality where it says optimal.
func TestStoppedAnywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	count := max(20, cases.Some(100))
	statuses := map[parallel.Status]int{}
	for seed := range uint64(count) {
		rng := rand.New(rand.NewPCG(seed, 11))
		in := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Wide}[rng.IntN(3)](seed)
		in.Weights = nil // the format has no place for them
		if len(in.Columns) == 0 || in.Check() != nil || in.Lambda.Den >= 1<<40 {
			continue
		}
		best := must.Get(in.Best())(t)
		writeOut(t, in)
		for range 3 {
			args := append([]string{"fit", "x.out", "--lambda", in.Lambda.String(), "-o", "m.json", "--json", "r.json", "--progress",
				"always"}, anyLimits(rng)...)
			status := stop(t, rng, args)
			statuses[status]++
			if err := soundFiles(big.NewRat(best.Objective, in.Scale()), status, args); err != nil {
				t.Fatalf("%s: %v\n%v", strings.Join(args, " "), err, in)
			}
		}
	}
	t.Logf("searches by status: %v", statuses)
	for _, s := range []parallel.Status{parallel.Optimal, parallel.NodeLimit, parallel.TimeLimit} {
		if statuses[s] == 0 && cases.All() {
			t.Errorf("no search ended with status %v", s)
		}
	}
}

// writeOut writes an instance as x.out and x.label.
func writeOut(t *testing.T, in testgen.Instance) {
	t.Helper()
	line := func(b *strings.Builder, name string, bits []bool, one bool) {
		b.WriteString("{" + name + "}")
		for _, x := range bits {
			b.WriteString(" " + strconv.Itoa(map[bool]int{true: 1}[x == one]))
		}
		b.WriteString("\n")
	}
	var out, label strings.Builder
	for i, column := range in.Columns {
		line(&out, fmt.Sprintf("a%d", i), column, true)
	}
	line(&label, "label:0", in.Labels, false)
	line(&label, "label:1", in.Labels, true)
	write(t, map[string]string{"x.out": out.String(), "x.label": label.String()})
}

// anyLimits draws options that end a search early, or not.
func anyLimits(rng *rand.Rand) (args []string) {
	add := func(name string, values ...string) {
		if v := values[rng.IntN(len(values))]; v != "" {
			args = append(args, "--"+name, v)
		}
	}
	add("nodes", "", "", "1", "2", "7", "30", "200")
	add("time", "", "", "1ns", "2ms", "5ms")
	add("memory", "", "1MiB", "3MiB", "20MiB")
	add("workers", "1", "2", "3", "8")
	add("test-policy", "", "objective", "curiosity", "bfs", "dfs")
	add("test-symmetry", "", "permutation", "none")
	add("test-without", "", "incumbent", "incumbent,lookahead", "incumbent,lookahead,dominance",
		"incumbent,lookahead,commuting,redundant,support")
	return args
}

// stop runs a command line, perhaps with a context that is cancelled meanwhile,
// and returns the status that it prints.
func stop(t *testing.T, rng *rand.Rand, args []string) parallel.Status {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if rng.IntN(3) == 0 {
		defer time.AfterFunc(time.Duration(rng.IntN(4000))*time.Microsecond, cancel).Stop()
	}
	_ = os.Remove("r.json")
	var stdout, stderr bytes.Buffer
	exit := Run(ctx, args, strings.NewReader(""), &stdout, &stderr)
	status := parallel.Optimal
	for s, text := range answer.Stopped {
		if strings.Contains(stdout.String(), text) {
			status = s
		}
	}
	if _, err := os.Stat("r.json"); err != nil && exit == exitInterrupted {
		return parallel.Unknown // the data were not read
	}
	if want := map[bool]int{true: exitInterrupted}[status == parallel.Interrupted ||
		strings.Contains(stdout.String(), "stopped before it was compared")]; exit != want {
		t.Errorf("%v: exit status %d with status %v\n%s%s", args, exit, status, &stdout, &stderr)
	}
	return status
}

// soundFiles checks m.json and r.json against the optimum and the limits.
func soundFiles(optimum *big.Rat, status parallel.Status, args []string) error {
	if status == parallel.Unknown {
		return nil
	}
	m, err := loadList("m.json")
	if err != nil {
		return err
	}
	text, err := os.ReadFile("r.json")
	if err != nil {
		return err
	}
	var r report.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	limit := int64(math.MaxInt64)
	if i := slices.Index(args, "--nodes"); i > 0 {
		limit, _ = strconv.ParseInt(args[i+1], 10, 64)
	}
	printed := new(big.Rat).SetFloat64(r.LowerBound)
	lower, objective := big.NewRat(m.LowerBound.Num, m.LowerBound.Den), big.NewRat(m.Objective.Num, m.Objective.Den)
	switch {
	case m.Status != status || r.Status != status:
		return fmt.Errorf("status %s printed, %s in the model, %s in the result", status, m.Status, r.Status)
	case lower.Cmp(optimum) > 0 || objective.Cmp(optimum) < 0:
		return fmt.Errorf("%s: bound %v and objective %v, but the optimum is %v", status, lower, objective, optimum)
	case status != parallel.Optimal && printed.Cmp(lower) > 0:
		return fmt.Errorf("%s: the bound %v is printed as %v", status, lower, printed)
	case status == parallel.Optimal && (lower.Cmp(optimum) != 0 || objective.Cmp(optimum) != 0 || r.Gap != 0):
		return fmt.Errorf("%s: bound %v and objective %v, but the optimum is %v", status, lower, objective, optimum)
	case r.Stats.Expanded > limit:
		return fmt.Errorf("%s: %d prefixes expanded", status, r.Stats.Expanded)
	case r.Gap < 0 || r.Gap > 1:
		return fmt.Errorf("%s: gap %v", status, r.Gap)
	}
	return nil
}
