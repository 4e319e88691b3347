package bitvec

import "math"

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
// it set any. len(mask)·64 ≥ len(own) = len(other), a multiple of 8. The
// counts of columns with own[t] > atLeast and those of r lie in [0, 2^62); Open
// and Last may be anything.
func Select(mask []uint64, own, other []int64, atLeast int64, r *Reach) bool {
	if len(own) == 0 {
		return false
	}
	_ = mask[(len(own)-1)/64]
	other = other[:len(own)]
	var b selectBounds
	b.set(r, atLeast)
	return selectColumns(mask, own, other, &b)
}

// SelectEither does what Select does for both classes and ands the result with
// among: mask becomes the columns of among that r1 selects with g1 as own and g0
// as other, or r0 the other way round. It reports whether there are any. Mask
// and among are of equal length, len(mask)·64 ≥ len(g1) = len(g0).
func SelectEither(mask, among []uint64, g1, g0 []int64, atLeast int64, r1, r0 *Reach) bool {
	words := (len(g1) + 63) / 64
	clear(mask[words:])
	if words == 0 {
		return false
	}
	among, g0 = among[:words], g0[:len(g1)]
	var b1, b0 selectBounds
	b1.set(r1, atLeast)
	b0.set(r0, atLeast)
	return selectEither(mask[:words], among, g1, g0, &b1, &b0)
}

// selectEitherGeneric is two selections, with whatever kernel there is for one.
func selectEitherGeneric(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	clear(mask)
	selectColumns(mask, g1, g0, b1)
	selectColumns(mask, g0, g1, b0)
	var any uint64
	for i := range mask {
		mask[i] &= among[i]
		any |= mask[i]
	}
	return any != 0
}

// selectBounds is the test of a column as comparisons with constants: with
// o = other and p = own,
//
//	max(0, o−Taken) < Open  ⇔  0 < Open and o < Taken+Open
//	max(0, o−Taken) + max(0, Left−p) < Last  ⇔  0 < Last and o < Taken+Last
//	    and p > Left−Last and o−p < Taken−Left+Last
//
// A bound that holds for no count stands for a room that is not positive.
type selectBounds struct {
	own       int64 // p must be more than this
	otherOpen int64 // and o less than this,
	otherLast int64 // or o less than this
	ownLast   int64 // and p more than this, which is at least own,
	spanLast  int64 // and o−p less than this
}

// set fills in b field by field: a copy of the whole would wait for the fields
// to reach the cache.
func (b *selectBounds) set(r *Reach, atLeast int64) {
	taken, left, open, last := r.Taken, r.Left, r.Open, r.Last
	b.own, b.otherOpen, b.otherLast = atLeast, math.MinInt64, math.MinInt64
	if open > 0 {
		b.otherOpen = sum(taken, open)
	}
	if last > 0 {
		b.otherLast = sum(taken, last)
		b.ownLast = max(left-last, atLeast)
		b.spanLast = sum(taken-left, last)
	}
}

// sum is a + b, b > 0, or the largest integer if that is less.
func sum(a, b int64) int64 {
	if s := a + b; s >= a {
		return s
	}
	return math.MaxInt64
}

func selectGeneric(mask []uint64, own, other []int64, b *selectBounds) bool {
	any := false
	for t, p := range own {
		if p <= b.own {
			continue
		}
		o := other[t]
		if o < b.otherOpen || o < b.otherLast && p > b.ownLast && o-p < b.spanLast {
			mask[t/64] |= 1 << (t % 64)
			any = true
		}
	}
	return any
}
