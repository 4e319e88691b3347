package search

import (
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

// TestStalls ends searches after very little work without a move. Their claims are sound, one worker always ends at the same
// prefix, and without Stalls they go on.
func TestStalls(t *testing.T) {
	t.Parallel()
	ended, searches := 0, 0
	seeds(t, 300, func(seed uint64) {
		in := testgen.Wide(seed)
		want := best(t, in)
		o := Stalling(Options{
			Workers: 1, Stalls: true, Policy: BreadthFirst, Without: problem.AllPrunings() &^ problem.Commuting,
		})
		r := must.Get(solve(t.Context(), in, o))(t)
		if err := sound(in, r, want); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		searches++
		if r.Status == parallel.Stalled {
			ended++
		}
		for again, stalls := range []bool{true, false} {
			if o.Stalls = stalls; again > 0 && r.Status != parallel.Stalled {
				break
			}
			s, err := solve(t.Context(), in, o)
			if err != nil || again == 0 && (s.Status != r.Status || s.Stats.Expanded != r.Stats.Expanded) ||
				again > 0 && s.Status != parallel.Optimal {
				t.Errorf("seed %d, again %v: %v after %d prefixes, then %v after %d, %v", seed, stalls, r.Status, r.Stats.Expanded,
					s.Status, s.Stats.Expanded, err)
			}
		}
	})
	if ended < searches/30 {
		t.Errorf("%d of %d searches ended by themselves", ended, searches)
	}
}
