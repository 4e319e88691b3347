package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of And and AndNot: dst = a ∩ (b ⊕ flip), a vector of words a turn.

func words() {
	meetAVX512()
	meetAVX2()
}

// beginMeet returns the parameters and a count of the words done.
func beginMeet(name string) (dst, a, b, n, done GPVirtual) {
	function(name, "func(dst, a, b *uint64, flip, n uint64)", name+" sets n words of dst to a ∩ (b ⊕ flip). n ≥ 8.")
	dst, a, b, n, done = load("dst"), load("a"), load("b"), load("n"), GP64()
	XORQ(done, done)
	return
}

func meetAVX512() {
	dst, a, b, n, done := beginMeet("meetAVX512")
	flip, x, y, k, rest := ZMM(), ZMM(), ZMM(), K(), GP64()
	VPBROADCASTQ(NewParamAddr("flip", 24), flip)
	MOVL(U32(lanes-1), rest.As32())
	ANDQ(n, rest)
	SUBQ(rest, n)
	Label("eight")
	VMOVDQU64(indexed(a, done, 8), x)
	VPTERNLOGQ(U8(0x60), indexed(b, done, 8), flip, x)
	VMOVDQU64(x, indexed(dst, done, 8))
	ADDQ(Imm(lanes), done)
	CMPQ(done, n)
	JNE(LabelRef("eight"))
	TESTQ(rest, rest)
	JZ(LabelRef("done"))
	lanesLeft := GP32()
	MOVL(U32(1<<lanes-1), lanesLeft)
	BZHIL(rest.As32(), lanesLeft, lanesLeft)
	KMOVB(lanesLeft, k)
	VMOVDQU64_Z(indexed(a, done, 8), k, x)
	VMOVDQU64_Z(indexed(b, done, 8), k, y)
	VPTERNLOGQ(U8(0x60), y, flip, x)
	VMOVDQU64(x, k, indexed(dst, done, 8))
	Label("done")
	VZEROUPPER()
	RET()
}

func meetAVX2() {
	dst, a, b, n, done := beginMeet("meetAVX2")
	flip, x, fours, y := YMM(), YMM(), GP64(), GP64()
	VPBROADCASTQ(NewParamAddr("flip", 24), flip)
	MOVQ(n, fours)
	ANDQ(I8(-4), fours)
	Label("four")
	VPXOR(indexed(b, done, 8), flip, x)
	VPAND(indexed(a, done, 8), x, x)
	VMOVDQU(x, indexed(dst, done, 8))
	ADDQ(Imm(4), done)
	CMPQ(done, fours)
	JNE(LabelRef("four"))
	Label("one")
	CMPQ(done, n)
	JE(LabelRef("done"))
	MOVQ(indexed(b, done, 8), y)
	XORQ(NewParamAddr("flip", 24), y)
	ANDQ(indexed(a, done, 8), y)
	MOVQ(y, indexed(dst, done, 8))
	INCQ(done)
	JMP(LabelRef("one"))
	Label("done")
	VZEROUPPER()
	RET()
}
