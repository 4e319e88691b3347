//go:build !purego

package bitvec

import (
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

// supported asks package cpuid, which takes an instruction for one that is there only if the system
// saves its registers.
var supported = [len(kernelNames)]bool{
	generic: true,
	avx2:    cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT),
	avx512: cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ,
		cpuid.AVX512VL, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512IFMA),
}

// available reports whether this machine and this build can run k.
func (k kernel) available() bool { return supported[k] }

// The avx512 kernel cannot multiply by wide weights; avx2 can, and runs wherever avx512 does.

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	l, u, blocks := prog.list, unsafe.SliceData(prog.u), uint64(len(g1)/Lanes)
	steps, runs := unsafe.SliceData(l.steps), unsafe.SliceData(l.runs)
	switch {
	case active == avx512 && !l.wide:
		countAVX512(unsafe.SliceData(data), m.stride(), blocks, steps, uint64(l.steps1), uint64(len(l.steps)-l.steps1), u, &g1[0], &g0[0])
	case active != generic:
		countAVX2(unsafe.SliceData(data), m.stride(), blocks, steps, runs, uint64(l.runs1), uint64(len(l.runs)-l.runs1), u, &g1[0], &g0[0])
	default:
		countGeneric(prog, m.words, data, g1, g0)
	}
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	if active == generic {
		return firstWithinGeneric(prog, m.words, data, spent, budget)
	}
	l, u, blocks := prog.list, unsafe.SliceData(prog.u), uint64(len(spent)/Lanes)
	steps, runs := unsafe.SliceData(l.steps), unsafe.SliceData(l.runs)
	block, lanes := firstWithinAVX2(unsafe.SliceData(data), m.stride(), blocks, steps, runs, uint64(len(l.runs)), u, &spent[0], budget)
	return int(block), lanes
}

//go:noescape
func countAVX512(data *uint64, stride, blocks uint64, steps *step, steps1, steps0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func countAVX2(data *uint64, stride, blocks uint64, steps *step, runs *run, runs1, runs0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func firstWithinAVX2(data *uint64, stride, blocks uint64, steps *step, runs *run, n uint64, u *uint64, spent *int64,
	budget int64) (block uint64, lanes uint8)

func selectEither(mask, among []uint64, g1, g0 []int64, b1, b0 *selectBounds) bool {
	if active == generic {
		return selectEitherGeneric(mask, among, g1, g0, b1, b0)
	}
	return selectEitherAVX2(&mask[0], &among[0], &g1[0], &g0[0], uint64(len(g1)/4), b1, b0)
}

//go:noescape
func selectEitherAVX2(mask, among *uint64, g1, g0 *int64, fours uint64, c1, c0 *selectBounds) bool

func surveyFast(alive []uint64, g1, g0 []int64, s *Survey, least *[5][4]int64) bool {
	if active == generic || len(g1) == 0 {
		return false
	}
	surveyAVX2(&alive[0], &g1[0], &g0[0], uint64(len(g1)/4), s, least)
	return true
}

//go:noescape
func surveyAVX2(alive *uint64, g1, g0 *int64, fours uint64, s *Survey, least *[5][4]int64)

func (p *Planes) costMany(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	if active == generic || p.rows.heavy >= 1<<32 {
		return p.costGeneric(a, b, flip, c)
	}
	return costAVX2(p.rows, &a[0], &b[0], flip, &c[0])
}

//go:noescape
func costAVX2(r *rows, a, b *uint64, flip uint64, c *uint64) (g1, g0 int64)

func countCommon(to []int64, set, columns []uint64, some []int32) {
	if active == generic {
		countCommonGeneric(to, set, columns, some)
	} else {
		commonAVX2(&to[0], &set[0], &columns[0], uint64(8*len(set)), &some[0], uint64(len(some)))
	}
}

//go:noescape
func commonAVX2(to *int64, set, columns *uint64, bytes uint64, some *int32, count uint64)

func andNotHashFast(s *nh, dst, a, b, keys []uint64) (words int) {
	if active == generic || len(dst) < Lanes {
		return 0
	}
	andNotHashMULX(s, &dst[0], &a[0], &b[0], &keys[0], uint64(len(dst)/2))
	return len(dst) &^ 1
}

//go:noescape
func andNotHashMULX(sums *nh, dst, a, b, keys *uint64, pairs uint64)

func (c *Counters) raise(mask, live, full []uint64, most uint32) uint32 {
	if active == generic {
		return c.raiseGeneric(mask, live, full, most)
	}
	return uint32(raiseAVX2(&c.planes[0], &mask[0], &live[0], &full[0], uint64(c.vectors()), uint64(c.depth), uint64(most)))
}

//go:noescape
func raiseAVX2(planes, mask, live, full *uint64, vectors, depth, most uint64) uint64

func sumBitsFast(sums *[64]int32, set, masks []uint64, numbers []int32) bool {
	if active == generic || len(set) == 0 {
		return false
	}
	sumBitsAVX2(&sums[0], &set[0], uint64(len(set)), &masks[0], &numbers[0])
	return true
}

//go:noescape
func sumBitsAVX2(sums *int32, set *uint64, words uint64, masks *uint64, numbers *int32)
