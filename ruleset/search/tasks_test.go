package search

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/parallel"

	"github.com/bits-and-blooms/bitset"
)

const many = 1 << 30

// TestHandedOut divides the search at every child where that is possible, as if
// workers waited all the time: the same rule is proved, and tasks were handed out.
func TestHandedOut(t *testing.T) {
	var handed int32
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		p := planted(t, r, 300, 24)
		want := p.solve(context.Background(), p.empty(), 1)
		s, root, branches := p.begin(p.empty(), 1)
		s.divide(branches)
		s.tasks.wanted.Store(many)
		s.run.Do(context.Background(), parallel.Watch{}, func(int) { s.walker().work(root) })
		handed += many - s.tasks.wanted.Load()
		if got := s.solution(branches); got.rule.Better(&want.rule) || want.rule.Better(&got.rule) || !got.proved() {
			t.Fatalf("seed %d: found %v with bound %d, want %v", seed, got.rule, got.bound, want.rule)
		}
		for range 3 {
			got := p.solve(context.Background(), p.empty(), 2+r.IntN(15))
			if got.rule.Better(&want.rule) || want.rule.Better(&got.rule) || !got.proved() {
				t.Fatalf("seed %d: several workers found %v with bound %d, want %v", seed, got.rule, got.bound, want.rule)
			}
		}
	}
	if handed < 100 {
		t.Errorf("%d tasks were handed out", handed)
	}
}

// TestCutShortTasksStayOpen: when the run ends early, each branch counts its tasks that
// nobody took and the one that was cut short, and the bound covers them.
func TestCutShortTasksStayOpen(t *testing.T) {
	short := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 6))
		p := planted(t, r, 400, 36)
		best := p.solve(context.Background(), p.empty(), 1).rule.value
		s, root, branches := p.begin(p.empty(), 2)
		s.divide(branches)
		s.tasks.wanted.Store(many)
		most := int32(r.IntN(12))
		s.run.Do(context.Background(), parallel.Watch{}, func(worker int) {
			if worker == 0 {
				s.walker().work(root)
				return
			}
			for many-s.tasks.wanted.Load() < most { // tasks handed out, before the end
				s.tasks.mu.Lock()
				over := len(s.tasks.list) == 0 && s.tasks.busy == 0
				s.tasks.mu.Unlock()
				if over {
					break
				}
				runtime.Gosched()
			}
			s.run.Halt(parallel.Interrupted)
		})
		open, waiting := 0, map[*branch]int{}
		for _, t := range s.tasks.list {
			waiting[t.branch]++
		}
		for _, b := range branches {
			open += b.tasks - waiting[b]
			if b.tasks < waiting[b] || b.tasks > waiting[b]+1 {
				t.Fatalf("seed %d: a branch counts %d tasks, %d of them wait", seed, b.tasks, waiting[b])
			}
		}
		if got := s.solution(branches); open > 1 || got.bound < best {
			t.Fatalf("seed %d: one worker was cut short %d times; the bound is %d, a rule is worth %d", seed, open, got.bound, best)
		}
		short += open
	}
	if short == 0 {
		t.Error("no task was cut short")
	}
}

// planted makes a subproblem of random points, most of which are worth something if
// they satisfy a rule of seven literals.
func planted(t *testing.T, r *rand.Rand, n, d int) *problem {
	columns := make([]*bitset.BitSet, d)
	for j := range columns {
		columns[j] = bitset.New(uint(n))
		for i := range n {
			columns[j].SetTo(uint(i), r.IntN(6) > 0)
		}
	}
	labels, few := bitset.New(uint(n)), r.Perm(d)[:7]
	for i := range n {
		all := !slices.ContainsFunc(few, func(j int) bool { return !columns[j].Test(uint(i)) })
		labels.SetTo(uint(i), all != (r.IntN(8) == 0))
	}
	pts := must.Get(instance.PointsFromSet(given.Set(columns, labels, nil, n)))(t)
	return newProblem(pts, pts.Weights[1], pts.Weights[0], 1, 99)
}
