package bitvec

import (
	"math/bits"
	"slices"
)

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

// SelectEither makes mask the columns of among that r1 selects with g1 as own
// and g0 as other, or r0 the other way round, and that have more than atLeast of
// their own. It reports whether there are any. Mask and among are of equal
// length, and len(mask)·64 ≥ len(g1) = len(g0), a multiple of 8. The counts and
// those of r1 and r0 lie in [0, 2^62); atLeast, Open and Last may be anything.
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

func selectEitherGeneric(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	var any uint64
	for i, m := range among {
		mask[i] = 0
		for ; m != 0; m &= m - 1 {
			t := i*64 + bits.TrailingZeros64(m)
			if b1.selects(g1[t], g0[t]) || b0.selects(g0[t], g1[t]) {
				mask[i] |= m & -m
			}
		}
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
	atLeast = min(max(atLeast, -countLimit), countLimit)
	b.own, b.otherOpen, b.otherLast = atLeast, -countLimit, -countLimit
	if open > 0 {
		b.otherOpen = sum(taken, open)
	}
	if last > 0 {
		b.otherLast = sum(taken, last)
		b.ownLast = max(left-last, atLeast)
		b.spanLast = sum(taken-left, last)
	}
}

// sum is a + b, b > 0, or countLimit if that is less.
func sum(a, b int64) int64 {
	if s := a + b; s >= a && s < countLimit {
		return s
	}
	return countLimit
}

// countLimit bounds the counts. Bounds are kept to ±countLimit as well, which
// no comparison with a count tells, so that the difference of any two, and from
// that one of a bound, does not overflow.
const countLimit = 1 << 62

func (b *selectBounds) selects(p, o int64) bool {
	return p > b.own && (o < b.otherOpen || o < b.otherLast && p > b.ownLast && o-p < b.spanLast)
}

// Survey is one pass over the counts g1[t], g0[t] of all columns t against a
// set whose points cost All1 and All0: which columns are alive, and what is
// the least that any of them can do. A column is alive when max(g1, g0) > Least.
type Survey struct {
	All1, All0, Least int64

	// Stop is the smallest min(g1,g0) + min(All1−g1, All0−g0) of an alive
	// column: what is paid when every point inside it and every point outside
	// it gets the cheaper class of its side. Far when none is alive.
	Stop int64
	// Class1 looks at the alive columns with g1 > Least as a choice of class 1,
	// Class0 at those with g0 > Least as one of class 0.
	Class1, Class0 Extremes
}

// Extremes are the smallest values over some columns of which class q is own
// and the other class other; Far when there is no such column.
type Extremes struct {
	Other int64 // min other
	Span  int64 // min (other − own)
}

// Far is larger than any cost, and small enough to add two of them.
const Far = int64(1) << 61

// Run surveys the columns 0..len(g1)−1. It sets the bits of the alive ones in
// alive, and clears the others.
// len(alive)·64 ≥ len(g1) = len(g0), a multiple of 8.
func (s *Survey) Run(alive []uint64, g1, g0 []int64) {
	s.Stop = Far
	s.Class1, s.Class0 = Extremes{Far, Far}, Extremes{Far, Far}
	clear(alive)
	g0 = g0[:len(g1)]
	least := unsurveyed
	if surveyFast(alive, g1, g0, s, &least) {
		s.Stop = slices.Min(least[0][:])
		s.Class1 = Extremes{slices.Min(least[1][:]), slices.Min(least[2][:])}
		s.Class0 = Extremes{slices.Min(least[3][:]), slices.Min(least[4][:])}
		return
	}
	for t, a := range g1 {
		b := g0[t]
		if max(a, b) <= s.Least {
			continue
		}
		alive[t/64] |= 1 << (t % 64)
		s.Stop = min(s.Stop, min(a, b)+min(s.All1-a, s.All0-b))
		if a > s.Least {
			s.Class1.add(a, b)
		}
		if b > s.Least {
			s.Class0.add(b, a)
		}
	}
}

// unsurveyed is what a kernel begins with: of each number of a Survey, by lane, the least so far.
var unsurveyed = [5][4]int64{{Far, Far, Far, Far}, {Far, Far, Far, Far}, {Far, Far, Far, Far}, {Far, Far, Far, Far}, {Far, Far, Far, Far}}

func (e *Extremes) add(own, other int64) {
	e.Other = min(e.Other, other)
	e.Span = min(e.Span, other-own)
}
