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

// solve finds the best rule, beginning with an incumbent. It ends early when ctx
// does; the bound then covers what is left.
func (p *problem) solve(ctx context.Context, incumbent rule, all *walkers) solution {
	s, first, branches := p.begin(p.columns(), incumbent, all, all.most)
	defer all.put(first)
	if len(branches) == 0 {
		return s.solution(nil)
	}
	s.divide(branches)
	if ctx.Err() != nil {
		s.run.Halt(parallel.Interrupted) // before the monitor says so
	}
	var nodes atomic.Int64
	root := first.frames[0]
	s.run.Do(ctx, parallel.Watch{}, func(int) {
		w := s.walker()
		defer all.put(w)
		w.work(root)
		nodes.Add(w.nodes)
	})
	found := s.solution(branches)
	found.nodes = nodes.Load()
	return found
}

// solveFew finds the best rule of a few columns, beginning with an incumbent, in the
// goroutine that calls it.
func (p *problem) solveFew(columns []int, incumbent rule, all *walkers) rule {
	s, first, branches := p.begin(columns, incumbent, all, 1)
	defer all.put(first)
	w := s.walker()
	defer all.put(w)
	for _, b := range branches {
		w.branch(first.frames[0], b)
	}
	return *s.best.Load()
}

// begin prepares a search of some columns by some workers. It returns a walker that has
// the frame of the empty rule, to be put back after the search, and the branches.
func (p *problem) begin(columns []int, incumbent rule, all *walkers, workers int) (*shared, *walker, []*branch) {
	s := &shared{root: p, walkers: all, run: parallel.NewRun(parallel.Limits{Workers: workers})}
	s.best.Offer(&incumbent)
	empty := p.empty()
	s.best.Offer(&empty)
	w := s.walker()
	return s, w, w.branches(columns)
}

// walker returns a walker of the search with memory of earlier ones.
func (s *shared) walker() *walker {
	w := s.walkers.take()
	w.shared, w.p, w.nodes, w.branchOf = s, s.root, 0, nil
	w.chosen = w.chosen[:0]
	return w
}

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

// branches evaluates all rules of one of the columns, makes the frame of the empty rule and
// returns the branches that may hold a better one, the most promising first.
func (w *walker) branches(columns []int) []*branch {
	f, s := w.frame(0), w.shared
	f.set = append(f.set[:0], s.root.all...)
	_, f.loss = s.root.in.Planes.Cost(f.set)
	w.count(f, columns)
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

// count makes columns the candidates of f.
func (w *walker) count(f *frame, columns []int) {
	g1, g0 := w.countColumns(f.set)
	f.candidates = f.candidates[:0]
	for _, c := range columns {
		f.candidates = append(f.candidates, candidate{column: c, p: g1[c], n: g0[c]})
	}
}
