package parallel

import (
	"math/bits"

	"parcorels/bitvec"
)

// Pruning 9: a redundant rule. A rule that was worth its price when it was
// appended may have become useless through those behind it, which would
// capture most of its points as well.
//
// For a prefix B and each of its rules but the last, let A be B without that
// rule. A is one shorter, and by the argument of pruning 5 every completion of
// B is beaten by a strictly smaller list if
//
//	cost(A) + unit·Σ cost(e) over u(A)\u(B)  ≤  cost(B);
//
// equality will do, because A is shorter. (For the last rule this is the
// support bound, pruning 2, which was checked before.) A is not looked up
// anywhere, only computed: K−1 lists of K−1 rules, a fraction of what the
// expansion costs that it may save.
//
// Let E_j be what rule j errs in B, A_j what it errs in A, and R_i the points
// that rule i alone of all rules of B captures; without it they are left over.
// Rules before i err the same in A, and those behind it no less, because they
// capture the same points and some more. So rule i is redundant if and only if
//
//	unit·(cost(R_i) − E_i + Σ (A_j − E_j) over j > i)  ≤  price,
//
// where all terms of the sum are at least 0. Most rules are needed for R_i
// alone, and most often that shows after a few words: each point of a word
// costs at least what its lightest point costs, so words are looked at in
// falling order of that, before R_i is counted exactly.

// redundant reports whether f's prefix has a rule that it is better without.
func (w *worker) redundant(f *frame) bool {
	p := w.s.p
	if p.without.has(Redundant) || f.depth < 2 {
		return false
	}
	w.captureOnce(f)
	for i := range f.depth - 1 {
		if w.better(f, i) {
			w.proof.redundant(f.prefix, i)
			return true
		}
	}
	return false
}

// captureOnce sets w.once to the points that at most one rule captures.
func (w *worker) captureOnce(f *frame) {
	uncaptured, again := w.spare, w.left
	copy(uncaptured, w.s.p.all)
	copy(w.once, w.s.p.all)
	for _, col := range f.prefix {
		c := w.s.p.columns[col]
		bitvec.AndNot(again, c, uncaptured)
		bitvec.AndNot(w.once, w.once, again)
		bitvec.AndNot(uncaptured, uncaptured, c)
	}
}

// better reports whether f's prefix is better without rule i.
func (w *worker) better(f *frame, i int) bool {
	p := w.s.p
	col := p.columns[f.prefix[i]]
	room := p.price + f.errs(p, i) // for cost(R_i) and the sum, in scaled units
	if p.exceeds(w.once, col, room/p.unit) {
		return false
	}
	r1, r0 := p.planes.CostAnd(w.once, col)
	room -= p.unit * (r1 + r0)
	if room < 0 {
		return false
	}
	u := w.spare
	copy(u, p.all)
	for j, other := range f.prefix {
		if j > i {
			room -= p.unit*min(p.planes.CostAnd(u, p.columns[other])) - f.errs(p, j)
			if room < 0 {
				return false
			}
		}
		if j != i {
			bitvec.AndNot(u, u, p.columns[other])
		}
	}
	return true
}

// exceeds reports whether a∩b is seen to cost more than most without counting
// it exactly.
func (p *problem) exceeds(a, b []uint64, most int64) bool {
	for _, w := range p.heavyFirst {
		most -= int64(bits.OnesCount64(a[w.index]&b[w.index])) * w.lightest
		if most < 0 {
			return true
		}
	}
	return false
}

// errs returns what rule i of the prefix errs, in scaled units.
func (f *frame) errs(p *problem, i int) int64 { return f.costs[i+1] - f.costs[i] - p.price }
