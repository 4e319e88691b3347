package bitvec

// Reach bounds, for one class q, which columns t can still matter once a
// column s has been taken out of a set u. Its counts are those of u: own[t] is
// the cost of class q in u∩t, other[t] that of the other class.
//
// After s, the other class keeps at least l = max(0, other[t] − Taken) in t,
// and class q keeps at least max(0, Left − own[t]) outside t. Column t is
// selected when l < Open, or when l + max(0, Left − own[t]) < Last.
type Reach struct {
	Taken int64 // cost of the other class in u∩s
	Left  int64 // cost of class q in u\s
	Open  int64 // room for the errors of t when something follows it
	Last  int64 // room for the errors of t and of everything behind it
}

// Select sets bit t of mask for every t < len(own) that r selects among the
// columns with own[t] > atLeast, ors it to what is there, and reports whether
// it set any. len(mask)·64 ≥ len(own) = len(other), a multiple of 8.
func Select(mask []uint64, own, other []int64, atLeast int64, r *Reach) bool {
	any := false
	other = other[:len(own)]
	for t, p := range own {
		if p <= atLeast {
			continue
		}
		l := max(0, other[t]-r.Taken)
		if l < r.Open || l+max(0, r.Left-p) < r.Last {
			mask[t/64] |= 1 << (t % 64)
			any = true
		}
	}
	return any
}
