package bitvec

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
