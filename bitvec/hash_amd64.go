//go:build !purego

package bitvec

func hashLong(u, keys []uint64) (s nh, n int) {
	if active == generic {
		return s, 0
	}
	hashMULX(&s, &u[0], &keys[0], uint64(len(u)/2))
	return s, len(u) &^ 1
}

func andNotHashLong(dst, a, b, keys []uint64) (s nh, n int) {
	if active == generic {
		return s, 0
	}
	andNotHashMULX(&s, &dst[0], &a[0], &b[0], &keys[0], uint64(len(dst)/2))
	return s, len(dst) &^ 1
}

//go:noescape
func hashMULX(sums *nh, u, keys *uint64, pairs uint64)

//go:noescape
func andNotHashMULX(sums *nh, dst, a, b, keys *uint64, pairs uint64)
