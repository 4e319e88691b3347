package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The avx512 kernel: a block word is one register of eight lanes. A step is
//
//	mask = broadcast(step.mask) & broadcast(u[w])
//	sum += popcount(block[w] & mask) · step.weight
//
// with VPOPCNTQ for the popcount and VPMADD52LUQ for the multiplication and
// the addition in one (weights are below 2^46, so products fit 52 bits). That
// is three operations a word on the two 512-bit ports of Intel's cores, and no
// loop per weight whose end would be mispredicted.

func avx512() {
	function("countAVX512", "func(data *uint64, stride, blocks uint64, steps *uint64, steps1, steps0 uint64, u *uint64, g1, g0 *int64)",
		"countAVX512 counts blocks blocks, stride bytes each, from data on.")
	countBlocks([]int{4, 1}, "steps", func(name string, bases []GPVirtual, u, g1 GPVirtual) func(p, n GPVirtual) {
		return func(p, n GPVirtual) { avx512Class(name, bases, p, n, u, g1) }
	})
}

// avx512Class adds up the n steps from p on of some blocks, writes the totals
// to g and moves p and g on. It takes four steps a turn and what is left as two, so that
// a count of few steps, which a search makes again and again with the same numbers, has
// no branch that is hard to predict. Eight steps a turn, and two blocks at a time besides
// four and one, were no faster. Steps alternate between two sums: a multiply-add has a
// latency of four cycles.
func avx512Class(name string, bases []GPVirtual, p, n, u, g GPVirtual) {
	sums := [2][]VecVirtual{}
	for i := range sums {
		for range bases {
			z := ZMM()
			VPXORQ(z, z, z)
			sums[i] = append(sums[i], z)
		}
	}
	take := func(steps int) {
		for i := range steps {
			avx512Step(bases, p, i, u, sums[i%2])
		}
		ADDQ(U32(steps*stepSize), p)
	}
	left := copyOf(n)
	SHRQ(Imm(2), left)
	JZ(LabelRef(name + "rest"))
	Label(name + "four")
	take(4)
	DECQ(left)
	JNZ(LabelRef(name + "four"))
	Label(name + "rest")
	TESTL(U32(2), n.As32())
	JZ(LabelRef(name + "sums"))
	take(2)
	Label(name + "sums")
	for j := range bases {
		VPADDQ(sums[1][j], sums[0][j], sums[0][j])
		VMOVDQU64(sums[0][j], at(g, j*lanes*8))
	}
	ADDQ(U32(len(bases)*lanes*8), g)
}

// avx512Step adds the i-th step from p on to the sums of some blocks.
func avx512Step(bases []GPVirtual, p GPVirtual, i int, u GPVirtual, sums []VecVirtual) {
	off, mask := GP64(), ZMM()
	MOVQ(at(p, i*stepSize+stepOff), off)
	VPBROADCASTQ(at(p, i*stepSize+stepMask), mask)
	if len(bases) == 1 {
		x := ZMM()
		VMOVDQU64(indexed(bases[0], off, lanes), x)
		VPTERNLOGQ_BCST(U8(0x80), indexed(u, off, 1), mask, x) // the and of all three
		VPOPCNTQ(x, x)
		VPMADD52LUQ_BCST(at(p, i*stepSize+stepWeight), x, sums[0])
		return
	}
	weight := ZMM()
	VPANDQ_BCST(indexed(u, off, 1), mask, mask)
	VPBROADCASTQ(at(p, i*stepSize+stepWeight), weight)
	for j, b := range bases {
		x := ZMM()
		VPANDQ(indexed(b, off, lanes), mask, x)
		VPOPCNTQ(x, x)
		VPMADD52LUQ(weight, x, sums[j])
	}
}
