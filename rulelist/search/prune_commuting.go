package search

import "parcorels/rulelist/problem"

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

// commutes reports whether swapping a rule (col, label) behind f's prefix with
// the last rule of the prefix gives a strictly smaller list.
func (f *frame) commutes(p *problem.Problem, col int, label bool) bool {
	if f.depth == 0 || !p.Uses(problem.Commuting) {
		return false
	}
	i := f.depth - 1
	last := f.prefix[i]
	smaller := p.Antecedents[col] < p.Antecedents[last]
	if label == f.labels[i] {
		return smaller
	}
	own, other := p.Planes.CostAnd3(f.before[i], p.Columns[col], p.Columns[last])
	if !label {
		own, other = other, own
	}
	return own > other || own == other && smaller
}
