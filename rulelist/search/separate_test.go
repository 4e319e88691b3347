package search_test

import (
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/model/given"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// TestSeparatePoints: the search finds the same list where every sample is a
// point of its own, with every ablation.
func TestSeparatePoints(t *testing.T) {
	t.Parallel()
	seeds(t, 80, func(seed uint64) {
		for _, draw := range []func(uint64) testgen.Instance{testgen.Small, testgen.Ties} {
			in := draw(seed)
			want, err := in.Best()
			if err != nil {
				t.Fatal(err)
			}
			columns, labels := in.Bitsets()
			points, err := instance.FromSetSeparate(given.Set(columns, labels, in.Weights, len(in.Labels)))
			if err != nil {
				t.Fatal(err)
			}
			if points.Points != len(in.Labels) || points.Base != 0 {
				t.Fatalf("%d points of %d samples, base %d", points.Points, len(in.Labels), points.Base)
			}
			for _, o := range configurations(rand.New(rand.NewPCG(seed, 22))) {
				o.Lambda = in.Lambda
				r, err := search.Solve(t.Context(), points, o)
				if err == nil {
					err = optimal(in, r, want)
				}
				if err != nil {
					t.Fatalf("seed %d, %s: %v\n%v", seed, describe(o), err, in)
				}
			}
		}
	})
}

// TestStatsAddUp holds what is counted by worker and by length against the
// totals.
func TestStatsAddUp(t *testing.T) {
	for seed := range uint64(testgen.Few(10)) {
		in := testgen.Medium(seed)
		reduced, err := reduce(in)
		if err != nil {
			t.Fatal(err)
		}
		var last search.Progress
		o := search.Options{Lambda: in.Lambda, Workers: 3, Without: problem.Incumbent | problem.LookAhead,
			Progress: func(p search.Progress) { last = p }}
		for _, o.Nodes = range []int64{0, 5} {
			r, err := search.Solve(t.Context(), reduced, o)
			if err != nil {
				t.Fatal(err)
			}
			var expanded, queued int64
			for _, w := range r.Stats.PerWorker {
				expanded += w.Expanded
			}
			for _, n := range last.QueuedByLength {
				queued += n
			}
			if len(r.Stats.PerWorker) != 3 || expanded != r.Stats.Expanded || queued != last.Open {
				t.Errorf("seed %d: %+v, %d queued by length, %d in all", seed, r.Stats, queued, last.Open)
			}
			if r.Status == parallel.Optimal && (r.Stats.Improved > r.Stats.Search || r.Stats.Longest < len(r.Rules)-2 || queued != 0) {
				t.Errorf("seed %d: a list of %d rules, %+v", seed, len(r.Rules), r.Stats)
			}
		}
	}
}
