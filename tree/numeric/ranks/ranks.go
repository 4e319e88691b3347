// Package ranks numbers and orders samples by their ranks in columns. Begin with [Points] and [Reduce].
package ranks

import (
	"slices"

	"parcorels/loop"
)

// Points numbers the samples of equal ranks alike, and returns the first of each number.
func Points(ranks [][]int32, n int) (point, first []int32) {
	size := 1
	for size < 2*n {
		size *= 2
	}
	slots := make([]int32, size) // number + 1
	point = make([]int32, n)
	equal := func(a, b int32) bool {
		for _, r := range ranks {
			if r[a] != r[b] {
				return false
			}
		}
		return true
	}
	hashes := hashesOf(ranks, n)
	for i := range int32(n) {
		at := hashes[i] & uint64(size-1)
		for slots[at] != 0 && !equal(first[slots[at]-1], i) {
			at = (at + 1) & uint64(size-1)
		}
		if slots[at] == 0 {
			first = append(first, i)
			slots[at] = int32(len(first))
		}
		point[i] = slots[at] - 1
	}
	return point, first
}

// hashesOf returns a hash of the ranks of each sample.
func hashesOf(ranks [][]int32, n int) []uint64 {
	const samples = 1 << 12 // a column's at a time, so that memory is read in its order
	hashes := make([]uint64, n)
	loop.Parts(n, samples, func(first, last int) {
		some := hashes[first:last]
		for i := range some {
			some[i] = 0x9e3779b97f4a7c15
		}
		for _, r := range ranks {
			for i, x := range r[first:][:len(some)] {
				hash := (some[i] ^ uint64(uint32(x))) * 0xd6e8feb86659fd93
				some[i] = hash ^ hash>>32
			}
		}
	})
	return hashes
}

// Sorted returns items in the order of a number from 0 on that each has; of equal numbers in theirs.
func Sorted(items []int32, number func(i int32) int32) []int32 {
	largest := int32(0)
	for _, i := range items {
		largest = max(largest, number(i))
	}
	begin := make([]int32, largest+2)
	for _, i := range items {
		begin[number(i)+1]++
	}
	for r := range largest {
		begin[r+1] += begin[r]
	}
	to := make([]int32, len(items))
	for _, i := range items {
		r := number(i)
		to[begin[r]] = i
		begin[r]++
	}
	return to
}

// Items stand for all samples of one class that no column tells apart.
type Items struct {
	Points           int     // samples that some column tells apart
	Total, Base, Sum int64   // weight of all samples, of those that every tree gets wrong, and of the items
	Sample           []int32 // one of each item
	Class            []uint16
	Weight           []int64 // positive
}

// Reduce makes items of samples. Weights are positive and add up to less than 2^62; nil: 1 each.
//
// Samples of equal ranks reach the same leaf. So if each class has a weight of at least w
// among them, every leaf gets (classes − 1)·w of that wrong and w of it right: it is taken out,
// and added to Base. No class is better or worse for it.
func Reduce(places [][]int32, class []uint16, classes int, weights []int64) *Items {
	t := &Items{}
	point, first := Points(places, len(class))
	t.Points = len(first)
	byClass := make([]int64, len(first)*classes)
	for i, c := range class {
		w := int64(1)
		if weights != nil {
			w = weights[i]
		}
		t.Total += w
		byClass[int(point[i])*classes+int(c)] += w
	}
	for p, sample := range first {
		w := byClass[p*classes : (p+1)*classes]
		least := slices.Min(w)
		t.Base += least * int64(classes-1)
		for c, x := range w {
			if x > least {
				t.Sample = append(t.Sample, sample)
				t.Class, t.Weight = append(t.Class, uint16(c)), append(t.Weight, x-least)
				t.Sum += x - least
			}
		}
	}
	if t.Sum <= int64(len(t.Sample)+len(t.Sample)/8) { // items that weigh 1 are counted faster
		t.part()
	}
	return t
}

// part makes items of weight 1, as many as all weigh.
func (t *Items) part() {
	sample, class := t.Sample, t.Class
	t.Sample, t.Class = nil, nil
	for i, w := range t.Weight {
		t.Sample = append(t.Sample, slices.Repeat(sample[i:i+1], int(w))...)
		t.Class = append(t.Class, slices.Repeat(class[i:i+1], int(w))...)
	}
	t.Weight = slices.Repeat([]int64{1}, len(t.Sample))
}
