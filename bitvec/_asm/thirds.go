package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernel of Thirds: 32 conditions in two registers of sixteen numbers of 16 bits. A condition
// may follow if the least of its four bounds is enough.

// Layout of Thirds16: pointers, then numbers.
const (
	thirdsGainQ = 24 * iota
	thirdsGainR
	thirdsInQ
	thirdsInR
	thirdsMineQ
	thirdsMineR
	thirdsAllQ
	thirdsAllR
	thirdsOther
)

func thirds() {
	function("thirdsAVX2", "func(x *uint64, list *int32, blocks uint64, to *uint32)",
		"thirdsAVX2 does what Thirds.Among says for the blocks of a list. There is a block at least.")
	x, next, blocks, to, off := load("x"), load("list"), load("blocks"), load("to"), GP64()
	var lists [8]GPVirtual
	for i := range lists {
		lists[i] = GP64()
		MOVQ(at(x, 24*i), lists[i])
	}
	list := func(disp, half int) Mem {
		return Mem{Base: lists[disp/24], Index: off, Scale: 1, Disp: 32 * half}
	}
	var numbers [4]VecVirtual // other, bothQ, outside, ask
	for i := range numbers {
		numbers[i] = YMM()
		VPBROADCASTW(at(x, thirdsOther+2*i), numbers[i])
	}
	other, bothQ, outside, ask := numbers[0], numbers[1], numbers[2], numbers[3]
	Label("block")
	MOVL(at(next, 0), off.As32())
	SHLQ(Imm(6), off)
	var rejected, dS [2]VecVirtual
	for h := range 2 {
		gainR := YMM()
		dS[h], rejected[h] = YMM(), YMM()
		VMOVDQU(list(thirdsGainR, h), gainR)
		VMOVDQU(list(thirdsGainQ, h), dS[h])
		VPSUBW(gainR, dS[h], dS[h])
		VPMINSW(other, gainR, gainR)
		VPADDW(dS[h], gainR, gainR)
		VPCMPGTW(gainR, ask, rejected[h])
	}
	all, bits := YMM(), GP32()
	VPAND(rejected[0], rejected[1], all)
	VPMOVMSKB(all, bits)
	NOTL(bits)
	TESTL(bits, bits)
	JZ(LabelRef("none"))
	for h := range 2 {
		rV, qV, both, beyond, m, y := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
		VMOVDQU(list(thirdsInR, h), rV)
		VMOVDQU(list(thirdsInQ, h), qV)
		VMOVDQU(list(thirdsMineR, h), both)
		VMOVDQU(list(thirdsAllR, h), beyond)
		VPSUBW(rV, beyond, beyond)
		VPADDW(rV, dS[h], dS[h]) // the second bound
		VPMINSW(both, outside, y)
		VPMINSW(beyond, y, y)
		VMOVDQU(list(thirdsAllQ, h), m)
		VPSUBW(qV, m, m)
		VPSUBW(beyond, m, m)
		VPADDW(y, m, m) // the third
		VPMINSW(dS[h], m, m)
		VPSUBW(beyond, both, y) // the least that all three have in common
		VPSUBW(outside, both, both)
		VPMAXSW(both, y, y)
		VPSUBW(other, rV, rV)
		VPMAXSW(rV, y, y)
		zeros := YMM()
		VPXOR(zeros, zeros, zeros)
		VPMAXSW(zeros, y, y)
		VPSUBW(qV, dS[h], dS[h])
		VPSUBW(y, dS[h], dS[h])
		VPMINSW(list(thirdsMineQ, h), qV, qV)
		VPMINSW(bothQ, qV, qV)
		VPADDW(qV, dS[h], dS[h]) // the fourth
		VPMINSW(dS[h], m, m)
		VPCMPGTW(m, ask, m)
		VPOR(m, rejected[h], rejected[h])
	}
	VPACKSSWB(rejected[1], rejected[0], all)
	VPERMQ(Imm(0xd8), all, all)
	VPMOVMSKB(all, bits)
	NOTL(bits)
	Label("none")
	MOVL(bits, at(to, 0))
	ADDQ(Imm(4), to)
	ADDQ(Imm(4), next)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	finish()
}
