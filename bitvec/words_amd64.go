//go:build !purego

package bitvec

func meet(dst, a, b []uint64, flip uint64) {
	n := len(dst)
	a, b = a[:n], b[:n]
	switch {
	case active == generic || n < Lanes:
		meetGeneric(dst, a, b, flip)
	case active == avx2:
		meetAVX2(&dst[0], &a[0], &b[0], flip, uint64(n))
	default:
		meetAVX512(&dst[0], &a[0], &b[0], flip, uint64(n))
	}
}

//go:noescape
func meetAVX2(dst, a, b *uint64, flip, n uint64)

//go:noescape
func meetAVX512(dst, a, b *uint64, flip, n uint64)
