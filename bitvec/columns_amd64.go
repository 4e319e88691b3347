//go:build !purego

package bitvec

func selectEither(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	switch active {
	case avx512:
		b0.spanLast = -b0.spanLast // the kernel has g0−g1 at hand, not g1−g0
		return selectEitherAVX512(&mask[0], &among[0], &g1[0], &g0[0], uint64(len(g1)/8), b1, b0)
	case avx2:
		return selectEitherAVX2(&mask[0], &among[0], &g1[0], &g0[0], uint64(len(g1)/4), b1, b0)
	}
	return selectEitherGeneric(mask, among, g1, g0, b1, b0)
}

func (s *Survey) run(alive []uint64, g1, g0 []int64) int {
	switch active {
	case avx512:
		return int(surveyAVX512(&alive[0], &g1[0], &g0[0], uint64(len(g1)/8), s))
	case avx2:
		return int(surveyAVX2(&alive[0], &g1[0], &g0[0], uint64(len(g1)/4), s))
	}
	return s.runGeneric(alive, g1, g0)
}

func cheap(out, alive []uint64, g1, g0 []int64, room int64) int {
	switch active {
	case avx512:
		return int(cheapAVX512(&out[0], &alive[0], &g1[0], &g0[0], uint64(len(g1)/8), room))
	case avx2:
		return int(cheapAVX2(&out[0], &alive[0], &g1[0], &g0[0], uint64(len(g1)/4), room))
	}
	return cheapGeneric(out, alive, g1, g0, room)
}

//go:noescape
func selectEitherAVX512(mask, among *uint64, g1, g0 *int64, blocks uint64, c1, c0 *selectBounds) bool

//go:noescape
func surveyAVX512(alive *uint64, g1, g0 *int64, blocks uint64, s *Survey) (n uint64)

//go:noescape
func cheapAVX512(out, alive *uint64, g1, g0 *int64, blocks uint64, room int64) (n uint64)

//go:noescape
func selectEitherAVX2(mask, among *uint64, g1, g0 *int64, fours uint64, c1, c0 *selectBounds) bool

//go:noescape
func surveyAVX2(alive *uint64, g1, g0 *int64, fours uint64, s *Survey) (n uint64)

//go:noescape
func cheapAVX2(out, alive *uint64, g1, g0 *int64, fours uint64, room int64) (n uint64)
