package rulelist

import "slices"

// A prefix A dominates a prefix B if every list that begins with B is larger
// than the one that has A in the place of B. The samples that both leave are then predicted
// as before, by the rest of the list. What only A leaves may be predicted
// wrongly, all of it, at worst. What only B leaves can only cost the first list.
// So A dominates B if
//
//	cost(A) + unit·(W of what A leaves and B does not)  <  cost(B)
//
// and also if the two are equal and A is shorter, or as long and of
// lexicographically smaller antecedents. Where lists have at most so many rules, A must be no
// longer than B: else the other list might have too many. A need not be in the proof. (Where an
// antecedent stands twice, in A or in A and in the rest, it captures nothing the
// second time, and leaving it out there makes the list smaller still.)

// dominates checks that prefix B, which is at followed by s, is dominated as a
// record says. What s captures there has a sum.
func (w *walker) dominates(d dominator, at *prefixState, s int, sum []int64) bool {
	_, loses := w.label(s, sum)
	cost := at.cost + w.unit*loses + w.price
	if d.kind == byShorter {
		if d.which == len(at.prefix) {
			return at.cost+w.unit*w.worst(sum) <= cost
		}
		w.shorter = append(append(w.shorter[:0], at.prefix[:d.which]...), at.prefix[d.which+1:]...)
		l := w.count(&w.dominator, w.shorter)
		_, loses := w.label(s, w.countAnd(w.sum, l.left, w.captured[s]))
		remove(w.excess, l.left, at.left) // W of what the shorter prefix leaves, and neither s nor this one does
		remove(w.excess, w.excess, w.captured[s])
		excess := w.worst(w.countAnd(w.sum, w.excess, l.left))
		return l.cost+w.unit*(loses+excess)+w.price <= cost
	}
	a := w.count(&w.dominator, d.prefix)
	if w.most > 0 && len(d.prefix) > len(at.prefix)+1 {
		return false
	}
	if a.few || !w.keepsRows(a, at, s) {
		return false
	}
	for k, x := range a.left { // W of what a leaves, but not at outside s
		w.excess[k] = x &^ (at.left[k] &^ w.captured[s][k])
	}
	least := a.cost + w.unit*w.worst(w.countAnd(w.sum, w.excess, a.left))
	return least < cost || least == cost && w.comesBefore(d.prefix, at.prefix, uint16(s))
}

// comesBefore reports whether a is shorter than prefix, s, or as long and
// lexicographically smaller.
func (w *walker) comesBefore(a, prefix []uint16, s uint16) bool {
	if len(a) != len(prefix)+1 {
		return len(a) < len(prefix)+1
	}
	if c := slices.Compare(a[:len(prefix)], prefix); c != 0 {
		return c < 0
	}
	return a[len(prefix)] < s
}

// count makes l the state of a prefix, and notes it if it is one that must not be.
func (w *walker) count(l *prefixState, prefix []uint16) *prefixState {
	p := w.problem
	l.set(&p.empty)
	for _, a := range prefix {
		l.append(p, a, p.countAnd(w.captures, l.left, p.captured[a]))
	}
	_, loses := p.best(l.sum)
	if l.smaller = !l.few && p.isSmaller(l.cost+p.unit*loses, prefix); l.smaller {
		w.smaller = l
	}
	return l
}

// A rule is useless in a list, wherever it stands there, if it gains too little.
//
// Without it, what it captured falls through to later rules and the default. It
// predicts the label that loses least, L. What it captured loses at most W, the largest loss of
// each of its groups. If W − L ≤ λN the list without it costs no more, and is shorter.
//
// Less remains behind longer prefixes, so that a rule that is useless at
// some place is useless at every later one. And since the list that is smaller
// is the same one without the rule, a prefix that ends
// with a useless rule is larger, as a complete list, than the prefix without it.

// useless reports whether a rule that captures a sum is useless.
func (p *problem) useless(sum []int64) bool {
	_, loses := p.best(sum)
	return p.worst(sum)-loses <= p.worth
}
