package parallel

import "parcorels/bitvec"

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
// Most rules are far from redundant, and that is cheap to see. Say rule i
// captures C in B and makes e errors there; later rules would take some of C,
// and leave R. Without rule i those rules err no less than before, so A's
// errors are at least B's − e + cost(R), and rule i is needed if
// cost(R) − e > λN. Only if not is A evaluated.

// redundant reports whether f's prefix has a rule that it is better without.
func (w *worker) redundant(f *frame) bool {
	p := w.s.p
	if p.without.has(Redundant) || f.depth < 2 {
		return false
	}
	u, captured := w.spare, w.left
	copy(u, p.all)
	last := p.columns[f.last]
	for i, col := range f.prefix[:f.depth-1] {
		if !w.s.goesOn() {
			return false // as far as is known
		}
		bitvec.And(captured, u, p.columns[col])
		bitvec.AndNot(u, u, p.columns[col])
		e := min(p.planes.Cost(captured))
		for _, later := range f.prefix[i+1 : f.depth-1] {
			bitvec.AndNot(captured, captured, p.columns[later])
		}
		r1, r0 := p.planes.CostAndNot(captured, last)
		if p.unit*(r1+r0-e) <= p.price && w.costWithout(f, i) <= f.cost {
			w.proof.redundant(f.prefix, i)
			return true
		}
	}
	return false
}

// costWithout returns the cost of f's prefix without rule skip, plus that of
// what it then leaves over.
func (w *worker) costWithout(f *frame, skip int) int64 {
	p := w.s.p
	u := w.shorter
	copy(u, p.all)
	var errors int64
	for i, col := range f.prefix {
		if i != skip {
			errors += min(p.planes.CostAnd(u, p.columns[col]))
			bitvec.AndNot(u, u, p.columns[col])
		}
	}
	e1, e0 := p.planes.CostAndNot(u, f.u)
	return p.rootCost() + p.unit*(errors+e1+e0) + p.price*int64(f.depth-1)
}
