//go:build !purego

package bitvec

const binHalf = BinLanes / 2 // of 32 bits a register holds

func scanBinsFast[T BinWeight](a, b, allA, allB []T, ends, halves bool, counts *[4]T, out *[2][BinLanes]T) bool {
	if active == generic {
		return false
	}
	bins, inHalves := uint64(len(a)/BinLanes), uint64(0)
	if halves {
		inHalves = 1
	}
	switch a := any(a).(type) {
	case []int16:
		b, allA, allB := any(b).([]int16), any(allA).([]int16), any(allB).([]int16)
		scan := scanBins16
		if ends {
			scan = scanEnds16
		}
		scan(&a[0], &b[0], &allA[0], &allB[0], bins, inHalves, &any(counts).(*[4]int16)[0], &any(out).(*[2][BinLanes]int16)[0][0])
	case []int32:
		if halves {
			return false
		}
		b, allA, allB := any(b).([]int32), any(allA).([]int32), any(allB).([]int32)
		scan := scanBins32
		if ends {
			scan = scanEnds32
		}
		for at := 0; at < BinLanes; at += binHalf {
			scan(&a[at], &b[at], &allA[at], &allB[at], bins, &any(counts).(*[4]int32)[0], &any(out).(*[2][BinLanes]int32)[0][at])
		}
	default:
		return false
	}
	return true
}

func tallyBinsFast[T BinWeight](items []BinItem, rows []uint16, k int, mask int32, cells []T, stride int, sign T, counts []int64) bool {
	if active == generic || k == 0 {
		return false
	}
	n, size := uint64(len(items)), uint64(k)
	switch cells := any(cells).(type) {
	case []int16:
		tallyBins16(&items[0], n, &rows[0], size, uint64(mask), &cells[0], uint64(2*stride), uint64(sign), &counts[0])
	case []int32:
		tallyBins32(&items[0], n, &rows[0], size, uint64(mask), &cells[0], uint64(4*stride), uint64(sign), &counts[0])
	default:
		return false
	}
	return true
}

//go:noescape
func scanBins16(a, b, allA, allB *int16, bins, halves uint64, counts, out *int16)

//go:noescape
func scanEnds16(a, b, allA, allB *int16, bins, halves uint64, counts, out *int16)

//go:noescape
func scanBins32(a, b, allA, allB *int32, bins uint64, counts, out *int32)

//go:noescape
func scanEnds32(a, b, allA, allB *int32, bins uint64, counts, out *int32)

//go:noescape
func tallyBins16(items *BinItem, count uint64, rows *uint16, k, mask uint64, cells *int16, stride, sign uint64, counts *int64)

//go:noescape
func tallyBins32(items *BinItem, count uint64, rows *uint16, k, mask uint64, cells *int32, stride, sign uint64, counts *int64)
