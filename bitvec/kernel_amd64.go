//go:build !purego

package bitvec

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// State that the operating system saves for a thread, as XGETBV reports it: a
// processor has the instructions, but only a system that saves the registers
// lets a program use them. Package cpu looks as well; on macOS, which turns
// AVX-512 on at its first use, it takes the system's word, and we do not.
const (
	savesYMM = 1<<1 | 1<<2                   // XMM and YMM
	savesZMM = savesYMM | 1<<5 | 1<<6 | 1<<7 // mask registers and ZMM
)

var supported = supportedKernels()

// supportedKernels asks package cpu, which asks the processor five times. Where that is a
// virtual one, each question takes longer than most of what else a program does at its start.
func supportedKernels() [len(kernelNames)]bool {
	x := &cpu.X86
	words := x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT
	bytes := words && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL
	return [len(kernelNames)]bool{
		generic:  true,
		avx2:     words && saves(savesYMM),
		avx512bw: bytes && saves(savesZMM),
		avx512:   bytes && saves(savesZMM) && x.HasAVX512VPOPCNTDQ && x.HasAVX512IFMA,
		neon:     false,
	}
}

// saves reports whether the system saves that state.
func saves(state uint32) bool { return cpu.X86.HasOSXSAVE && xgetbv()&state == state }

// available reports whether this machine and this build can run k.
func (k kernel) available() bool { return supported[k] }

// The avx512 kernel cannot multiply by wide weights; avx512bw can, and runs
// wherever avx512 does.

func (m *Matrix) count(prog *Program, data []uint64, g1, g0 []int64) {
	l, u, blocks := prog.list, unsafe.SliceData(prog.u), uint64(len(g1)/Lanes)
	steps, runs := unsafe.SliceData(l.steps), unsafe.SliceData(l.runs)
	switch {
	case active == avx512 && !l.wide:
		countAVX512(unsafe.SliceData(data), m.stride(), blocks, steps, uint64(l.steps1), uint64(len(l.steps)-l.steps1), u, &g1[0], &g0[0])
	case active == avx512 || active == avx512bw:
		countAVX512BW(unsafe.SliceData(data), m.stride(), blocks, steps, runs, uint64(l.runs1), uint64(len(l.runs)-l.runs1), u, &g1[0], &g0[0])
	case active == avx2:
		countAVX2(unsafe.SliceData(data), m.stride(), blocks, steps, runs, uint64(l.runs1), uint64(len(l.runs)-l.runs1), u, &g1[0], &g0[0])
	default:
		countGeneric(prog, m.words, data, g1, g0)
	}
}

func (m *Matrix) firstWithin(prog *Program, data []uint64, spent []int64, budget int64) (int, uint8) {
	l, u, blocks := prog.list, unsafe.SliceData(prog.u), uint64(len(spent)/Lanes)
	steps, runs := unsafe.SliceData(l.steps), unsafe.SliceData(l.runs)
	var block uint64
	var lanes uint8
	switch {
	case active == avx512 && !l.wide:
		block, lanes = firstWithinAVX512(unsafe.SliceData(data), m.stride(), blocks, steps, uint64(len(l.steps)), u, &spent[0], budget)
	case active == avx512 || active == avx512bw:
		block, lanes = firstWithinAVX512BW(unsafe.SliceData(data), m.stride(), blocks, steps, runs, uint64(len(l.runs)), u, &spent[0], budget)
	case active == avx2:
		block, lanes = firstWithinAVX2(unsafe.SliceData(data), m.stride(), blocks, steps, runs, uint64(len(l.runs)), u, &spent[0], budget)
	default:
		return firstWithinGeneric(prog, m.words, data, spent, budget)
	}
	return int(block), lanes
}

//go:noescape
func countAVX512(data *uint64, stride, blocks uint64, steps *step, steps1, steps0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func firstWithinAVX512(data *uint64, stride, blocks uint64, steps *step, n uint64, u *uint64, spent *int64, budget int64) (block uint64, lanes uint8)

//go:noescape
func countAVX512BW(data *uint64, stride, blocks uint64, steps *step, runs *run, runs1, runs0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func firstWithinAVX512BW(data *uint64, stride, blocks uint64, steps *step, runs *run, n uint64, u *uint64, spent *int64, budget int64) (block uint64, lanes uint8)

//go:noescape
func countAVX2(data *uint64, stride, blocks uint64, steps *step, runs *run, runs1, runs0 uint64, u *uint64, g1, g0 *int64)

//go:noescape
func firstWithinAVX2(data *uint64, stride, blocks uint64, steps *step, runs *run, n uint64, u *uint64, spent *int64, budget int64) (block uint64, lanes uint8)

// xgetbv returns the low half of XCR0. The processor must have OSXSAVE.
func xgetbv() uint32
