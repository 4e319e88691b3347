package cuts

import (
	"math"
	"slices"
)

// A binary search among two thousand numbers waits for eleven branches that
// nobody can foretell. A finder divides their range into buckets of equal width and
// knows where each begins in the list, so that one multiplication leaves a few
// numbers to compare with, wherever they are not crowded.

// buckets is how many buckets a finder has.
const buckets = 1 << 12

// binFinder finds how many of an ascending list of numbers are not above another.
type binFinder struct {
	numbers  []float64
	least    float64
	greatest float64
	scale    float64 // 0: a range that no float can hold, or no range
	from     [buckets + 1]int32
}

func newBinFinder(numbers []float64) *binFinder {
	r := &binFinder{numbers: numbers}
	if len(numbers) == 0 {
		return r
	}
	r.least, r.greatest = numbers[0], numbers[len(numbers)-1]
	r.scale = (buckets - 1) / (r.greatest - r.least)
	if math.IsInf(r.scale, 0) || math.IsNaN(r.scale) {
		r.scale = 0
		return r
	}
	i := 0
	for m := range r.from {
		for i < len(numbers) && r.bucket(numbers[i]) < m {
			i++
		}
		r.from[m] = int32(i)
	}
	return r
}

// bucket returns the bucket of a number in the range. It never falls as numbers rise,
// so that numbers of lower buckets are lower.
func (r *binFinder) bucket(v float64) int { return int((v - r.least) * r.scale) }

// measure writes to[i], the number of numbers not above values[i]; one more than
// there are for NaN.
func (r *binFinder) measure(to []uint32, values []float64) {
	for i, v := range values {
		to[i] = r.find(v)
	}
}

func (r *binFinder) find(v float64) uint32 {
	n := len(r.numbers)
	switch {
	case v != v:
		return uint32(n + 1)
	case n == 0 || v < r.least:
		return 0
	case v >= r.greatest:
		return uint32(n)
	}
	first, last := 0, n
	if r.scale > 0 {
		m := r.bucket(v)
		first, last = int(r.from[m]), int(r.from[m+1])
	}
	if last-first <= 2 && first+1 < n { // without a branch that nobody can foretell: a third of the time
		i := first
		if r.numbers[first] <= v {
			i = first + 1
		}
		if r.numbers[first+1] <= v { // false for those of buckets behind
			i = first + 2
		}
		return uint32(i)
	}
	if last-first > 8 {
		i, found := slices.BinarySearch(r.numbers[first:last], v)
		if found {
			i++
		}
		return uint32(first + i)
	}
	for first < last && r.numbers[first] <= v {
		first++
	}
	return uint32(first)
}
