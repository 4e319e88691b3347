package bitvec

// And sets dst = a ∩ b. The three have equal length; dst may be a or b.
func And(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

// AndNot sets dst = a \ b. The three have equal length; dst may be a or b.
func AndNot(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] &^ b[i]
	}
}

// Or sets dst = a ∪ b. The three have equal length; dst may be a or b.
func Or(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}
