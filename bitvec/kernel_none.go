//go:build purego || !(amd64 || arm64)

package bitvec

// available reports whether this machine and this build can run k.
func (k kernel) available() bool { return k == generic }

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	countGeneric(prog, m.words, data, g1, g0)
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	return firstWithinGeneric(prog, m.words, data, spent, budget)
}

func selectEither(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	return selectEitherGeneric(mask, among, g1, g0, b1, b0)
}

func scanBinsFast[T BinWeight](_, _, _, _ []T, _, _ bool, _ *[4]T, _ *[2][BinLanes]T) bool {
	return false
}

func thirdsFast(*Thirds[int16], []int32) bool { return false }

func surveyFast([]uint64, []int64, []int64, *Survey, *[5][4]int64) bool { return false }

func sumBitsFast(*[64]int32, []uint64, []uint64, []int32) bool { return false }

func andNotHashFast(*nh, []uint64, []uint64, []uint64, []uint64) int { return 0 }
