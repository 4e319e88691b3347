package numeric

import "sort"

// Bounds of the places between two.
//
// Let L(p) and R(p) be the values of the best trees of the sides of place p, and w(p, q) the
// weight between two places. A set within another has no larger value: the tree of the larger
// one, less the leaves that become empty, serves. And the tree of the smaller one errs on the
// larger one by the weight between them more at most, at a price of unit each. So for
// a < p < b
//
//	L(p) ≥ max(L(a), L(b) − unit·w(p, b)),   R(p) ≥ max(R(b), R(a) − unit·w(a, p)).
//
// The sum of both is at least
//
//	L(a) + R(b),   L(b) + R(a) − unit·w(a, b),
//	L(a) + R(a) − unit·w(a, p),   L(b) + R(b) − unit·w(p, b),
//
// of which the first two hold for the whole interval, and the others leave a shorter one open.
// Lower bounds of the values do as well.

// boundBetween returns a lower bound of all places between two with so much weight between.
func boundBetween(weight int64, a, b end, unit int64) int64 {
	return max(a.left+b.right, b.left+a.right-unit*weight)
}

// openPlaces returns the first and the last place between two whose bounds are below budget.
// There is none if first > last.
func openPlaces[W weight](weights []W, a, b end, budget, unit int64) (first, last int) {
	first, last = a.place+1, b.place-1
	if over := a.left + a.right - budget; over >= 0 {
		skip := int64(weights[a.place]) + over/unit
		first += sort.Search(b.place-first, func(i int) bool { return int64(weights[first+i]) > skip })
	}
	if over := b.left + b.right - budget; over >= 0 {
		skip := int64(weights[b.place]) - over/unit
		last = a.place + sort.Search(b.place-a.place-1, func(i int) bool { return int64(weights[a.place+1+i]) >= skip })
	}
	return first, last
}

// at returns what the ends of an interval say of a place within.
func at(weights []int64, place int, a, b end, unit int64) end {
	return end{
		place: place,
		left:  max(a.left, b.left-unit*(weights[b.place]-weights[place])),
		right: max(b.right, a.right-unit*(weights[place]-weights[a.place])),
	}
}
