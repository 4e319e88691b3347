package search

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

// The soak: one run after the other, each of a random instance in random
// circumstances, with everything drawn from one seed (soakrun_test.go). The
// answer is compared with exhaustive search, or against a reference search and
// what a change of the instance does to the optimum (soaktruth_test.go), and
// all that the search says of itself on the way, proof and checkpoints
// included, must be true (soaksolve_test.go). A failure is printed with the
// command that repeats it.
//
//	go test ./rulelist/search -run '^TestSoak$' -soak=1h -timeout 0 -v
//
// runs it for an hour; the last line before a crash has the seed.

// soakRuns is how many runs the test makes when it is not asked for more.
const soakRuns = 2000

// mostNodes bounds the searches of instances beyond the oracle.
const mostNodes = 8000

// TestSoak is the soak.
func TestSoak(t *testing.T) {
	seen := tally{} // not beside other tests: it changes the kernel, and Go's number of processors
	if *again {
		soakOnce(t, *seed, seen)
		return
	}
	count := seeds(t, soakRuns, func(seed uint64) {
		if *soak > 0 && testing.Verbose() {
			t.Logf("run of seed %d", seed) // the last one before a crash
		}
		soakOnce(t, seed, seen)
	})
	t.Logf("%v", seen)
	if count >= 200 { // few runs may leave something out
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
		"beyond the oracle", "known by a transform", "separation", "with a limit of rules",
	} {
		if c[what]*100 < count {
			t.Errorf("%s: %d of %d runs", what, c[what], count)
		}
	}
}

func (c tally) count(run soakRun, in testgen.Instance, results []Result, small bool) {
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
		if run.Legs[i].Bounded {
			c["separation"]++
		}
		if r.Stats.Expanded > 1000 {
			c["long searches"]++
		}
	}
	if !small {
		c["beyond the oracle"]++
	}
	if in.MaxRules > 0 {
		c["with a limit of rules"]++
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
	disguised := in
	if in.MaxRules == 0 {
		if disguised, w, err = disguise(rng, in, w); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, in)
		}
	}
	run := drawRun(rng, most)
	for i := range run.Legs {
		if small && len(in.Columns) > 6 { // without the bound there would be no end
			run.Legs[i].Without &^= problem.Bound
		}
		if in.MaxRules > 0 && run.Legs[i].Bounded {
			run.Legs[i].Charged = rng.Int64N(in.Lambda.Den*in.Total()/int64(in.MaxRules) + 2)
		}
	}
	if !small && !slices.Equal(in.Labels, disguised.Labels) {
		seen["known by a transform"]++
	}
	results, err := run.attempt(t.Context(), disguised, w)
	seen.count(run, in, results, small)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s\n%v\n%v", seed, err, repeat(seed), run, disguised)
	}
}

// repeat returns the command that repeats a run. What depends on timing may take
// more than one try.
func repeat(seed uint64) string {
	return fmt.Sprintf("again: GOMAXPROCS=%d go test ./rulelist/search -run '^TestSoak$' -again -seed=%d -count=100 -failfast",
		runtime.GOMAXPROCS(0), seed)
}
