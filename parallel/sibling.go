package parallel

import (
	"math/bits"

	"parcorels/bitvec"
)

// Pruning 8: a better sibling. This is pruning 5 between two children of one
// prefix, where the parent's counts make it cheap and where it need wait for
// nobody to be expanded.
//
// Let s and t be rules behind P, which leaves u, with errors e(s) and e(t).
// Replace t by s in any completion of P+t: what t captured and s does not is
// left to the rules behind it and errs by at most its cost. So if
//
//	e(s) + Σ cost(e) over (t∩u)\s  <  e(t)
//
// the list with s is strictly smaller; on equality the two may tie in
// objective and are of equal length, and then it is smaller if s has the
// smaller antecedent index. It takes no search to find: a rule that another
// rule contains and that errs no less (of the mined conjunctions of real data,
// most are like that somewhere) is never tried in the contexts where this
// holds.
//
// The condition implies e(s) ≤ e(t) and that s gains at least what t gains,
// which one pass over the counts tells. What is left of t∩u outside such an s
// is counted against the complements of the columns, and kernels give up on a
// block as soon as every s in it has left more than e(t) − e(s).

// hasBetterSibling reports whether another column makes c useless behind f.
// The block that had a better sibling last time is tried first.
func (w *worker) hasBetterSibling(f *frame, c *child) bool {
	p := w.s.p
	if p.without.has(Sibling) {
		return false
	}
	f.compare(p)
	bitvec.And(w.left, f.u, p.columns[c.col])
	p.planes.CompileWhole(&w.prog, w.left)
	outside, budget := p.outside, f.errors[c.col]
	if _, lanes := outside.FirstWithin(&w.prog, w.rival, w.rival+1, f.errors, budget); w.anyBetter(f, c, w.rival, lanes) {
		return true
	}
	bitvec.Rivals(w.mask, f.errors, f.gains, f.errors[c.col], f.gains[c.col])
	for from := 0; from < outside.Blocks(); from++ {
		block, lanes := outside.FirstWithinAmong(&w.prog, from, w.mask, f.errors, budget)
		if w.anyBetter(f, c, block, lanes) {
			w.rival = block
			return true
		}
		from = block
	}
	return false
}

// compare fills in the errors and gains of every column as a rule, once a frame.
func (f *frame) compare(p *problem) {
	if f.compared {
		return
	}
	f.compared = true
	bitvec.BestLabels(f.errors, f.gains, f.g1, f.g0)
	for col := len(p.names); col < len(f.errors); col++ {
		f.errors[col] = bitvec.Unspent
	}
}

// anyBetter looks among some columns of one block that meet the condition or
// its equality.
func (w *worker) anyBetter(f *frame, c *child, block int, lanes uint8) bool {
	for ; lanes != 0; lanes &= lanes - 1 {
		s := block*bitvec.Lanes + bits.TrailingZeros8(lanes)
		if s != c.col && w.betterSibling(f, s, c.col) {
			w.proof.bySibling(c.col, s)
			return true
		}
	}
	return false
}

// betterSibling decides between equality and less for an s that meets one of
// the two.
func (w *worker) betterSibling(f *frame, s, t int) bool {
	p := w.s.p
	if p.names[s] < p.names[t] {
		return true
	}
	e1, e0 := p.planes.CostAndNot(w.left, p.columns[s])
	return f.errors[s]+e1+e0 < f.errors[t]
}
