package bitvec

import "math/bits"

// Count runs prog, compiled from a set u, over the blocks [from, to) of m and
// writes for each of their columns s the cost of the class 1 and of the class
// 0 points of u∩s to g1[s] and g0[s]. Both slices have a place for every
// column of every block (8·Blocks).
func (m *Matrix) Count(prog *Program, from, to int, g1, g0 []int64) {
	for b := from; b < to; b++ {
		block := m.block(b)
		out := b * Lanes
		countGeneric(block, prog.steps, prog.planes[:prog.first], prog.planes[prog.first:],
			(*[Lanes]int64)(g1[out:]), (*[Lanes]int64)(g0[out:]))
	}
}

func countGeneric(block []uint64, steps []step, planes1, planes0 []int32, g1, g0 *[Lanes]int64) {
	n := sumPlanes(block, steps, planes1, g1)
	sumPlanes(block, steps[n:], planes0, g0)
}

// sumPlanes adds up one class and returns how many steps it took.
func sumPlanes(block []uint64, steps []step, planes []int32, g *[Lanes]int64) (taken int) {
	var s [Lanes]int64
	for _, n := range planes {
		for i := range s {
			s[i] <<= 1
		}
		for _, st := range steps[taken : taken+int(n)] {
			x := (*[Lanes]uint64)(block[st.off/8:])
			for i := range s {
				s[i] += int64(bits.OnesCount64(x[i] & st.mask))
			}
		}
		taken += int(n)
	}
	*g = s
	return taken
}
