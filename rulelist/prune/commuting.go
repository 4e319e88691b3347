package prune

import (
	"math/bits"

	"parcorels/rulelist/problem"
)

// Pruning 3: neighbours in the wrong order (the commuting rules of the design,
// and one step further).
//
// Let s follow t directly, in the set v that remains before t, and swap the
// two, with their labels. Only the points of s∩t∩v are predicted otherwise: by
// s instead of t.
//
//   - Equal labels, or s∩t∩v empty: every point is predicted as before, and
//     with each rule's best label the swapped list errs no more.
//   - Labels q(s) ≠ q(t): the swapped list errs on the points of s∩t∩v of
//     class q(t) instead of those of class q(s), at least as well again with
//     the best labels.
//
// If that makes fewer errors the swapped list, of the same length, is strictly
// smaller. If it makes as many, it is when s has the smaller antecedent index,
// being lexicographically smaller then.

// commuting is a worker's part of it.
type commuting struct{ p *problem.Problem }

func newCommuting(x *Context) any { return commuting{x.P} }

// closesOpen closes the children that predict what the last rule does and have a smaller antecedent, without
// branches: they are half of the children. Where labels or samples are restricted it leaves them to closesChild.
func (x commuting) closesOpen(f *Frame) {
	p := x.p
	if f.Depth == 0 || p.Labels > 2 || p.May.Labels != nil || p.CountsRows() {
		return
	}
	own, other := f.Counts.Gains[1], f.Counts.Gains[0]
	if f.Labels[f.Depth-1] == 0 {
		own, other = other, own
	}
	tie := int64(1 - f.Labels[f.Depth-1]) // of equal gains label 0 is predicted
	last := int64(p.Antecedents[f.Prefix[f.Depth-1]])
	for i, word := range f.Open {
		var closed uint64
		for m := word; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			col := i*64 + bit
			closed |= uint64((other[col]-own[col]-tie)&(int64(p.Antecedents[col])-last)) >> 63 << bit
		}
		f.Open[i] = word &^ closed
	}
}

// closesChild reports whether swapping the child's rule with the last rule of f's prefix gives a strictly smaller list.
func (x commuting) closesChild(f *Frame, c *Child) bool {
	if f.Depth == 0 {
		return false
	}
	p, i := x.p, f.Depth-1
	last := f.Prefix[i]
	smaller := p.Antecedents[c.Col] < p.Antecedents[last]
	if p.CountsRows() && !p.Enough(f.rowsBefore, p.Rows(last), p.Rows(problem.Column(c.Col))) {
		return false // the last rule would decide too few samples behind the child's
	}
	if c.Label == f.Labels[i] {
		return smaller
	}
	own, other := p.Both(c.Label, f.Labels[i], f.Before[i], p.Columns[c.Col], p.Columns[last])
	return own > other || own == other && smaller
}
