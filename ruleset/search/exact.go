package search

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

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
//   - Pairs. Below R∪q, literal r matters only if it can earn its price there, if q
//     keeps earning its own beside r (N_r − N_qr > λ), and if P_qr − λ(|R|+2) can
//     beat the incumbent. Before these are counted, P_qr ≤ min(P_q, P_r) and
//     N_qr ≥ max(0, N_q + N_r − N).
//   - Bound of a child, see bound.go.
//   - Dominance, see dominance.go.
//   - Length. A rule of as many literals as one may have is a leaf. All that is dropped above
//     is dropped for a rule that is no longer, and each bound is one on more rules.
//
// Yang et al. (NeurIPS 2021) solve the subproblem by local search and mention a
// branch and bound of their own without describing it; this is another one.

// frame returns the frame of a depth, empty.
func (w *walker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		w.frames = append(w.frames, &frame{})
	}
	f := w.frames[depth]
	f.candidates = f.candidates[:0]
	return f
}

// evaluate offers the rule chosen and some more literals, of the given value.
func (w *walker) evaluate(value int64, more ...int) {
	if n := len(w.chosen) + len(more); n > w.p.most || !w.best.Load().admits(value, n) {
		return
	}
	w.trial.value = value
	w.trial.literals = append(append(w.trial.literals[:0], w.chosen...), more...)
	slices.Sort(w.trial.literals)
	if w.trial.Better(w.best.Load()) && w.p.rows.enough(w.trial.literals) {
		w.best.Offer(&rule{value, slices.Clone(w.trial.literals)})
	}
}

// filter evaluates each rule that is one literal longer than that of f, drops the
// literals of which nothing better can come, and sorts those that are left.
func (w *walker) filter(f *frame) {
	kept := f.candidates[:0]
	for _, c := range f.candidates {
		if f.loss-c.n <= w.p.λ {
			continue // price
		}
		w.evaluate(c.p-c.n-w.p.λ*int64(len(w.chosen)+1), c.column)
		if w.isLeaf(c.p, c.n, len(w.chosen)+1) {
			continue
		}
		kept = append(kept, c)
	}
	f.candidates = kept
	f.sort()
}

// isLeaf reports whether no better rule contains one of n literals that covers
// gain and loss and has more literals.
func (w *walker) isLeaf(gain, loss int64, n int) bool {
	return n >= w.p.most || loss <= w.p.λ || !w.best.Load().admits(gain-w.p.λ*int64(n+1), n+1)
}

// sort puts the candidates in ascending order of p, equal ones by column.
func (f *frame) sort() {
	slices.SortFunc(f.candidates, func(c, d candidate) int {
		if c.p != d.p {
			return cmp.Compare(c.p, d.p)
		}
		return c.column - d.column
	})
}

// descend goes through the rules below the children, from one on, of the frame at
// depth. It hands out those that other workers wait for. It reports whether it finished;
// if not, the run was stopped.
func (w *walker) descend(depth, from int) bool {
	f := w.frames[depth]
	end := len(f.candidates)
	for i := from; i < end; i++ {
		if !w.run.Running() {
			return false
		}
		if !w.enter(f, i, depth+1) {
			continue
		}
		if i+1 < end && w.isWanted(depth) && w.handOut(f, i+1, depth) {
			end = i + 1
		}
		if !w.below(f, i, depth+1) {
			return false
		}
	}
	return true
}

// below goes through the rules below child i of f, whose frame is at depth.
func (w *walker) below(f *frame, i, depth int) bool {
	n := len(w.chosen)
	w.chosen = append(w.chosen, f.candidates[i].column)
	w.nodes++
	done := w.descend(depth, 0)
	w.chosen = w.chosen[:n]
	return done
}

// enter makes the frame at depth of child q = f.candidates[i], which may add the later
// candidates. It reports whether anything is left below it.
func (w *walker) enter(f *frame, i, depth int) bool {
	child, q := w.frame(depth), f.candidates[i]
	if !w.foresee(child, f, i) || !w.p.rows.enough(w.chosen, q.column) {
		return false
	}
	child.set = slices.Grow(child.set[:0], w.p.in.Words)[:w.p.in.Words]
	bitvec.And(child.set, f.set, w.p.in.Columns[q.column])
	return w.fill(child, q)
}

// foresee gives the child the later candidates of f that may matter below it, as far as the counts
// of f tell. It reports whether a rule below the child could beat the incumbent.
func (w *walker) foresee(child, f *frame, i int) bool {
	q, λ, n := f.candidates[i], w.p.λ, len(w.chosen)+2
	most := q.p - λ*int64(n-1) // candidates ascend by p
	best := w.best.Load()
	if !best.admits(most-λ, n) {
		return false
	}
	for _, r := range f.candidates[i+1:] {
		loss := max(0, q.n+r.n-f.loss)
		if q.n-loss <= λ || r.n-loss <= λ {
			continue
		}
		child.candidates = append(child.candidates, r)
	}
	return len(child.candidates) > 0
}

// fill counts the candidates of child q, evaluates the rules that are one literal longer, and
// drops the candidates of which nothing better can come. It reports whether a rule further down
// could beat the incumbent. A pass over the whole matrix takes less than one for each literal if
// at least a third of the columns are wanted.
func (w *walker) fill(child *frame, q candidate) bool {
	λ, n, kept := w.p.λ, len(w.chosen)+2, child.candidates[:0]
	var g1, g0 []int64
	if 3*len(child.candidates) >= w.p.matrix.Columns() {
		g1, g0 = w.countColumns(child.set)
	}
	child.loss = q.n
	for _, r := range child.candidates {
		x := candidate{column: r.column}
		if g1 != nil {
			x.p, x.n = g1[r.column], g0[r.column]
		} else {
			x.p, x.n = w.p.in.Planes.CostAnd(child.set, w.p.in.Columns[r.column])
		}
		if q.n-x.n <= λ || r.n-x.n <= λ { // r, or q, does not earn its price
			continue
		}
		w.evaluate(x.p-x.n-λ*int64(n), q.column, r.column)
		if !w.isLeaf(x.p, x.n, n) {
			kept = append(kept, x)
		}
	}
	child.candidates = kept
	child.sort()
	bound := w.boundOf(n-1, child.loss, child.candidates,
		func(c *candidate) int64 { return c.p },
		func(c *candidate) int64 { return child.loss - c.n })
	return w.best.Load().admits(bound, n)
}

// countColumns returns what is left of set in each column.
func (w *walker) countColumns(set []uint64) (g1, g0 []int64) {
	n := w.p.matrix.Blocks() * bitvec.Lanes
	w.g1, w.g0 = slices.Grow(w.g1[:0], n)[:n], slices.Grow(w.g0[:0], n)[:n]
	w.p.in.Planes.Compile(&w.prog, set)
	w.p.matrix.Count(&w.prog, 0, w.p.matrix.Blocks(), w.g1, w.g0)
	return w.g1, w.g0
}
