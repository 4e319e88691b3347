package bitvec

import (
	"math/bits"
)

// Cost returns the cost of class 1 and of class 0 in u.
func (p *Planes) Cost(u []uint64) (g1, g0 int64) { return p.cost(u, u, 0, u) }

// CostAnd does for a ∩ b what Cost does for a set, without making it.
func (p *Planes) CostAnd(a, b []uint64) (g1, g0 int64) { return p.cost(a, b, 0, a) }

// CostAndNot does so for a \ b.
func (p *Planes) CostAndNot(a, b []uint64) (g1, g0 int64) { return p.cost(a, b, ^uint64(0), a) }

// CostAnd3 does so for a ∩ b ∩ c.
func (p *Planes) CostAnd3(a, b, c []uint64) (g1, g0 int64) { return p.cost(a, b, 0, c) }

// cost returns the costs of a ∩ (b ⊕ flip) ∩ c, flip being the same for all
// words.
func (p *Planes) cost(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	a, b, c = a[:p.words], b[:p.words], c[:p.words]
	if p.words < Lanes {
		return p.costFew(a, b, flip, c)
	}
	return p.costMany(a, b, flip, c)
}

// costFew is for sets of fewer than eight words, of which many have nothing in
// common.
func (p *Planes) costFew(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	var u [Lanes]uint64
	var any uint64
	b, c = b[:len(a)], c[:len(a)]
	for w := range a {
		x := a[w] & (b[w] ^ flip) & c[w]
		u[w%Lanes] = x
		any |= x
	}
	if any == 0 {
		return 0, 0
	}
	l := &p.classes
	return costFewSteps(l.steps[:l.steps1], &u), costFewSteps(l.steps[l.steps1:], &u)
}

func costFewSteps(steps []step, u *[Lanes]uint64) (g int64) {
	for i := range steps {
		s := &steps[i]
		g += int64(uint64(bits.OnesCount64(u[s.off/8%Lanes]&s.mask)) * s.weight)
	}
	return g
}

func (p *Planes) costGeneric(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	l := &p.classes
	return costSteps(l.steps[:l.steps1], a, b, flip, c), costSteps(l.steps[l.steps1:], a, b, flip, c)
}

func costSteps(steps []step, a, b []uint64, flip uint64, c []uint64) (g int64) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range steps {
		s := &steps[i]
		w := s.off / 8
		g += int64(uint64(bits.OnesCount64(a[w]&(b[w]^flip)&c[w]&s.mask)) * s.weight)
	}
	return g
}

// Unspent marks a place that [Matrix.FirstWithin] never finds.
const Unspent = int64(1) << 62

// FirstWithin runs prog, compiled by CompileComplement from a set u, over the
// blocks [from, to) of m in turn, and returns the first one with a set that,
// with what has been spent on it, stays within the budget: bit i of lanes is
// set when spent[i] + Σ cost(e) over e in set(i) \ u ≤ budget, with the places
// of spent counted by column like those of Count. It returns to and no lanes
// when there is none. Everything spent and the budget lie in [-2^62, 2^62].
//
// The points are listed heaviest first, and a set that is far from lying
// within u shows it in the first few steps: kernels stop as soon as every
// lane is over its limit.
func (m *Matrix) FirstWithin(prog *Program, from, to int, spent []int64, budget int64) (block int, lanes uint8) {
	if from >= to {
		return to, 0
	}
	m.fits(prog)
	n := m.words * Lanes
	block, lanes = m.firstWithin(prog, m.data[from*n:to*n], spent[from*Lanes:to*Lanes], budget)
	return from + block, lanes
}

func firstWithinGeneric(prog *Program, words int, data []uint64, spent []int64, budget int64) (block int, lanes uint8) {
	for at := 0; at < len(spent); at += Lanes {
		var limits [Lanes]int64
		for i := range limits {
			limits[i] = budget - spent[at+i]
		}
		if lanes := withinGeneric(prog, data[at*words:][:words*Lanes], &limits); lanes != 0 {
			return at / Lanes, lanes
		}
	}
	return len(spent) / Lanes, 0
}

func withinGeneric(prog *Program, block []uint64, limits *[Lanes]int64) uint8 {
	var sum [Lanes]int64
	alive := atMost(&sum, limits)
	steps := prog.list.steps
	for _, run := range prog.list.runs {
		if alive == 0 {
			return 0
		}
		var s [Lanes]int64
		for i := range steps[:run.steps] {
			countStep(&s, block, prog.u, &steps[i])
		}
		steps = steps[run.steps:]
		for i := range s {
			sum[i] += s[i] * int64(run.weight)
		}
		alive = atMost(&sum, limits)
	}
	return alive
}

// atMost returns the lanes whose sum is within its limit.
func atMost(sum, limits *[Lanes]int64) (lanes uint8) {
	for i, s := range sum {
		if s <= limits[i] {
			lanes |= 1 << i
		}
	}
	return lanes
}

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
