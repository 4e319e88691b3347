package search

import (
	"context"
	"testing"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/prune"
	"parcorels/trie"
)

// large returns a search over a large instance, about to begin.
func large(t *testing.T) *search {
	t.Helper()
	in := testgen.Reduced(t, testgen.Large())
	o := Options{Lambda: ratio.New(1, 100000), Workers: 1}
	p := laidOut(t, in, o)
	s := newSearch(p, o.withDefaults())
	if !s.build() {
		t.Fatal("the structures do not fit into no limit")
	}
	if p.Matrix.Blocks() <= p.Matrix.Slice() {
		t.Fatal("a count of this instance is one slice")
	}
	return s
}

// TestStopIsSeenWithinASlice: once the search is stopped, nothing goes on for
// longer than a slice of a count, and what a prefix left open stays open.
func TestStopIsSeenWithinASlice(t *testing.T) {
	s := large(t)
	w := newWorker(s, 0)
	w.trie.Pin()
	defer w.trie.Unpin()
	f := w.stack.frame(0)
	f.Load(s.p, s.arena, trie.Root)
	if !f.Count(s.p, s.run.Running) {
		t.Fatal("the count was stopped, but not the search")
	}
	c := prune.Candidate{Left: make([]uint64, s.p.Words)}
	if !w.open(f, 0, &c.Child) {
		t.Fatal("the first child is closed without a look")
	}
	s.run.Halt(parallel.TimeLimit)
	if f.Count(s.p, s.run.Running) {
		t.Error("a count goes on after the search was stopped")
	}
	bitvec.AndNot(c.Left, f.U, s.p.Columns[0])
	before := w.Evaluations
	if w.prunings.ClosesLeft(f, &c) || w.Evaluations > before+bitvec.Lanes {
		t.Errorf("look-ahead evaluated %d columns more and may have closed the child", w.Evaluations-before)
	}
	if w.examine(f) {
		t.Error("an examination that was cut short is taken for a whole one")
	}
	if bound, open := s.queue.BestBound(); open {
		t.Errorf("the bound %d is of a prefix that no queue ever had", bound)
	}
}

// TestStopBeforeTheSearch: the time may end, or the context, while the columns
// are laid out. The answer is the empty list with the bound of the root.
func TestStopBeforeTheSearch(t *testing.T) {
	s := large(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		time time.Duration
		want parallel.Status
	}{{t.Context(), 1, parallel.TimeLimit}, {ended, 0, parallel.Interrupted}, {ended, 1, parallel.Interrupted}} {
		o := s.o
		o.Time = c.time
		r, err := Solve(c.ctx, s.p.In, o)
		if err != nil || r.Status != c.want || r.Stats.Live > 0 || len(r.Rules) > 0 || r.Objective != s.p.EmptyObjective() {
			t.Errorf("%+v, %v; want the empty list with status %v", r, err, c.want)
		}
		if want := s.p.RootCost() + s.p.Price; r.LowerBound != want {
			t.Errorf("lower bound %d, want %d", r.LowerBound, want)
		}
	}
}
