package numeric

// What bounds the stumps on the sides of a place.
//
// Let C_a(u) be the weight of class a in the bins up to u of a column, N_a in all. A stump that
// says a on the left and b on the right, with its threshold within bin u, gets right
//
//	C_a(u−1) + (N_b − C_b(u)) + (of bin u, at most its weight of a and its weight of b)
//	≤ C_a(u) + N_b − C_b(u−1).
//
// Where the bin has one block the threshold is at its end, and it gets C_a(u) + N_b − C_b(u)
// right. A pair of classes of no more weight together than the heaviest class and what a leaf costs
// is none better than a leaf.
//
// So each column has a bound for each pair of classes, and of a column only the pairs are walked whose
// bounds are above what is known (refine.go): in most sets a few of them.

// bounds returns lower bounds of both sides as stumps or leaves at the place of the sweep.
func (t *twoLevel) bounds() (left, right int64) {
	l, r := &t.sides[0], &t.sides[1]
	l.weight, l.most, r.most = 0, 0, 0
	for c, x := range t.counts {
		l.weight += x
		l.most, r.most = max(l.most, x), max(r.most, t.of.classes[c]-x)
	}
	r.weight = t.of.weight - l.weight
	inLeft, inRight := l.most, r.most
	t.pairs = t.pairs[:0]
	pays := t.Price / t.Unit // a leaf more has to get this right
	for a := 1; a < len(t.counts); a++ {
		for b := range a {
			leftPair, rightPair := t.counts[a]+t.counts[b], t.of.classes[a]+t.of.classes[b]-t.counts[a]-t.counts[b]
			if leftPair > l.most+pays || rightPair > r.most+pays {
				x, y := t.boundPair(a, b)
				inLeft, inRight = max(inLeft, x), max(inRight, y)
			}
		}
	}
	return t.valueOf(l, inLeft), t.valueOf(r, inRight)
}

// valueOf returns the value of a side of which a stump gets so much right, or which is a leaf.
func (t *twoLevel) valueOf(x *side, right int64) int64 {
	return min(t.One(x.weight-x.most), t.Two(x.weight-right))
}

// begun puts all items on the right.
func (t *twoLevel) begun() {
	t.moved = 0
	clear(t.counts)
	t.clear()
}
