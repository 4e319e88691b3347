package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernel of SelectEither passes over the counts of all columns, four at a time. Comparisons give signs of lanes, and
// VMOVMSKPD makes four bits of a mask over the columns of them.

// fours is how many columns a turn looks at.
const fours = 4

func broadcast(base Register, field int) VecVirtual {
	v := YMM()
	VPBROADCASTQ(at(base, field*8), v)
	return v
}

// bounds are the fields of a selectBounds, broadcast.
type bounds struct{ own, otherOpen, otherLast, ownLast, span VecVirtual }

func boundsOf(c Register, own VecVirtual) bounds {
	return bounds{own, broadcast(c, 1), broadcast(c, 2), broadcast(c, 3), broadcast(c, 4)}
}

// selectEither writes the mask of the columns of among that either bounds select, and returns whether it has any.
func selectEither() {
	function("selectEitherAVX2", "func(mask, among *uint64, g1, g0 *int64, fours uint64, c1, c0 *int64) bool",
		"selectEitherAVX2 sets mask to the columns of among that c1 or c0 selects. There is a turn at least.")
	mask, among, g1, g0, turns := load("mask"), load("among"), load("g1"), load("g0"), load("fours")
	c1, c0 := load("c1"), load("c0")
	own := broadcast(c1, 0) // of both classes
	b1, b0 := boundsOf(c1, own), boundsOf(c0, own)
	any, word, shift := zero(), zero(), zero()
	Label("columns")
	a, b, is, also := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(at(g1, 0), a)
	VMOVDQU(at(g0, 0), b)
	b1.pass(a, b, is)
	b0.pass(b, a, also)
	VPOR(also, is, is)
	bits := GP32()
	VMOVMSKPD(is, bits)
	SHLXQ(shift, bits.As64(), bits.As64())
	ORQ(bits.As64(), word)
	ADDQ(U32(fours*8), g1)
	ADDQ(U32(fours*8), g0)
	DECQ(turns)
	JZ(LabelRef("word"))
	ADDQ(U32(fours), shift)
	CMPQ(shift, Imm(64))
	JNE(LabelRef("columns"))
	Label("word")
	ANDQ(at(among, 0), word)
	MOVQ(word, at(mask, 0))
	ORQ(word, any)
	ADDQ(Imm(8), among)
	ADDQ(Imm(8), mask)
	XORQ(word, word)
	XORQ(shift, shift)
	TESTQ(turns, turns)
	JNZ(LabelRef("columns"))
	some := GP8()
	TESTQ(any, any)
	SETNE(some)
	Store(some, ReturnIndex(0))
	finish()
}

// pass sets the signs of is of the lanes that b selects. The signs of differences
// do for comparisons, which take four times as long; counts and bounds are too
// small for a difference to overflow.
func (b bounds) pass(p, o, is VecVirtual) {
	t := YMM()
	VPSUBQ(p, o, is)
	VPSUBQ(b.span, is, is)
	VPSUBQ(b.otherLast, o, t)
	VPAND(t, is, is)
	VPSUBQ(p, b.ownLast, t)
	VPAND(t, is, is)
	VPSUBQ(b.otherOpen, o, t)
	VPOR(t, is, is)
	VPSUBQ(p, b.own, t)
	VPAND(t, is, is)
}
