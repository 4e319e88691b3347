package search

import (
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
//   - Critical literals. If the negatives that only literal j of R excludes are
//     worth ≤ λ together, R' without j is no worse and shorter (these negatives
//     only become fewer below R). So only minimal generators survive.
//   - Pairs. Below R∪q, literal r matters only if it can earn its price there, if q
//     keeps earning its own beside r (N_r − N_qr > λ), and if P_qr − λ(|R|+2) can
//     beat the incumbent.
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

// sized returns a set of n words in the memory of set, if that is enough.
func sized(set []uint64, n int) []uint64 {
	if cap(set) < n {
		return make([]uint64, n)
	}
	return set[:n]
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

// sort puts the candidates in ascending order of p, equal ones by column. They are
// few, and often nearly in order, as they were above; many are sorted with steps (Shell).
func (f *frame) sort() {
	all := f.candidates
	for _, step := range [...]int{701, 301, 132, 57, 23, 1} {
		if step > 1 && len(all) <= 64 {
			continue
		}
		for i := step; i < len(all); i++ {
			c, k := all[i], i
			for ; k >= step && c.before(&all[k-step]); k -= step {
				all[k] = all[k-step]
			}
			all[k] = c
		}
	}
}

// before is the order of candidates.
func (c *candidate) before(d *candidate) bool {
	return c.p < d.p || c.p == d.p && c.column < d.column
}

// expand goes through all rules below the one chosen, whose frame is at depth;
// above is the frame above if its pairs are of use. It counts all children before
// it goes down, so that they know their pairs. It reports whether it finished;
// if not, the run was stopped.
func (w *walker) expand(depth int, above *frame) bool {
	f := w.frames[depth]
	w.nodes++
	f.open = f.open[:0]
	if f.keepsPairs() {
		for i := range f.candidates {
			if !w.run.Running() {
				return false
			}
			f.open = append(f.open, w.enter(f, i, depth+1, above))
		}
	}
	return w.descend(depth, 0)
}

// descend goes through the rules below the children, from one on, of the frame at
// depth, whose children are counted if it keeps pairs. It hands out those that other
// workers wait for.
func (w *walker) descend(depth, from int) bool {
	f := w.frames[depth]
	above, end := f, len(f.candidates)
	if !f.keepsPairs() {
		above = nil
	}
	for i := from; i < end; i++ {
		if !w.run.Running() {
			return false
		}
		if above != nil {
			if !f.open[i] || !w.reenter(f, i, depth+1) {
				continue
			}
		} else if !w.enter(f, i, depth+1, nil) {
			continue
		}
		if i+1 < end && w.isWanted(depth) && w.handOut(f, i+1, depth) {
			end = i + 1
		}
		if !w.below(f, i, depth+1, above) {
			return false
		}
	}
	return true
}

// below goes through the rules below child i of f, whose frame is at depth.
func (w *walker) below(f *frame, i, depth int, above *frame) bool {
	n := len(w.chosen)
	w.chosen = append(w.chosen, f.candidates[i].column)
	done := w.expand(depth, above)
	w.chosen = w.chosen[:n]
	return done
}

// enter counts child q = f.candidates[i], which may add the later candidates,
// and makes its frame at depth. It reports whether anything is left below it.
func (w *walker) enter(f *frame, i, depth int, above *frame) bool {
	row := f.row(i)
	if !w.foresee(f, i, row, above) || !w.p.rows.enough(w.chosen, f.candidates[i].column) {
		return false
	}
	child := w.frame(depth)
	if !w.cover(child, f, i) {
		return false
	}
	w.countRow(f, i, row, child.set)
	return w.fill(child, f, i)
}

// reenter makes the frame of a child that has been counted.
func (w *walker) reenter(f *frame, i, depth int) bool {
	child := w.frame(depth)
	return w.fill(child, f, i) && w.cover(child, f, i)
}

// cover makes the points and the critical sets of child i of f, and reports
// whether every literal still earns its price.
func (w *walker) cover(child, f *frame, i int) bool {
	q := f.candidates[i]
	n := len(w.chosen)
	for len(child.critical) <= n {
		child.critical = append(child.critical, nil)
	}
	column := w.p.in.Columns[q.column]
	for j := range n {
		child.critical[j] = sized(child.critical[j], w.p.in.Words)
		bitvec.And(child.critical[j], f.critical[j], column)
		if _, g0 := w.p.in.Planes.Cost(child.critical[j]); g0 <= w.p.λ {
			return false
		}
	}
	child.critical[n] = sized(child.critical[n], w.p.in.Words)
	bitvec.AndNot(child.critical[n], f.set, column)
	child.set = sized(child.set, w.p.in.Words)
	bitvec.And(child.set, f.set, column)
	return true
}

// fill makes the candidates of child q = f.candidates[i] from the counts of its
// pairs, evaluates the rules that are one literal longer, and marks the pairs of
// which nothing better can come. It reports whether a rule further down could
// beat the incumbent.
func (w *walker) fill(child, f *frame, i int) bool {
	q, row, λ := f.candidates[i], f.row(i), w.p.λ
	n := len(w.chosen) + 2
	child.loss, child.candidates = q.n, child.candidates[:0]
	for t := i + 1; t < len(f.candidates); t++ {
		x, r := &row[t], &f.candidates[t]
		if x.gain == nothing {
			continue
		}
		if q.n-x.loss <= λ || r.n-x.loss <= λ { // r, or q, does not earn its price
			*x = useless
			continue
		}
		w.evaluate(x.gain-x.loss-λ*int64(n), q.column, r.column)
		if w.isLeaf(x.gain, x.loss, n) {
			*x = useless
			continue
		}
		child.candidates = append(child.candidates, candidate{r.column, t, x.gain, x.loss})
	}
	if len(child.candidates) == 0 {
		return false
	}
	w.spread.reset(len(w.p.in.Columns))
	most := int64(nothing)
	for i := range child.candidates {
		c := &child.candidates[i]
		most = max(most, c.p)
		w.spread.add(child.loss-c.n, w.p.chain[c.column])
	}
	if !w.spread.within(w.best.Load().room(most-λ*int64(n-1), n), child.loss, λ) {
		return false
	}
	child.sort()
	bound := w.boundOf(n-1, child.loss, child.candidates,
		func(c *candidate) int64 { return c.p },
		func(c *candidate) int64 { return child.loss - c.n })
	return w.best.Load().admits(bound, n)
}
