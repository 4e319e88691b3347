package bitvec

import "math/bits"

// Count runs prog, compiled from a set u, over the blocks [from, to) of m and
// writes for each of their columns s the cost of the class 1 and of the class
// 0 points of u∩s to g1[s] and g0[s]. Both slices have a place for every
// column of every block (8·Blocks).
func (m *Matrix) Count(prog *Program, from, to int, g1, g0 []int64) {
	if from >= to {
		return
	}
	m.fits(prog)
	prog.shorten(to - from)
	m.countBlocks(prog, from, to, g1, g0)
}

func (m *Matrix) countBlocks(prog *Program, from, to int, g1, g0 []int64) {
	n := m.words * Lanes
	m.count(prog, m.data[from*n:to*n], g1[from*Lanes:to*Lanes], g0[from*Lanes:to*Lanes])
}

// squeezeBlocks is the fewest blocks for which Count looks at what squeezing
// would save.
const squeezeBlocks = 5

// shorten squeezes prog if that makes counting so many blocks faster.
func (prog *Program) shorten(blocks int) {
	if blocks >= squeezeBlocks && prog.worthSqueezing(blocks) {
		prog.squeeze()
	}
}

// fits panics unless prog was compiled for sets as long as m's columns.
func (m *Matrix) fits(prog *Program) {
	if prog.list == nil || len(prog.u) != m.words {
		panic("bitvec: a program that was not compiled for sets of this matrix's length")
	}
}

// countGeneric counts the blocks that lie in data.
func countGeneric(prog *Program, words int, data []uint64, g1, g0 []int64) {
	l := prog.list
	for b := 0; b < len(g1); b += Lanes {
		block := data[b*words:][:words*Lanes]
		*(*[Lanes]int64)(g1[b:]) = sumRuns(block, prog.u, l.steps[:l.steps1], l.runs[:l.runs1])
		*(*[Lanes]int64)(g0[b:]) = sumRuns(block, prog.u, l.steps[l.steps1:], l.runs[l.runs1:])
	}
}

// sumRuns adds up one class, run by run.
func sumRuns(block, u []uint64, steps []step, runs []run) (sum [Lanes]int64) {
	for _, run := range runs {
		var s [Lanes]int64
		for i := range steps[:run.steps] {
			countStep(&s, block, u, &steps[i])
		}
		steps = steps[run.steps:]
		for i := range s {
			sum[i] += s[i] * int64(run.weight)
		}
	}
	return sum
}

// countStep adds the points of one step to every lane.
func countStep(s *[Lanes]int64, block, u []uint64, st *step) {
	mask := u[st.off/8] & st.mask
	x := (*[Lanes]uint64)(block[st.off:])
	for i := range s {
		s[i] += int64(bits.OnesCount64(x[i] & mask))
	}
}
