package search

import (
	"slices"
	"sort"
)

// This file bounds the rules below a child.
//
// Let R' add the literals S, at least one, to a rule that covers gain P and
// loss N. Literal r of S covers at most p_r of the gain, and excludes at most u_r of
// the loss. So with s = |S|, v(R') is at most
//
//	min over r in S of p_r − max(0, N − Σ of the s largest u_r) − λ·(length + s).
//
// Take the candidates by descending p. If the last one of S in that order is
// the i-th, the first term is p_i, and the u of S are among those of the first i.
// Every u exceeds λ (others were dropped), so the sum of the other two terms falls
// with s until N is used up: the least is where it is, or one before.

// boundOf returns the most that a rule below can be worth: length literals are
// chosen, gain and loss are what they cover, and literal r, of candidates in
// ascending order of p, excludes at most exclude(r). It returns less than
// anything if there is no candidate.
func (w *walker) boundOf(length int, loss int64, ascending []candidate, p, exclude func(c *candidate) int64) int64 {
	best := int64(-maxValue * 2)
	sorted := w.sorted[:0]
	for i := len(ascending) - 1; i >= 0; i-- {
		c := &ascending[i]
		covered := p(c)
		if covered-w.p.λ*int64(length+1) <= best {
			break // p only falls from here, and no rule costs less
		}
		u := exclude(c)
		at := sort.Search(len(sorted), func(k int) bool { return sorted[k] <= u })
		sorted = slices.Insert(sorted, at, u)
		best = max(best, covered-leastCost(sorted, loss, w.p.λ)-w.p.λ*int64(length))
	}
	w.sorted = sorted
	return best
}

// leastCost returns the least of max(0, loss − the s largest of u) + λ·s over
// s ≥ 1, where u is descending and each of it exceeds λ.
func leastCost(u []int64, loss, λ int64) int64 {
	cost, left := int64(0), loss
	for i, x := range u {
		cost += λ
		if x >= left {
			if i == 0 {
				return cost
			}
			return min(cost, cost-λ+left)
		}
		left -= x
	}
	return cost + left
}

// admitsBelow reports whether anything below child q of f could beat the
// incumbent, by the counts of f alone: a literal excludes at most what it
// excludes at f, and all that q leaves.
func (w *walker) admitsBelow(f *frame, q candidate, later []candidate) bool {
	length := len(w.chosen) + 1
	bound := w.boundOf(length, q.n, later,
		func(c *candidate) int64 { return min(q.p, c.p) },
		func(c *candidate) int64 { return min(f.loss-c.n, q.n) })
	return w.best.Load().admits(bound, length+1)
}

// bound empties the candidates of the rule chosen, whose frame is f, if nothing
// below it could beat the incumbent.
func (w *walker) bound(f *frame) {
	length := len(w.chosen)
	bound := w.boundOf(length, f.loss, f.candidates,
		func(c *candidate) int64 { return c.p },
		func(c *candidate) int64 { return f.loss - c.n })
	if !w.best.Load().admits(bound, length+1) {
		f.candidates = f.candidates[:0]
	}
}
