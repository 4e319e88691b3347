package search

import (
	"context"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
)

// TestPlanInBudget: what ascents share is in the memory budget, and where that has no room for it
// prefixes are not bounded, what the root fixed stays fixed, and the list is the same.
func TestPlanInBudget(t *testing.T) {
	in := noisyProblem(t, 1)
	o := Options{Lambda: ratio.Ratio{Num: 1, Den: 80}, Workers: 2, hooks: &hooks{always: true}}
	want := must.Get(Solve(context.Background(), in, Options{Lambda: o.Lambda, Without: problem.Separation}))(t)
	bounded := func(memory int64) (*search, int64) {
		o := o.withDefaults()
		p := laidOut(t, in, o)
		s := newSearch(p, o)
		s.budget.Limit = memory
		s.first(context.Background())
		before := s.budget.Used()
		s.separate(context.Background(), save.Mark{})
		return s, s.budget.Used() - before
	}
	s, taken := bounded(0)
	if s.separated == nil || s.separated.Root == nil {
		t.Fatal("prefixes are not bounded")
	}
	root := s.separated.Root
	if least := root.PlanBytes() + root.NodeBytes()*int64(o.Workers) + root.Bytes(); taken < least {
		t.Errorf("%d bytes are taken from the budget, tables and nodes take %d", taken, least)
	}
	if s, _ := bounded(s.budget.Used() - 1); s.separated == nil || s.separated.Root != nil {
		t.Error("prefixes are bounded with a byte too little")
	} else if s.budget.Used() >= taken {
		t.Errorf("%d bytes stay taken", s.budget.Used())
	}
	for memory := int64(1 << 16); memory <= 1<<24; memory *= 2 {
		o := o
		o.Memory = memory
		r, err := Solve(context.Background(), in, o)
		switch {
		case err != nil:
			t.Fatal(err)
		case r.Status == parallel.MemoryLimit && r.LowerBound <= want.Objective && r.Objective >= want.Objective:
		case r.Status != parallel.Optimal || r.Objective != want.Objective:
			t.Errorf("with %d bytes: %v with objective %d; the optimum is %d", memory, r.Status, r.Objective, want.Objective)
		}
	}
}
