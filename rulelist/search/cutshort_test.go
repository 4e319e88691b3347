package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
)

// TestStoppedBetweenChildren stops searches while the children of some prefix
// are judged: it is not finished then, so the bound still covers the children
// that nobody looked at.
func TestStoppedBetweenChildren(t *testing.T) {
	t.Parallel()
	stopped := 0
	for seed := range uint64(400) {
		in := testgen.Small(seed)
		want, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		reduced, err := instance.FromSet(setOf(in))
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Lambda: in.Lambda, Workers: 1, Without: problem.Incumbent | problem.LookAhead | problem.Similar | problem.Redundant}
		p, err := laidOutProblem(reduced, o)
		if err != nil {
			t.Fatal(err)
		}
		s := newSearch(p, o.withDefaults())
		left := rand.New(rand.NewPCG(seed, 50)).IntN(4)
		s.o.hooks = &hooks{opened: func(w *worker, f *prune.Frame) {
			if n := len(openColumns(f)); left < n {
				w.judgeFirst(f, max(left, 0))
				s.run.Halt(parallel.TimeLimit)
			} else {
				left -= n
			}
		}}
		if !s.build() {
			t.Fatal("the structures do not fit into no limit")
		}
		s.begin()
		s.runAll(context.Background())
		r := s.result(s.queue.Status(), 0)
		list := listOf(r)
		if r.Status != parallel.Optimal {
			stopped++
		}
		if r.LowerBound > want.Objective || r.Status == parallel.Optimal && !slices.Equal(list, want.Antecedents) {
			t.Fatalf("seed %d: %v, %v with objective %d, lower bound %d; the optimum is %v with %d\n%v",
				seed, r.Status, list, r.Objective, r.LowerBound, want.Antecedents, want.Objective, in)
		}
	}
	if stopped < 30 {
		t.Errorf("only %d searches were stopped on the way", stopped)
	}
}
