package search

import (
	"slices"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rules"
)

// With a tenth of the memory that it would like, a search of real data without the
// separation bound, which needs room of its own, ends in the same certified list and
// keeps to the budget.
func TestTenthOfMemory(t *testing.T) {
	in := testgen.Reduced(t, testgen.Published(t, rules.Options{}, "corels/cars.out.gz"))
	o := Options{Lambda: ratio.New(1, 50), Workers: 1, Without: problem.Separation}
	free := must.Get(Solve(t.Context(), in, o))(t)
	o.Memory = free.Stats.PeakBytes / 10
	tight := must.Get(Solve(t.Context(), in, o))(t)
	if tight.Status != parallel.Optimal || tight.Objective != free.Objective || !slices.Equal(tight.Rules, free.Rules) {
		t.Errorf("with %d bytes: %v %d %v; with all that it likes: %v %d %v", o.Memory,
			tight.Status, tight.Objective, tight.Rules, free.Status, free.Objective, free.Rules)
	}
	if tight.Stats.PeakBytes > o.Memory {
		t.Errorf("took %d bytes of %d", tight.Stats.PeakBytes, o.Memory)
	}
	if tight.Stats.Inserted >= free.Stats.Inserted/2 {
		t.Errorf("inserted %d of %d prefixes: the budget was not felt", tight.Stats.Inserted, free.Stats.Inserted)
	}
}
