package search

import (
	"cmp"
	"math/bits"
	"slices"
)

// This file bounds the rules below a child.
//
// Let R' add the literals S, at least one, to a rule that covers gain P and
// loss N. Literal r of S covers at most p_r of the gain, and excludes at most u_r of
// the loss. So with s = |S|, v(R') is at most
//
//	min over r in S of p_r − max(0, N − Σ of the s largest u_r) − λ·(length + s).
//
// The s largest are taken from different chains, as S has at most one literal of
// each.
//
// Take the candidates by descending p. If the last one of S in that order is
// the i-th, the first term is p_i, and the u of S are among those of the first i.
// Every u exceeds λ (others were dropped), so the sum of the other two terms falls
// with s until N is used up: the least is where it is, or one before.

// exclusions are the largest u of each chain, descending, up to those that use N
// up together. What lies behind these can never count again: the u before it only
// grow.
type exclusions struct {
	u     []int64
	chain []int32
}

func (e *exclusions) reset() { e.u, e.chain = e.u[:0], e.chain[:0] }

// add takes in a literal.
func (e *exclusions) add(u int64, chain int32) {
	for i, c := range e.chain {
		if c == chain {
			if e.u[i] >= u {
				return
			}
			e.u = append(e.u[:i], e.u[i+1:]...)
			e.chain = append(e.chain[:i], e.chain[i+1:]...)
			break
		}
	}
	e.u, e.chain = append(e.u, u), append(e.chain, chain)
	for i := len(e.u) - 1; i > 0 && e.u[i-1] < u; i-- {
		e.u[i], e.chain[i] = e.u[i-1], e.chain[i-1]
		e.u[i-1], e.chain[i-1] = u, chain
	}
}

// leastCost returns the least of max(0, loss − the s largest u) + λ·s over s ≥ 1,
// where each u exceeds λ.
func (e *exclusions) leastCost(loss, λ int64) int64 {
	cost, left := int64(0), loss
	for i, x := range e.u {
		cost += λ
		if x >= left {
			e.u, e.chain = e.u[:i+1], e.chain[:i+1]
			if i == 0 {
				return cost
			}
			return min(cost, cost-λ+left)
		}
		left -= x
	}
	return cost + left
}

// nothing is less than any rule is worth.
const nothing = -2 * maxValue

// boundOf returns the most that a rule below can be worth: length literals are
// chosen, loss is what they cover, and literal r, of candidates in ascending order
// of p, excludes at most exclude(r). It returns nothing if there is no candidate.
func (w *walker) boundOf(length int, loss int64, ascending []candidate, p, exclude func(c *candidate) int64) int64 {
	best := int64(nothing)
	w.most.reset()
	for i := len(ascending) - 1; i >= 0; i-- {
		c := &ascending[i]
		covered := p(c)
		if covered-w.p.λ*int64(length+1) <= best {
			break // p only falls from here, and no rule costs less
		}
		w.most.add(exclude(c), w.p.chain[c.column])
		best = max(best, covered-w.most.leastCost(loss, w.p.λ)-w.p.λ*int64(length))
	}
	return best
}

// boundBelow bounds the rules below child q of f by the counts of f alone: a
// literal excludes at most what it excludes at f, and all that q leaves.
func (w *walker) boundBelow(f *frame, i int) int64 {
	q := f.candidates[i]
	return w.boundOf(len(w.chosen)+1, q.n, f.candidates[i+1:],
		func(c *candidate) int64 { return min(q.p, c.p) },
		func(c *candidate) int64 { return min(f.loss-c.n, q.n) })
}

// This file groups literals of which at most one can be in a best rule.
//
// If the points of literal j all satisfy k, a rule with both is no better than
// the same rule without k, which is shorter. So of literals that are nested in
// one another, such as x ≤ 3, x ≤ 5 and x ≤ 9, or a value of a category and
// the negation of another one, a best rule has one at most. The bounds of
// bound.go count one of each chain.

// chainsOf gives each column the number of its chain: a column joins the largest
// chain end that it contains, smallest columns first. Any partition into chains is
// sound.
func chainsOf(columns [][]uint64) []int32 {
	size := make([]int, len(columns))
	for j, c := range columns {
		for _, x := range c {
			size[j] += bits.OnesCount64(x)
		}
	}
	order := upTo(len(columns))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[a], size[b]) })
	chain := make([]int32, len(columns))
	var ends []int // by chain: its largest column
	for _, j := range order {
		at := -1
		for c, end := range ends {
			if (at < 0 || size[end] > size[ends[at]]) && within(columns[end], columns[end], columns[j]) {
				at = c
			}
		}
		if at < 0 {
			at = len(ends)
			ends = append(ends, j)
		}
		ends[at], chain[j] = j, int32(at)
	}
	return chain
}

// within reports whether a∩set lies in b.
func within(set, a, b []uint64) bool {
	for i, s := range set {
		if s&a[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}
