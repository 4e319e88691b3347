package bitvec

// And sets dst = a ∩ b. The three have equal length; dst may be a or b.
func And(dst, a, b []uint64) { meet(dst, a, b, 0) }

// AndNot sets dst = a \ b. The three have equal length; dst may be a or b.
func AndNot(dst, a, b []uint64) { meet(dst, a, b, ^uint64(0)) }

// Or sets dst = a ∪ b. The three have equal length; dst may be a or b.
func Or(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

// meet sets dst = a ∩ (b ⊕ flip), flip being the same for all words.
func meetGeneric(dst, a, b []uint64, flip uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & (b[i] ^ flip)
	}
}
