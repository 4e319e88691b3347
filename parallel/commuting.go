package parallel

import "parcorels/bitvec"

// Pruning 3: commuting neighbours.
//
// Let s follow t directly, with a smaller antecedent index. If both predict
// the same label, or capture nothing in common of the set before t, then
// swapping them predicts every point as before; with each rule's best label
// the swapped list errs no more. It has the same length and is
// lexicographically smaller, hence strictly smaller.

// commutes reports whether a rule (col, label) may be swapped with the last
// rule of f's prefix for a strictly smaller list.
func (p *problem) commutes(f *frame, col int, label bool) bool {
	if f.depth == 0 || p.without.has(Commuting) || p.names[col] > p.names[f.last] {
		return false
	}
	return label == f.lastLabel || !bitvec.Intersects(f.before, p.columns[col], p.columns[f.last])
}
