//go:build !purego

package bitvec

func scanBinsFast(a, b, allA, allB []int32, ends bool, out *[4][BinLanes]int32) bool {
	switch {
	case active == generic:
		return false
	case ends:
		scanEndsAVX2(&a[0], &b[0], &allA[0], &allB[0], uint64(len(a)/BinLanes), &out[0][0])
	default:
		scanBinsAVX2(&a[0], &b[0], &allA[0], &allB[0], uint64(len(a)/BinLanes), &out[0][0])
	}
	return true
}

//go:noescape
func scanBinsAVX2(a, b, allA, allB *int32, bins uint64, out *int32)

//go:noescape
func scanEndsAVX2(a, b, allA, allB *int32, bins uint64, out *int32)
