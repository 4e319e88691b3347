package bitvec

// AndNot sets dst = a \ b and reports whether anything is left. The three
// have equal length; dst may be a or b.
func AndNot(dst, a, b []uint64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var any uint64
	for i := range dst {
		x := a[i] &^ b[i]
		dst[i] = x
		any |= x
	}
	return any != 0
}

// Intersects reports whether a, b and c have a point in common.
func Intersects(a, b, c []uint64) bool {
	b, c = b[:len(a)], c[:len(a)]
	for i, x := range a {
		if x&b[i]&c[i] != 0 {
			return true
		}
	}
	return false
}

// And sets dst = a ∩ b. The three have equal length.
func And(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

// And3 sets dst = a ∩ b ∩ c and reports whether anything is in it. The four
// have equal length.
func And3(dst, a, b, c []uint64) bool {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	var any uint64
	for i := range dst {
		x := a[i] & b[i] & c[i]
		dst[i] = x
		any |= x
	}
	return any != 0
}
