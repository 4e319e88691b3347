package search_test

import (
	"context"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

var (
	policies   = []search.Policy{search.LowerBound, search.Objective, search.Curiosity, search.BreadthFirst, search.DepthFirst}
	symmetries = []search.Symmetry{search.Captured, search.Permutation, search.NoSymmetry}
	workers    = []int{1, 2, 3, 8}
)

func pick[T any](rng *rand.Rand, choices []T) T { return choices[rng.IntN(len(choices))] }

// configurations returns the defaults, every policy, symmetry mode, number of
// workers and single ablation with the other settings drawn at random, random
// ablations, and everything left out. Most go without the first incumbent,
// which is the optimum too often to leave the search much to get wrong.
func configurations(rng *rand.Rand) []search.Options {
	all := problem.AllPrunings()
	list := []search.Options{{Workers: 1}, {Workers: 2}, {Workers: 1, Without: problem.Incumbent}}
	vary := func(set func(o *search.Options)) {
		o := search.Options{
			Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
			Without: pick(rng, []problem.Prunings{0, problem.Incumbent, problem.Incumbent, problem.Incumbent}),
			Known:   pick(rng, [][][]int{nil, {{0}}, {{1, 0}, {2}}, {rng.Perm(5)[:3], nil}, {{3, 99, 3}}}),
		}
		set(&o)
		list = append(list, o)
	}
	for _, policy := range policies {
		vary(func(o *search.Options) { o.Policy = policy })
	}
	for _, symmetry := range symmetries {
		vary(func(o *search.Options) { o.Symmetry = symmetry })
	}
	for _, n := range workers {
		vary(func(o *search.Options) { o.Workers = n })
	}
	for p := problem.Prunings(1); p&all != 0; p <<= 1 {
		vary(func(o *search.Options) { o.Without |= p })
		vary(func(o *search.Options) { o.Without = p | problem.Incumbent; o.Workers = 1 })
		vary(func(o *search.Options) { o.Without = all&^p | problem.Incumbent })
	}
	for range 4 {
		vary(func(o *search.Options) { o.Without |= problem.Prunings(rng.Uint64()) & all })
	}
	vary(func(o *search.Options) { o.Without = all })
	return list
}

// with is the check that a search with the options finds the optimum.
func with(o search.Options) check {
	return func(ctx context.Context, in testgen.Instance, want oracle.List) error {
		r, err := solve(ctx, in, o)
		if err != nil {
			return err
		}
		return optimal(in, r, want)
	}
}

// TestOracle holds every configuration against exhaustive search: the same
// objective and the same list.
func TestOracle(t *testing.T) {
	t.Parallel()
	const apart = 3 // every third configuration, each in its turn
	seeds(t, 800, func(seed uint64) {
		in := pick(rand.New(rand.NewPCG(seed, 8)), []testgen.Generator{testgen.Small, testgen.Ties})(seed)
		want := best(t, in)
		for _, o := range every(apart, seed, configurations(rand.New(rand.NewPCG(seed, 1)))) {
			againstOracle(t, in, want, describe(o), with(o))
		}
	})
}

// every returns the k-th of so many parts of the configurations.
func every(apart int, k uint64, all []search.Options) (part []search.Options) {
	for i := int(k % uint64(apart)); i < len(all); i += apart {
		part = append(part, all[i])
	}
	return part
}

// TestOracleCritical does the same on the instances that turn on how ties
// between prefixes are broken.
func TestOracleCritical(t *testing.T) {
	testgen.NotRaced(t)
	t.Parallel()
	apart := 2
	if !cases.All() {
		apart = 12
	}
	for k, seed := range testgen.Critical {
		in := testgen.Ties(seed)
		want := best(t, in)
		for _, o := range every(apart, uint64(k), configurations(rand.New(rand.NewPCG(seed, 9)))) {
			againstOracle(t, in, want, describe(o), with(o))
		}
	}
}

// TestOracleWide does the same on instances of several words and up to 20
// antecedents, where the bound cannot be left out.
func TestOracleWide(t *testing.T) {
	t.Parallel()
	seeds(t, 300, func(seed uint64) {
		in := testgen.Wide(seed)
		want := best(t, in)
		rng := rand.New(rand.NewPCG(seed, 2))
		for _, o := range configurations(rng)[:12] {
			o.Without |= 1 << rng.IntN(12) & problem.AllPrunings() &^ problem.Bound
			againstOracle(t, in, want, describe(o), with(o))
		}
	})
}

// TestKernels solves with every kernel that this machine runs.
func TestKernels(t *testing.T) {
	before := bitvec.Kernel()
	defer func() {
		if err := bitvec.UseKernel(before); err != nil {
			t.Fatal(err)
		}
	}()
	for _, kernel := range bitvec.Kernels() {
		t.Run(kernel, func(t *testing.T) {
			if err := bitvec.UseKernel(kernel); err != nil {
				t.Fatal(err)
			}
			for i := range uint64(testgen.Few(40)) {
				in := testgen.Wide(*seed + i)
				want := best(t, in)
				for _, without := range []problem.Prunings{0, problem.Incumbent} {
					o := search.Options{Workers: 2, Without: without}
					againstOracle(t, in, want, describe(o), with(o))
				}
			}
		})
	}
}

// TestMemoryBudget gives the search too little memory to insert much, or any
// prefix: it then goes depth-first and still finds the same list. Most
// prunings are left out, so that there is something to insert.
func TestMemoryBudget(t *testing.T) {
	const open = problem.Incumbent | problem.LookAhead | problem.Similar | problem.Redundant
	seeds(t, 300, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 3))
		in := testgen.Small(seed)
		if len(in.Columns) < 5 {
			return
		}
		o := search.Options{
			Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
			Without: open | problem.Prunings(rng.Uint64())&problem.AllPrunings(),
		}
		want, least := best(t, in), leastMemory(t, in, o)
		for _, more := range []int64{0, rng.Int64N(1 << 14), 1<<14 + rng.Int64N(1<<16), rng.Int64N(1 << 18)} {
			o.Memory = least + more
			againstOracle(t, in, want, describe(o), with(o))
		}
	})
}

// leastMemory returns the smallest budget with which the search starts at all, but for 64 bytes.
// Such small instances take less than 4 MiB.
func leastMemory(t *testing.T, in testgen.Instance, o search.Options) int64 {
	t.Helper()
	starts := func(memory int) bool {
		o.Memory, o.Nodes = int64(memory), 1
		r, err := solve(t.Context(), in, o)
		if err != nil {
			t.Fatalf("%s: %v\n%v", describe(o), err, in)
		}
		if err := consistent(in, r); err != nil {
			t.Fatalf("%s: %v\n%v", describe(o), err, in)
		}
		return r.Status != parallel.MemoryLimit
	}
	return 64 * int64(1+sort.Search(1<<16, func(i int) bool { return starts(64 * (i + 1)) }))
}

// TestLimits stops searches by nodes, time and cancellation: what they return
// must be sound, and called optimal only when it is.
func TestLimits(t *testing.T) {
	stopped := map[parallel.Status]int{}
	seeds(t, 1000, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 4))
		in := testgen.Small(seed)
		if chance := rng.IntN(2); chance == 0 {
			in = testgen.Wide(seed)
		}
		want := best(t, in)
		for range 4 {
			o := search.Options{
				Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
				Without: problem.Incumbent | problem.LookAhead,
				Nodes:   pick(rng, []int64{0, 1, 2, 3, 5, 10, 30, 100}),
				Time:    pick(rng, []time.Duration{0, 0, 1, 10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond}),
			}
			after := pick(rng, []time.Duration{-1, -1, 0, 10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond})
			var status parallel.Status
			limited := func(ctx context.Context, in testgen.Instance, want oracle.List) error {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				switch {
				case after == 0:
					cancel()
				case after > 0:
					defer time.AfterFunc(after, cancel).Stop()
				}
				r, err := solve(ctx, in, o)
				if err != nil {
					return err
				}
				status = r.Status
				return sound(in, r, want)
			}
			againstOracle(t, in, want, describe(o), limited)
			stopped[status]++
		}
	})
	t.Logf("searches by status: %v", stopped)
	for _, status := range []parallel.Status{parallel.Optimal, parallel.NodeLimit, parallel.TimeLimit, parallel.Interrupted} {
		if stopped[status] == 0 {
			t.Errorf("no search ended with status %v", status)
		}
	}
}
