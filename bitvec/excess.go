package bitvec

import "math/bits"

// Within runs prog, compiled by CompileComplement from a set u, over block b
// of m and returns the lanes whose set costs at most its limit outside u:
// bit i is set when Σ cost(e) over e in set(i) \ u ≤ limits[i]. A negative
// limit never holds.
//
// The points are listed heaviest first, and a set that is far from lying
// within u shows it in the first few steps: kernels stop as soon as every
// lane is over its limit.
func (m *Matrix) Within(prog *Program, b int, limits *[Lanes]int64) uint8 {
	return withinGeneric(m.block(b), prog.steps, prog.planes, limits)
}

// withinGeneric keeps the sum over the planes so far scaled to the plane at
// hand, so it compares against limit >> (planes left).
func withinGeneric(block []uint64, steps []step, planes []int32, limits *[Lanes]int64) uint8 {
	var alive uint8
	for i, l := range limits {
		if l >= 0 {
			alive |= 1 << i
		}
	}
	var s [Lanes]int64
	for p, n := range planes {
		left := len(planes) - 1 - p
		for i := range s {
			s[i] <<= 1
		}
		for _, st := range steps[:n] {
			x := (*[Lanes]uint64)(block[st.off/8:])
			for i := range s {
				s[i] += int64(bits.OnesCount64(x[i] & st.mask))
			}
		}
		steps = steps[n:]
		for i := range s {
			if s[i] > limits[i]>>left {
				alive &^= 1 << i
			}
		}
		if alive == 0 {
			return 0
		}
	}
	return alive
}
