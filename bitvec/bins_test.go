package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBins compares the kernels with the definition.
func TestBins(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 300 {
			testBins[int16](t, rng, BinMost16)
			testBins[int32](t, rng, BinMost32)
			testBins[int64](t, rng, 1<<50)
			testTally[int16](t, rng)
			testTally[int32](t, rng)
			testTally[int64](t, rng)
		}
	})
}

func testBins[T BinWeight](t *testing.T, rng *rand.Rand, most int64) {
	t.Helper()
	bins, halves, columns := 1+rng.IntN(40), rng.IntN(2) == 0, BinLanes
	if halves {
		columns /= 2
	}
	var lists [4][]T // what is on the left, and all
	for i := range 2 {
		largest := most / int64(8*bins)
		if rng.IntN(2) == 0 {
			largest = min(largest, 3)
		}
		for range bins * BinLanes {
			lists[i] = append(lists[i], T(rng.Int64N(1+largest)))
			lists[i+2] = append(lists[i+2], lists[i][len(lists[i])-1]+T(rng.Int64N(1+largest)))
		}
	}
	var ends, within [2][BinLanes]T
	var counts [4]T
	for i := range counts {
		counts[i] = T(rng.Int64N(1 + most/4))
	}
	ScanBins(lists[0], lists[1], lists[2], lists[3], false, halves, &counts, &within)
	ScanBins(lists[0], lists[1], lists[2], lists[3], true, halves, &counts, &ends)
	for side := range 2 {
		for lane := range BinLanes {
			inA, inB := counts[2*side], counts[2*side+1]
			wantEnds, wantWithin := max(inA, inB), max(inA, inB)
			var a, b T
			for u := 0; lane < columns && u < bins*BinLanes/columns; u++ {
				i := u*BinLanes + lane
				if u >= bins {
					i += columns - bins*BinLanes
				}
				x, y := lists[0][i], lists[1][i]
				if side == 1 {
					x, y = lists[2][i]-x, lists[3][i]-y
				}
				ab, ba := a+x-b, b+y-a
				a, b = a+x, b+y
				wantWithin, wantEnds = max(wantWithin, ab+inB, ba+inA), max(wantEnds, a-b+inB, b-a+inA)
			}
			if ends[side][lane] != wantEnds || within[side][lane] != wantWithin {
				t.Fatalf("%d bins, side %d, lane %d: %v and %v, want %v and %v", bins, side, lane, ends, within, wantEnds, wantWithin)
			}
		}
	}
}

func testTally[T BinWeight](t *testing.T, rng *rand.Rand) {
	t.Helper()
	k, classes, stride, numbers := 1+rng.IntN(20), 1+rng.IntN(8), 1+rng.IntN(300), 1+rng.IntN(50)
	mask := int32(7)
	rows := make([]uint16, k*numbers)
	for i := range rows {
		rows[i] = uint16(rng.IntN(stride))
	}
	cells, counts := make([]T, classes*stride), make([]int64, classes)
	want, wantCounts := make([]T, len(cells)), make([]int64, classes)
	for range 3 {
		sign := T(1 - 2*rng.IntN(2))
		var items []BinItem
		for range rng.IntN(40) {
			class, number := rng.IntN(classes), rng.IntN(numbers)
			items = append(items, NewBinItem(rng.Int32N(1<<20)<<3|int32(class), int32(number)))
			wantCounts[class] += int64(sign)
			for _, at := range rows[number*k : number*k+k] {
				want[class*stride+int(at)] += sign
			}
		}
		TallyBins(items, rows, k, mask, cells, stride, sign, counts)
	}
	if !slices.Equal(cells, want) || !slices.Equal(counts, wantCounts) {
		t.Fatalf("%T, rows of %d: %v and %v, want %v and %v", cells[0], k, cells, counts, want, wantCounts)
	}
}
