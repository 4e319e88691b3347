package search_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// The soak: one run after the other, each of a random instance in random
// circumstances, with everything drawn from one seed (soakrun_test.go). The
// answer is compared with exhaustive search, or against a reference search and
// what a change of the instance does to the optimum (soaktruth_test.go), and
// all that the search says of itself on the way, proof and checkpoints
// included, must be true (soaksolve_test.go). A failure is printed with the
// command that repeats it.
//
//	go test ./rulelist/search -run '^TestSoak$' -soak=1h -timeout 0
//
// runs it for an hour, in processes of its own (soakprocess_test.go), so that a
// crash is reported with its seed like any failure.

// soakRuns is how many runs the test makes when it is not asked for more.
const soakRuns = 120

// mostNodes bounds the searches of instances beyond the oracle.
const mostNodes = 8000

// TestSoak is the soak.
func TestSoak(t *testing.T) {
	if *soak > 0 {
		soakInProcesses(t, *soak)
		return
	}
	count := testgen.Few(cases.Some(soakRuns))
	if *runs > 0 {
		count = *runs
	}
	seen := tally{}
	for i := range uint64(count) {
		if testing.Verbose() {
			t.Logf("run of seed %d", *seed+i) // the last one before a crash
		}
		soakOnce(t, *seed+i, seen)
	}
	t.Logf("%d runs from seed %d on; %v", count, *seed, seen)
	if *runs == 0 && cases.All() { // few runs may leave something out
		seen.check(t, count)
	}
}

// tally counts what runs met.
type tally map[string]int

// check asks that every kind of end was met, so that the soak does not come to
// test less than it says.
func (c tally) check(t *testing.T, count int) {
	t.Helper()
	for _, what := range []string{
		"optimal", "node-limit", "time-limit", "interrupted", "memory-limit",
		"proofs", "proofs continued", "resumed", "resumed twice", "resumed with too little memory", "long searches",
		"beyond the oracle", "known by a transform",
	} {
		if c[what]*100 < count {
			t.Errorf("%s: %d of %d runs", what, c[what], count)
		}
	}
}

func (c tally) count(run soakRun, results []search.Result, small bool) {
	resumed := 0
	for i, r := range results {
		c[r.Status.String()]++
		if r.Status == parallel.Optimal && r.Stats.ProofBytes > 0 && r.ProofErr == nil {
			c["proofs"]++
			if r.Stats.Resumed > 0 {
				c["proofs continued"]++
			}
		}
		if r.Stats.Resumed > 0 {
			c["resumed"]++
			if resumed++; resumed == 2 {
				c["resumed twice"]++
			}
			if room := run.Legs[i].Room; room > 0 && r.Stats.Resumed >= int64(room) {
				c["resumed with too little memory"]++
			}
		}
		if r.Stats.Expanded > 1000 {
			c["long searches"]++
		}
	}
	if !small {
		c["beyond the oracle"]++
	}
}

// soakOnce is one run.
func soakOnce(t *testing.T, seed uint64, seen tally) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 40))
	in, small := drawInstance(rng, seed)
	most := int64(mostNodes)
	if small {
		most = 0
	}
	w, err := knownBy(t.Context(), in, small)
	if err != nil {
		t.Fatalf("seed %d: %v\n%v", seed, err, in)
	}
	disguised, w, err := disguise(rng, in, w)
	if err != nil {
		t.Fatalf("seed %d: %v\n%v", seed, err, in)
	}
	run := drawRun(rng, most)
	if small && len(in.Columns) > 6 { // without the bound there would be no end
		for i := range run.Legs {
			run.Legs[i].Without &^= problem.Bound
		}
	}
	if !small && !slices.Equal(in.Labels, disguised.Labels) {
		seen["known by a transform"]++
	}
	results, err := run.attempt(t.Context(), disguised, w)
	seen.count(run, results, small)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s\n%v\n%v", seed, err, again(seed), run, disguised)
	}
}

// again returns the command that repeats a run. What depends on timing may take
// more than one try.
func again(seed uint64) string {
	return fmt.Sprintf("again: GOMAXPROCS=%d go test ./rulelist/search -run '^TestSoak$' -seed=%d -runs=1 -count=100 -failfast",
		runtime.GOMAXPROCS(0), seed)
}
