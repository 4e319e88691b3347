// Package ranks numbers and orders samples by their ranks in columns. Begin with [Points].
package ranks

import (
	"parcorels/internal/loop"
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
