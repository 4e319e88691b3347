package search

// This file solves a subproblem exactly, by branch and bound over the rules.
//
// A node is a rule R; T are the points that it covers, P and N what those of
// positive and negative worth are worth together. Each literal k that may still be
// added has P_k and N_k, the same of T∩k. The children of R take literals in
// ascending order of P_k, and child q may add later literals only, so every rule
// is reached once. A rule is dropped only if a better one exists in the order of
// rule.better. The arguments, each for a rule R' that contains R:
//
//   - Price. Adding k to R' excludes negatives of T only, at most N − N_k. If that
//     is ≤ λ, R' without k is no worse and shorter: k is dropped below R.
//   - Leaf. A rule with k and another literal gains at most P_k and has at least
//     |R|+2 literals; and from R∪k on, at most N_k can still be excluded. If
//     P_k − λ(|R|+2) cannot beat the incumbent, or N_k ≤ λ, then R∪k is the only
//     rule with R and k that matters: it is evaluated, and k is dropped below R and
//     from all siblings.
//   - Critical literals. If the negatives that only literal j of R excludes are
//     worth ≤ λ together, R' without j is no worse and shorter (these negatives
//     only become fewer below R). So only minimal generators survive.
//   - Pairs. Below R∪q, literal r matters only if it can earn its price there, if q
//     keeps earning its own beside r (N_r − N_qr > λ), and if P_qr − λ(|R|+2) can
//     beat the incumbent.
//   - Bound of a child, see bound.go.
//   - Dominance, see dominance.go.
//
// Yang et al. (NeurIPS 2021) solve the subproblem by local search and mention a
// branch and bound of their own without describing it; this is another one.

import (
	"cmp"
	"slices"
	"sync/atomic"

	"parcorels/bitvec"
)

// candidate is a literal that may be added to a rule, with what the points that
// would be left are worth.
type candidate struct {
	column int
	p, n   int64
}

// shared is what the workers of a subproblem share.
type shared struct {
	root *problem
	best atomic.Pointer[rule]
	stop *atomic.Bool
}

// offer makes r the incumbent if it is better. It copies r.
func (s *shared) offer(r *rule) {
	for {
		old := s.best.Load()
		if !r.better(old) {
			return
		}
		fresh := &rule{r.value, slices.Clone(r.literals)}
		if s.best.CompareAndSwap(old, fresh) {
			return
		}
	}
}

// walker goes through the rules below one literal of the root, depth first. Its
// buffers are used again from rule to rule and from branch to branch.
type walker struct {
	*shared
	p      *problem // the root's, or that of the points of the first literal
	atRoot []int    // by column of p: which one it is of the root's; nil if p is the root's
	chosen []int    // the rule: names of literals, in the order in which they were taken
	frames []*frame
	prog   bitvec.Program
	g1, g0 []int64
	sorted []int64 // of boundBelow
	trial  rule    // of evaluate
	nodes  int64
	limit  int64 // of nodes, at which expand gives up
}

// frame is a rule on the way down.
type frame struct {
	set        []uint64
	gain, loss int64 // P and N
	candidates []candidate
	critical   [][]uint64 // by literal of the rule: the negatives that only it excludes; of the first literal in the root's layout
}

// frame returns the frame of a depth, empty.
func (w *walker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[depth]
	f.candidates = f.candidates[:0]
	return f
}

// sized returns a set of n words in the memory of set, if that is enough.
func sized(set []uint64, n int) []uint64 {
	if cap(set) < n {
		return make([]uint64, n)
	}
	return set[:n]
}

// evaluate offers the rule chosen and k, of the given value.
func (w *walker) evaluate(name int, value int64) {
	best := w.best.Load()
	if !best.admits(value, len(w.chosen)+1) {
		return
	}
	w.trial.value = value
	w.trial.literals = append(append(w.trial.literals[:0], w.chosen...), name)
	slices.Sort(w.trial.literals)
	w.offer(&w.trial)
}

// filter evaluates each rule that is one literal longer than that of f, drops the
// literals of which nothing better can come, and sorts those that are left by
// ascending P_k, equal ones by column.
func (w *walker) filter(f *frame) {
	length := int64(len(w.chosen))
	kept := f.candidates[:0]
	for _, c := range f.candidates {
		if f.loss-c.n <= w.p.λ {
			continue // price
		}
		w.evaluate(w.p.names[c.column], c.p-c.n-w.p.λ*(length+1))
		if c.n <= w.p.λ || !w.best.Load().admits(c.p-w.p.λ*(length+2), len(w.chosen)+2) {
			continue // leaf
		}
		kept = append(kept, c)
	}
	slices.SortFunc(kept, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.column, b.column))
	})
	f.candidates = kept
}

// expand goes through all rules below the one chosen, whose frame is at depth.
// It reports whether it finished; if not, the limit or the stop cut it short, and
// chosen is not what it was.
func (w *walker) expand(depth int) bool {
	f := w.frames[depth]
	w.nodes++
	for i := range f.candidates {
		if w.nodes >= w.limit || w.stop.Load() {
			return false
		}
		if !w.enter(f, i, depth+1) {
			continue
		}
		done := w.expand(depth + 1)
		w.chosen = w.chosen[:len(w.chosen)-1]
		if !done {
			return false
		}
	}
	return true
}

// enter makes the frame of child q = f.candidates[i], which may add the later
// candidates, at depth. It reports whether anything is left below it; then q is
// chosen.
func (w *walker) enter(f *frame, i, depth int) bool {
	q, later := f.candidates[i], f.candidates[i+1:]
	if !w.admitsBelow(f, q, later) {
		return false
	}
	child := w.frame(depth)
	column := w.p.in.Columns[q.column]
	if !w.keepsCritical(child, f, q) {
		return false
	}
	child.set = sized(child.set, w.p.in.Words)
	bitvec.And(child.set, f.set, column)
	child.gain, child.loss = q.p, q.n
	w.countAll(child, later)
	w.keepEligible(child, f, q, later)
	w.chosen = append(w.chosen, w.p.names[q.column])
	if len(child.candidates) > 0 {
		w.filter(child)
		w.bound(child)
	}
	if len(child.candidates) == 0 {
		w.chosen = w.chosen[:len(w.chosen)-1]
		return false
	}
	return true
}

// keepsCritical makes the critical sets of f's rule and q, and reports whether
// every literal still earns its price.
func (w *walker) keepsCritical(child, f *frame, q candidate) bool {
	n := len(w.chosen)
	for len(child.critical) <= n {
		child.critical = append(child.critical, nil)
	}
	for j := range n {
		p, column := w.p, q.column
		if j == 0 && w.atRoot != nil {
			p, column = w.root, w.atRoot[q.column]
		}
		child.critical[j] = sized(child.critical[j], p.in.Words)
		bitvec.And(child.critical[j], f.critical[j], p.in.Columns[column])
		if _, g0 := p.in.Planes.Cost(child.critical[j]); g0 <= p.λ {
			return false
		}
	}
	child.critical[n] = sized(child.critical[n], w.p.in.Words)
	bitvec.AndNot(child.critical[n], f.set, w.p.in.Columns[q.column])
	return true
}

// countAll appends the later literals to the child's candidates, with what is
// left of its points in each. A pass over the whole matrix takes less than
// one for each literal if at least a third of the columns are wanted.
func (w *walker) countAll(child *frame, later []candidate) {
	if 3*len(later) < w.p.matrix.Columns() {
		for _, r := range later {
			r.p, r.n = w.p.in.Planes.CostAnd(child.set, w.p.in.Columns[r.column])
			child.candidates = append(child.candidates, r)
		}
		return
	}
	n := w.p.matrix.Blocks() * bitvec.Lanes
	if cap(w.g1) < n {
		w.g1, w.g0 = make([]int64, n), make([]int64, n)
	}
	g1, g0 := w.g1[:n], w.g0[:n]
	w.p.in.Planes.Compile(&w.prog, child.set)
	w.p.matrix.Count(&w.prog, 0, w.p.matrix.Blocks(), g1, g0)
	for _, r := range later {
		child.candidates = append(child.candidates, candidate{r.column, g1[r.column], g0[r.column]})
	}
}

// keepEligible keeps of the child's candidates, which have the counts of pairs,
// those that may be in a better rule together with q.
func (w *walker) keepEligible(child, f *frame, q candidate, later []candidate) {
	best, length := w.best.Load(), len(w.chosen)
	kept := child.candidates[:0]
	for i, r := range child.candidates {
		if min(f.loss-later[i].n, q.n-r.n) > w.p.λ && later[i].n-r.n > w.p.λ &&
			best.admits(r.p-w.p.λ*int64(length+2), length+2) {
			kept = append(kept, r)
		}
	}
	child.candidates = kept
}
