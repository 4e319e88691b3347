package search

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
//
// Most columns that have a better sibling have it in the same block as the last
// time, so that block is tried first of all. The scan of all blocks is kept for
// the children that would otherwise be inserted: it costs more than look-ahead,
// which closes most of those that it would drop.

// hasKnownSibling reports whether the block that last held a better sibling of
// the same column holds one now that makes c useless behind f.
func (w *worker) hasKnownSibling(f *frame, c *child) bool {
	if !w.p.uses(Sibling) || !w.accounts.sibling.Affords() {
		return false
	}
	w.captures(f, c)
	known := int(w.rivals[c.col])
	_, lanes := w.p.outside.FirstWithin(&w.prog, known, known+1, f.errors, f.errors[c.col])
	if !w.anyBetter(f, c, known, lanes) {
		return false
	}
	w.accounts.sibling.Earn()
	return true
}

// hasBetterSibling reports whether any other column makes c useless behind f.
func (w *worker) hasBetterSibling(f *frame, c *child) bool {
	if !w.p.uses(Sibling) || !w.accounts.siblings.Affords() {
		return false
	}
	w.captures(f, c)
	outside, budget := w.p.outside, f.errors[c.col]
	bitvec.Rivals(w.mask, f.errors, f.gains, budget, f.gains[c.col])
	blocks, slice := outside.Blocks(), outside.Slice()
	for from := 0; from < blocks && w.run.Running(); {
		to := min(from+slice, blocks)
		block, lanes := outside.FirstWithinAmong(&w.prog, from, to, w.mask, f.errors, budget)
		if w.anyBetter(f, c, block, lanes) {
			w.rivals[c.col] = uint16(block)
			w.accounts.siblings.Earn()
			return true
		}
		from = min(block+1, to)
	}
	return false
}

// captures compiles what c's last rule captures behind f.
func (w *worker) captures(f *frame, c *child) {
	f.compare(w.p)
	bitvec.And(w.set, f.u, w.p.columns[c.col])
	w.p.planes.CompileWhole(&w.prog, w.set)
}

// compare fills in the errors and gains of every column as a rule, once a frame.
func (f *frame) compare(p *problem) {
	if f.compared {
		return
	}
	f.compared = true
	bitvec.BestLabels(f.errors, f.gains, f.g1, f.g0)
	for col := len(p.antecedents); col < len(f.errors); col++ {
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
	p := w.p
	if p.antecedents[s] < p.antecedents[t] {
		return true
	}
	e1, e0 := p.planes.CostAndNot(w.set, p.columns[s])
	return f.errors[s]+e1+e0 < f.errors[t]
}
