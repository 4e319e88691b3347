package search

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"parcorels/parallel"
)

// solution is what is known of a subproblem: the best rule found, and a bound on
// the value of every rule. They are equal if the rule is proved to be the best.
type solution struct {
	rule  rule
	bound int64
	nodes int64
}

func (s *solution) proved() bool { return s.bound == s.rule.value }

// solve finds the best rule with some workers, beginning with an incumbent. It ends early when ctx
// does; the bound then covers what is left.
func (p *problem) solve(ctx context.Context, incumbent rule, workers int) solution {
	s, root, branches := p.begin(incumbent, workers)
	if len(branches) == 0 {
		return s.solution(nil)
	}
	s.divide(branches)
	var nodes atomic.Int64
	s.run.Do(ctx, parallel.Watch{}, func(int) {
		w := s.walker()
		w.work(root)
		nodes.Add(w.nodes)
	})
	found := s.solution(branches)
	found.nodes = nodes.Load()
	return found
}

// begin returns a search by some workers, with the frame of the empty rule and the branches.
func (p *problem) begin(incumbent rule, workers int) (s *shared, root *frame, branches []*branch) {
	s = &shared{root: p, run: parallel.NewRun(parallel.Limits{Workers: workers})}
	s.best.Offer(&incumbent)
	empty := p.empty()
	s.best.Offer(&empty)
	first := s.walker()
	branches = first.branches()
	return s, first.frames[0], branches
}

func (s *shared) walker() *walker { return &walker{shared: s, p: s.root} }

// solution is what is known when the branches are done, or cut short.
func (s *shared) solution(branches []*branch) solution {
	best := s.best.Load()
	found := solution{rule: *best, bound: best.value}
	for _, b := range branches {
		if b.tasks > 0 {
			found.bound = max(found.bound, b.bound)
		}
	}
	return found
}

// branches evaluates all rules of one literal, makes the frame of the empty rule and
// returns the branches that may hold a better one, the most promising first.
func (w *walker) branches() []*branch {
	f, s := w.frame(0), w.shared
	f.set = append(f.set[:0], s.root.all...)
	_, f.loss = s.root.in.Planes.Cost(f.set)
	g1, g0 := w.countColumns(f.set)
	for c := range w.p.in.Columns {
		f.candidates = append(f.candidates, candidate{column: c, p: g1[c], n: g0[c]})
	}
	w.filter(f)
	w.dominated(f)
	var branches []*branch
	for i := range f.candidates {
		bound := w.boundBelow(f, i)
		if s.best.Load().admits(bound, 2) {
			branches = append(branches, &branch{index: i, bound: bound, tasks: 1})
		}
	}
	slices.SortStableFunc(branches, func(a, b *branch) int { return cmp.Compare(b.bound, a.bound) })
	return branches
}

// branch goes through the rules that begin with a literal of the root. It reports
// whether it finished.
func (w *walker) branch(root *frame, b *branch) bool {
	w.frame(0)
	w.chosen = w.chosen[:0]
	if !w.run.Running() {
		return false
	}
	if !w.enter(root, b.index, 1) {
		return true
	}
	w.dominated(w.frames[1])
	return w.below(root, b.index, 1)
}
