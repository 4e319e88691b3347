package column

// atLeast64 returns which of 64 numbers or fewer are at least some other.
func atLeast64(values []float64, cut float64) (set uint64) {
	for i, v := range values {
		is := uint64(0)
		if v >= cut {
			is = 1
		}
		set |= is << (i & 63)
	}
	return set
}

// codesFrom returns which of 64 codes are at least some other. Codes have fewer than 63 bits, so
// that a difference below 0 has its highest bit set.
func codesFrom(codes *[64]uint64, from uint64) (set uint64) {
	for i, code := range codes {
		set |= (from - 1 - code) >> 63 << (i & 63)
	}
	return set
}

// AtLeast calls do for each 64 numbers in their order: with the set of those that are there, and
// for each of some cuts that of the numbers that are at least as large. The next call overwrites
// these. Packed numbers are compared as codes, which ascend with the numbers.
func (f *Floats) AtLeast(cuts []float64, do func(word int, present uint64, atLeast []uint64)) {
	sets, least := make([]uint64, len(cuts)), make([]uint64, len(cuts))
	var codes [64]uint64
	var values [64]float64
	for word := range (f.n + 63) / 64 {
		at, first := word*64>>pieceBits, uint(word*64&(pieceSize-1))
		if at < len(f.pieces) && f.pieces[at].width != 0 && f.pieces[at].width != rawWidth {
			p := &f.pieces[at]
			for i := range cuts {
				if first == 0 {
					least[i] = p.leastCode(cuts[i])
				}
			}
			p.codes(codes[:], first)
			for i, code := range least {
				sets[i] = codesFrom(&codes, code)
			}
			do(word, codesFrom(&codes, 1), sets)
			continue
		}
		some := values[:f.Unpack(values[:], word*64)]
		present := uint64(0)
		for i, v := range some {
			is := uint64(0)
			if v == v {
				is = 1
			}
			present |= is << (i & 63)
		}
		for i, cut := range cuts {
			sets[i] = atLeast64(some, cut)
		}
		do(word, present, sets)
	}
}

// leastCode returns the code from which on numbers are at least cut. A piece may have none such.
func (p *piece) leastCode(cut float64) uint64 {
	low, high := uint64(1), p.last+1
	for low < high {
		if mid := (low + high) / 2; p.number(mid) >= cut {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}
