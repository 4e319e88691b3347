package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// solution is what is known of a subproblem: the best rule found, and a bound on
// the value of every rule. They are equal if the rule is proved to be the best.
type solution struct {
	rule  rule
	bound int64
	nodes int64
}

func (s *solution) proved() bool { return s.bound == s.rule.value }

// branch is a literal of the root with all later ones, and a bound on the rules
// that begin with it.
type branch struct {
	index int
	bound int64
	open  atomic.Bool
}

// solve finds the best rule of some columns of p (nil: of all), beginning with an
// incumbent. It ends early when
// ctx does; the bound then covers what is left.
//
// The branches of the root are independent: workers take them in descending order
// of their bounds and share the incumbent. With many workers the last branches
// decide; with d literals there are at most d of them, so that d/10 workers are
// kept busy.
func (p *problem) solve(ctx context.Context, columns []int, incumbent rule, workers int) solution {
	s := &shared{root: p, stop: &atomic.Bool{}}
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	if ctx.Err() != nil {
		s.stop.Store(true) // AfterFunc takes a goroutine to say so
	}
	s.best.Store(&incumbent)
	empty := p.empty()
	s.offer(&empty)
	root, branches := s.branches(columns)

	var next, nodes atomic.Int64
	group := errgroup.Group{}
	for range min(workers, max(1, len(branches))) {
		group.Go(func() error {
			w := &walker{shared: s}
			for i := next.Add(1) - 1; i < int64(len(branches)); i = next.Add(1) - 1 {
				w.branch(root, branches[i])
			}
			nodes.Add(w.nodes)
			return nil
		})
	}
	_ = group.Wait() // no worker returns an error
	best := s.best.Load()
	result := solution{rule: *best, bound: best.value, nodes: nodes.Load()}
	for _, b := range branches {
		if b.open.Load() {
			result.bound = max(result.bound, b.bound)
		}
	}
	return result
}

// branches evaluates all rules of one of the columns (nil: all) and returns the frame of the empty
// rule with the branches that may hold a better one, the most promising first.
func (s *shared) branches(columns []int) (*frame, []*branch) {
	w := &walker{shared: s, p: s.root}
	f := w.frame(0)
	f.set = s.root.all
	f.gain, f.loss = s.root.in.Planes.Cost(f.set)
	if columns == nil {
		columns = s.root.columns()
	}
	w.countAll(f, candidates(columns))
	w.filter(f)
	w.dominated(f)
	var branches []*branch
	for i, q := range f.candidates {
		bound := w.boundOf(1, q.n, f.candidates[i+1:],
			func(c *candidate) int64 { return min(q.p, c.p) },
			func(c *candidate) int64 { return min(f.loss-c.n, q.n) })
		if s.best.Load().admits(bound, 2) {
			b := &branch{index: i, bound: bound}
			b.open.Store(true)
			branches = append(branches, b)
		}
	}
	slices.SortStableFunc(branches, func(a, b *branch) int { return cmp.Compare(b.bound, a.bound) })
	return f, branches
}

// smallBranch is how many rules of a branch are looked at before its points are
// put together, which takes as long as some hundred rules.
const smallBranch = 200

// branch goes through the rules that begin with a literal of the root. Where they
// are many, it begins again with the points that the later literals do not tell
// apart put together.
func (w *walker) branch(root *frame, b *branch) {
	w.frame(0)
	for _, limit := range []int64{w.nodes + smallBranch, math.MaxInt64} {
		if w.stop.Load() {
			return
		}
		w.p, w.atRoot, w.chosen = w.root, nil, w.chosen[:0]
		if !w.enter(root, b.index, 1) {
			b.open.Store(false)
			return
		}
		w.dominated(w.frames[1])
		if w.limit = limit; limit == math.MaxInt64 {
			w.condense(w.frames[1])
		}
		if w.expand(1) {
			b.open.Store(false)
			return
		}
	}
}

// condense replaces the problem by that of the points and candidates of f, if
// that is at most half as large. (Doing so again further down costs more than it
// saves.)
func (w *walker) condense(f *frame) {
	if len(f.candidates) == 0 {
		return
	}
	columns := make([]int, len(f.candidates))
	for i, c := range f.candidates {
		columns[i] = c.column
	}
	slices.Sort(columns)
	smaller := w.p.restrict(f.set, columns)
	if 2*smaller.in.Words > w.p.in.Words && 2*len(columns) > len(w.p.names) {
		return
	}
	w.p, w.atRoot = smaller, columns
	f.set = append(f.set[:0], smaller.all...)
	f.gain, f.loss = smaller.in.Planes.Cost(f.set)
	f.candidates = f.candidates[:0]
	w.countAll(f, candidates(w.p.columns()))
	w.filter(f)
	w.bound(f)
}

// candidates makes candidates of columns, without counts.
func candidates(columns []int) []candidate {
	all := make([]candidate, len(columns))
	for i, c := range columns {
		all[i].column = c
	}
	return all
}
