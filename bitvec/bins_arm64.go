//go:build !purego

package bitvec

import "unsafe"

// registerBytes is the size of a register of NEON.
const registerBytes = 16

func scanBinsFast[T BinWeight](a, b, allA, allB []T, ends, halves bool, counts *[4]T, out *[2][BinLanes]T) bool {
	size := unsafe.Sizeof(a[0])
	if active != neon || size == 8 {
		return false
	}
	within := ^uint64(0)
	if ends {
		within = 0
	}
	bins, stride := uint64(len(a)/BinLanes), uint64(BinLanes*size)
	lanes, columns := registerBytes/int(size), binColumns(halves)
	for first := 0; first < BinLanes; first += lanes {
		var state [6 * registerBytes / 2]T // A − B of both sides, then the largest values: lanes of each
		for from := first; from < BinLanes && first < columns; from += columns {
			switch a := any(a).(type) {
			case []int16:
				b, allA, allB := any(b).([]int16), any(allA).([]int16), any(allB).([]int16)
				scanNEON16(&a[from], &b[from], &allA[from], &allB[from], bins, stride, within, &any(&state).(*[48]int16)[0])
			case []int32:
				b, allA, allB := any(b).([]int32), any(allA).([]int32), any(allB).([]int32)
				scanNEON32(&a[from], &b[from], &allA[from], &allB[from], bins, stride, within, &any(&state).(*[48]int32)[0])
			}
		}
		for lane := range lanes {
			most := state[2*lanes+lane:]
			out[0][first+lane] = max(most[0]+counts[1], most[lanes]+counts[0])
			out[1][first+lane] = max(most[2*lanes]+counts[3], most[3*lanes]+counts[2])
		}
	}
	return true
}

// State is that of the lanes of a register: A − B on the left and on the right, then the four largest
// values of ScanBins.
//
//go:noescape
func scanNEON16(a, b, allA, allB *int16, bins, stride, within uint64, state *int16)

//go:noescape
func scanNEON32(a, b, allA, allB *int32, bins, stride, within uint64, state *int32)
