package search

import (
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

// TestStatsAddUp holds what is counted by worker and by length against the
// totals.
func TestStatsAddUp(t *testing.T) {
	for seed := range uint64(testgen.Few(10)) {
		in := testgen.Medium(seed)
		reduced := reduced(t, in)
		var last Progress
		o := Options{Lambda: in.Lambda, Workers: 3, Without: problem.Incumbent | problem.LookAhead,
			Progress: func(p Progress) { last = p }}
		for _, o.Nodes = range []int64{0, 5} {
			r := must.Get(Solve(t.Context(), reduced, o))(t)
			var expanded int64
			queued := last.Open
			for _, w := range r.Stats.PerWorker {
				expanded += w.Expanded
			}
			if len(r.Stats.PerWorker) != 3 || expanded != r.Stats.Expanded {
				t.Errorf("seed %d: %+v", seed, r.Stats)
			}
			if r.Status == parallel.Optimal && (r.Stats.Improved > r.Stats.Search || r.Stats.Longest < len(r.Rules)-2 || queued != 0) {
				t.Errorf("seed %d: a list of %d rules, %+v", seed, len(r.Rules), r.Stats)
			}
		}
	}
}
