//go:build !purego

package bitvec

import (
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

// State that the operating system saves for a thread, as XGETBV reports it: a
// processor has the instructions, but only a system that saves the registers
// lets a program use them. Package cpuid looks as well; on macOS, which turns
// AVX-512 on at its first use, it takes the system's word, and we do not.
const (
	savesYMM = 1<<1 | 1<<2                   // XMM and YMM
	savesZMM = savesYMM | 1<<5 | 1<<6 | 1<<7 // mask registers and ZMM
)

var supported = [...]bool{
	generic:  true,
	avx2:     has(savesYMM, cpuid.AVX2, cpuid.POPCNT),
	avx512bw: has(savesZMM, cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ),
	avx512: has(savesZMM, cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ,
		cpuid.AVX512VPOPCNTDQ, cpuid.AVX512IFMA),
	neon: false,
}

func has(state uint32, features ...cpuid.FeatureID) bool {
	return cpuid.CPU.Supports(append(features, cpuid.OSXSAVE)...) && xgetbv()&state == state
}

// available reports whether this machine and this build can run k.
func (k kernel) available() bool { return supported[k] }

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	l := prog.list
	switch {
	case active == avx512 && !l.wide:
		countAVX512(unsafe.SliceData(data), m.stride(), uint64(len(g1)/Lanes), unsafe.SliceData(l.steps), uint64(l.steps1),
			uint64(len(l.steps)-l.steps1), unsafe.SliceData(prog.u), unsafe.SliceData(g1), unsafe.SliceData(g0))
	default:
		countGeneric(prog, m.words, data, g1, g0)
	}
}

func (m *Matrix) within(prog *Program, block []uint64, limits *[Lanes]int64) uint8 {
	l := prog.list
	switch {
	case active == avx512 && !l.wide:
		return withinAVX512(unsafe.SliceData(block), unsafe.SliceData(l.steps), uint64(len(l.steps)), unsafe.SliceData(prog.u), &limits[0])
	}
	return withinGeneric(prog, block, limits)
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	l := prog.list
	switch {
	case active == avx512 && !l.wide:
		block, lanes := firstWithinAVX512(unsafe.SliceData(data), m.stride(), uint64(len(spent)/Lanes), unsafe.SliceData(l.steps),
			uint64(len(l.steps)), unsafe.SliceData(prog.u), unsafe.SliceData(spent), budget)
		return int(block), lanes
	}
	return firstWithinGeneric(prog, m.words, data, spent, budget)
}

// stride is the size of a block in bytes.
func (m *Matrix) stride() uint64 { return uint64(m.words) * Lanes * 8 }

//go:noescape
func countAVX512(data *uint64, stride, blocks uint64, steps *step, steps1, steps0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func withinAVX512(block *uint64, steps *step, n uint64, u *uint64, limits *int64) uint8

//go:noescape
func firstWithinAVX512(data *uint64, stride, blocks uint64, steps *step, n uint64, u *uint64, spent *int64, budget int64) (block uint64, lanes uint8)

// xgetbv returns the low half of XCR0. The processor must have OSXSAVE.
func xgetbv() uint32
