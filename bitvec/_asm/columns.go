package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Passes over the counts of all columns, four at a time: comparisons give lanes of ones, and
// VMOVMSKPD makes four bits of a mask over the columns of them.

// fours is how many columns a turn looks at.
const fours = 4

func columnKernels() {
	selectEither()
	survey()
}

// columns runs body for the columns of every turn. Body gets their counts and returns a
// register with their bits, which are gathered to words of a mask and given to word.
func columns(a, b, turns GPVirtual, body func(p, o VecVirtual) GPVirtual, word func(bits GPVirtual)) {
	gathered, shift := GP64(), GP64()
	XORQ(gathered, gathered)
	XORQ(shift, shift)
	Label("columns")
	p, o := YMM(), YMM()
	VMOVDQU(at(a, 0), p)
	VMOVDQU(at(b, 0), o)
	bits := body(p, o)
	SHLXQ(shift, bits.As64(), bits.As64())
	ORQ(bits.As64(), gathered)
	ADDQ(U32(fours*8), a)
	ADDQ(U32(fours*8), b)
	DECQ(turns)
	JZ(LabelRef("last"))
	ADDQ(U32(fours), shift)
	CMPQ(shift, Imm(64))
	JNE(LabelRef("columns"))
	word(gathered)
	XORQ(gathered, gathered)
	XORQ(shift, shift)
	JMP(LabelRef("columns"))
	Label("last")
	word(gathered)
}

func broadcast(base Register, field int) VecVirtual {
	v := YMM()
	VPBROADCASTQ(at(base, field*8), v)
	return v
}

// greater sets lanes of the result where a > b.
func greater(a, b VecVirtual) VecVirtual {
	y := YMM()
	VPCMPGTQ(b, a, y)
	return y
}

// lanesOf returns the sign bits of y.
func lanesOf(y VecVirtual) GPVirtual {
	bits := GP32()
	VMOVMSKPD(y, bits)
	return bits
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
	any, own := GP64(), broadcast(c1, 0) // of both classes
	b1, b0 := boundsOf(c1, own), boundsOf(c0, own)
	XORQ(any, any)
	columns(g1, g0, turns, func(a, b VecVirtual) GPVirtual {
		is, also := YMM(), YMM()
		b1.pass(a, b, is)
		b0.pass(b, a, also)
		VPOR(also, is, is)
		return lanesOf(is)
	}, func(bits GPVirtual) {
		ANDQ(at(among, 0), bits)
		MOVQ(bits, at(mask, 0))
		ORQ(bits, any)
		ADDQ(Imm(8), among)
		ADDQ(Imm(8), mask)
	})
	is := GP8()
	TESTQ(any, any)
	SETNE(is)
	Store(is, ReturnIndex(0))
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

// Fields of a Survey.
const (
	surveyAll1, surveyAll0, surveyLeast = 0, 1, 2
	surveyOut                           = 3 // Stop, Class1.Other and .Span, Class0.Other and .Span
)

// limits are the fields of a Survey that it is given, broadcast, and its results so far.
type limits struct {
	all1, all0, least VecVirtual
	mins              []VecVirtual
}

// survey writes Survey.Run.
func survey() {
	function("surveyAVX2", "func(alive *uint64, g1, g0 *int64, fours uint64, s *int64)",
		"surveyAVX2 is Survey.Run. There is a turn at least. The results of s are Far before.")
	alive, g1, g0, turns, base := load("alive"), load("g1"), load("g0"), load("fours"), load("s")
	l := &limits{all1: broadcast(base, surveyAll1), all0: broadcast(base, surveyAll0), least: broadcast(base, surveyLeast)}
	for i := range 5 {
		l.mins = append(l.mins, broadcast(base, surveyOut+i))
	}
	columns(g1, g0, turns, l.look, func(bits GPVirtual) {
		MOVQ(bits, at(alive, 0))
		ADDQ(Imm(8), alive)
	})
	for i, v := range l.mins {
		minimum(v, at(base, (surveyOut+i)*8))
	}
	finish()
}

// look looks at the columns of a turn.
func (l *limits) look(a, b VecVirtual) GPVirtual {
	is1, is0 := greater(a, l.least), greater(b, l.least)
	span := YMM()
	lower(l.mins[1], b, is1)
	VPSUBQ(a, b, span)
	lower(l.mins[2], span, is1)
	lower(l.mins[3], a, is0)
	VPSUBQ(b, a, span)
	lower(l.mins[4], span, is0)
	VPOR(is0, is1, is1)
	stop, inside := YMM(), YMM()
	VPSUBQ(a, l.all1, stop)
	VPSUBQ(b, l.all0, inside)
	VBLENDVPD(greater(stop, inside), inside, stop, stop)
	VBLENDVPD(greater(a, b), b, a, inside)
	VPADDQ(inside, stop, stop)
	lower(l.mins[0], stop, is1)
	return lanesOf(is1)
}

// lower makes the lanes of least that are set in where the minimum with y.
func lower(least, y, where VecVirtual) {
	less := greater(least, y)
	VPAND(where, less, less)
	VBLENDVPD(less, y, least, least)
}

// minimum writes the smallest lane of y to m.
func minimum(y VecVirtual, m Mem) {
	t, less := YMM(), XMM()
	VEXTRACTI128(Imm(1), y, t.AsX())
	VPCMPGTQ(t.AsX(), y.AsX(), less)
	VBLENDVPD(less, t.AsX(), y.AsX(), y.AsX())
	VPSHUFD(Imm(0xee), y.AsX(), t.AsX())
	VPCMPGTQ(t.AsX(), y.AsX(), less)
	VBLENDVPD(less, t.AsX(), y.AsX(), y.AsX())
	VMOVQ(y.AsX(), m)
}
