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

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	if active == generic {
		countGeneric(prog, m.words, data, g1, g0)
		return
	}
	l := prog.list
	countAVX2(unsafe.SliceData(data), m.stride(), uint64(len(g1)/Lanes), unsafe.SliceData(l.steps), unsafe.SliceData(l.runs),
		uint64(l.runs1), uint64(len(l.runs)-l.runs1), unsafe.SliceData(prog.u), &g1[0], &g0[0])
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	if active == generic {
		return firstWithinGeneric(prog, m.words, data, spent, budget)
	}
	l := prog.list
	block, lanes := firstWithinAVX2(unsafe.SliceData(data), m.stride(), uint64(len(spent)/Lanes), unsafe.SliceData(l.steps),
		unsafe.SliceData(l.runs), uint64(len(l.runs)), unsafe.SliceData(prog.u), &spent[0], budget)
	return int(block), lanes
}

//go:noescape
func countAVX2(data *uint64, stride, blocks uint64, steps *step, runs *run, runs1, runs0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func firstWithinAVX2(data *uint64, stride, blocks uint64, steps *step, runs *run, n uint64, u *uint64, spent *int64,
	budget int64) (block uint64, lanes uint8)
