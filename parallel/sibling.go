package parallel

import "parcorels/bitvec"

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
// The cost of v\s for all s at once is a count of v against the complements of
// the columns, and kernels give up on a block as soon as every s in it has
// left more of v than e(t) − e(s) allows.

// hasBetterSibling reports whether another column makes c useless behind f.
func (w *worker) hasBetterSibling(f *frame, c *child) bool {
	p := w.s.p
	if p.without.has(Sibling) {
		return false
	}
	if !f.compared {
		f.compared = true
		bitvec.Smaller(f.errors, f.g1, f.g0)
		for col := len(p.names); col < len(f.errors); col++ {
			f.errors[col] = bitvec.Unspent
		}
	}
	budget := f.errors[c.col]
	bitvec.And(w.left, f.u, p.columns[c.col])
	p.planes.CompileWhole(&w.prog, w.left)
	for from, blocks := 0, p.outside.Blocks(); from < blocks; from++ {
		block, lanes := p.outside.FirstWithin(&w.prog, from, blocks, f.errors, budget)
		for i := range bitvec.Lanes {
			if s := block*bitvec.Lanes + i; lanes>>i&1 != 0 && s != c.col && w.betterSibling(f, s, c.col) {
				return true
			}
		}
		from = block
	}
	return false
}

// betterSibling decides a tie between s, which meets the condition or equals
// it, and t.
func (w *worker) betterSibling(f *frame, s, t int) bool {
	p := w.s.p
	if p.names[s] < p.names[t] {
		return true
	}
	bitvec.AndNot(w.spare, w.left, p.columns[s])
	e1, e0 := p.planes.Cost(w.spare)
	return f.errors[s]+e1+e0 < f.errors[t]
}
