//go:build !purego

package bitvec

import "unsafe"

// available reports whether this build can run k. Every arm64 system that Go
// runs on has NEON.
func (k kernel) available() bool { return k == generic || k == neon }

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	if active != neon {
		countGeneric(prog, m.words, data, g1, g0)
		return
	}
	l := prog.list
	countNEON(unsafe.SliceData(data), m.stride(), uint64(len(g1)/Lanes), unsafe.SliceData(l.steps), unsafe.SliceData(l.runs),
		uint64(l.runs1), uint64(len(l.runs)-l.runs1), unsafe.SliceData(prog.u), &g1[0], &g0[0])
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	if active != neon {
		return firstWithinGeneric(prog, m.words, data, spent, budget)
	}
	l := prog.list
	block, lanes := firstWithinNEON(unsafe.SliceData(data), m.stride(), uint64(len(spent)/Lanes), unsafe.SliceData(l.steps),
		unsafe.SliceData(l.runs), uint64(len(l.runs)), unsafe.SliceData(prog.u), &spent[0], budget)
	return int(block), lanes
}

// selectEither selects for one class and then for the other.
func selectEither(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	if active != neon {
		return selectEitherGeneric(mask, among, g1, g0, b1, b0)
	}
	clear(mask)
	blocks := uint64(len(g1) / Lanes)
	selectNEON(&mask[0], &g1[0], &g0[0], blocks, b1)
	selectNEON(&mask[0], &g0[0], &g1[0], blocks, b0)
	var any uint64
	for i := range mask {
		mask[i] &= among[i]
		any |= mask[i]
	}
	return any != 0
}

//go:noescape
func countNEON(data *uint64, stride, blocks uint64, steps *step, runs *run, runs1, runs0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func firstWithinNEON(data *uint64, stride, blocks uint64, steps *step, runs *run, n uint64, u *uint64, spent *int64,
	budget int64) (block uint64, lanes uint8)

//go:noescape
func selectNEON(mask *uint64, own, other *int64, blocks uint64, c *selectBounds) bool

func thirdsFast(*Thirds[int16], []int32) bool { return false }

func surveyFast([]uint64, []int64, []int64, *Survey, *[5][4]int64) bool { return false }

func sumBitsFast(*[64]int32, []uint64, []uint64, []int32) bool { return false }

func andNotHashFast(*nh, []uint64, []uint64, []uint64, []uint64) int { return 0 }
