//go:build !race

package search

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"parcorels/dataset"
	"parcorels/examples"
	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rules"
)

// monk2 is MONK's second problem, which no short list solves, with pairs of values as antecedents: its search is long.
func monk2(t testing.TB) *instance.Instance {
	t.Helper()
	text := must.Get(examples.Table("monk2"))(t)
	return testgen.Reduced(t, testgen.MinedText(t, string(text), dataset.Options{}, rules.Options{MaxCard: 2}))
}

// TestNoAllocationPerExpansion: once its buffers have their size, a search
// allocates when a structure grows and when the incumbent improves, but not for
// each prefix. So a search that expands thousands more allocates few times more.
func TestNoAllocationPerExpansion(t *testing.T) {
	const warm, more = 3000, 3000
	in := monk2(t)
	for _, o := range []Options{
		{Workers: 1},
		{Workers: 3},
		{Workers: 1, Policy: DepthFirst},
		{Workers: 1, Symmetry: Permutation},
		{Workers: 1, Memory: 4 << 20}, // children that are examined at once
	} {
		o.Without |= problem.Separation // its LPs add sets to pools
		o.Without |= problem.Incumbent  // the heuristics, which are bounded apart
		o.Lambda = ratio.Ratio{Num: 1, Den: 100}
		name := fmt.Sprintf("%d workers, %v, %v, %d bytes", o.Workers, o.Policy, o.Symmetry, o.Memory)
		t.Run(name, func(t *testing.T) {
			few, allocations := expand(t, in, o, warm)
			// On a busy machine the smaller limit is noticed late: the larger one then adds little.
			var expansions, allocationsOfMany int64
			for limit := int64(warm + more); expansions < more/2; limit += more {
				if limit > 10*more {
					t.Fatalf("a limit of %d gives %d expansions more than one of %d", limit, expansions, warm)
				}
				var many int64
				many, allocationsOfMany = expand(t, in, o, limit)
				expansions = many - few
			}
			// Twice as many prefixes make each of the 64 parts of the map grow about once,
			// which takes a table, its slots, and what gives the old one back. Workers that the smaller limit stopped
			// early make their list of recent prefixes.
			if grown := allocationsOfMany - allocations; grown > 5*64+6*int64(o.Workers)+expansions/8 {
				t.Errorf("%d expansions more allocate %d times more", expansions, grown)
			} else {
				t.Logf("%d expansions more allocate %d times more", expansions, grown)
			}
		})
	}
}

// expand searches up to a node limit and returns expansions and allocations.
func expand(t *testing.T, in *instance.Instance, o Options, nodes int64) (expansions, allocations int64) {
	t.Helper()
	o.Nodes = nodes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Solve(context.Background(), in, o)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != parallel.NodeLimit {
		t.Fatalf("status %v after %d expansions: the instance is too easy", r.Status, r.Stats.Expanded)
	}
	return r.Stats.Expanded, int64(after.Mallocs - before.Mallocs)
}
