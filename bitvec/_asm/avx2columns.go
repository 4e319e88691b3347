package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Passes over the counts of all columns, four at a time: comparisons give
// lanes of ones, and VMOVMSKPD makes four bits of a mask over the columns of
// them.

func avx2Columns() {
	avx2SelectEither()
	avx2Survey()
	avx2Cheap()
}

func broadcastYMM(base Register, field int) VecVirtual {
	y := YMM()
	VPBROADCASTQ(at(base, field*8), y)
	return y
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

func avx2SelectEither() {
	function("selectEitherAVX2", "func(mask, among *uint64, g1, g0 *int64, fours uint64, c1, c0 *int64) bool",
		"selectEitherAVX2 is SelectEither. fours > 0.")
	mask, among, g1, g0 := load("mask"), load("among"), load("g1"), load("g0")
	fours, c1, c0 := load("fours"), load("c1"), load("c0")
	any, own := GP64(), broadcastYMM(c1, 0) // of both classes
	b1, b0 := loadBoundsYMM(c1), loadBoundsYMM(c0)
	XORQ(any, any)
	columnPass(4, g1, g0, fours, func(a, b VecVirtual) GPVirtual {
		is, also := YMM(), YMM()
		b1.pass(a, b, own, is)
		b0.pass(b, a, own, also)
		VPOR(also, is, is)
		return lanesOf(is)
	}, func(bits GPVirtual) { amongWord(bits, among, mask, any) })
	returnWhetherAny(any)
}

// boundsYMM are the fields of a selectBounds but the first, broadcast.
type boundsYMM struct{ otherOpen, otherLast, ownLast, span VecVirtual }

func loadBoundsYMM(c Register) boundsYMM {
	return boundsYMM{broadcastYMM(c, 1), broadcastYMM(c, 2), broadcastYMM(c, 3), broadcastYMM(c, 4)}
}

// pass sets the signs of is of the lanes that b selects. The signs of differences
// do for comparisons, which take four times as long; counts and bounds are too
// small for a difference to overflow.
func (b boundsYMM) pass(p, o, own, is VecVirtual) {
	t := YMM()
	VPSUBQ(p, o, is)
	VPSUBQ(b.span, is, is)
	VPSUBQ(b.otherLast, o, t)
	VPAND(t, is, is)
	VPSUBQ(p, b.ownLast, t)
	VPAND(t, is, is)
	VPSUBQ(b.otherOpen, o, t)
	VPOR(t, is, is)
	VPSUBQ(p, own, t)
	VPAND(t, is, is)
}

func avx2Survey() {
	function("surveyAVX2", "func(alive *uint64, g1, g0 *int64, fours uint64, s *int64) (n uint64)",
		"surveyAVX2 is Survey.Run. fours > 0. The results of s are Far before.")
	alive, g1, g0, fours, s := load("alive"), load("g1"), load("g0"), load("fours"), load("s")
	all1, all0, least := broadcastYMM(s, surveyAll1), broadcastYMM(s, surveyAll0), broadcastYMM(s, surveyLeast)
	most := YMM() // of g1+g0, exclusive
	VPADDQ(all1, all0, most)
	VPSUBQ(broadcastYMM(s, surveyRest), most, most)
	var mins []VecVirtual
	for i := range 5 {
		mins = append(mins, broadcastYMM(s, surveyOut+i))
	}
	n := GP64()
	XORQ(n, n)
	columnPass(4, g1, g0, fours, func(a, b VecVirtual) GPVirtual {
		sum := YMM()
		VPADDQ(a, b, sum)
		rest := greater(most, sum)
		is1, is0 := greater(a, least), greater(b, least)
		VPAND(rest, is1, is1)
		VPAND(rest, is0, is0)
		span := YMM()
		lower(mins[1], b, is1)
		VPSUBQ(a, b, span)
		lower(mins[2], span, is1)
		lower(mins[3], a, is0)
		VPSUBQ(b, a, span)
		lower(mins[4], span, is0)
		VPOR(is0, is1, is1)
		stop, inside := YMM(), YMM()
		VPSUBQ(a, all1, stop)
		VPSUBQ(b, all0, inside)
		VBLENDVPD(greater(stop, inside), inside, stop, stop)
		VBLENDVPD(greater(a, b), b, a, inside)
		VPADDQ(inside, stop, stop)
		lower(mins[0], stop, is1)
		return lanesOf(is1)
	}, func(bits GPVirtual) {
		MOVQ(bits, at(alive, 0))
		POPCNTQ(bits, bits)
		ADDQ(bits, n)
		ADDQ(Imm(8), alive)
	})
	for i, y := range mins {
		minimumYMM(y, at(s, (surveyOut+i)*8))
	}
	Store(n, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// lower makes the lanes of least that are set in where the minimum with y.
func lower(least, y, where VecVirtual) {
	less := greater(least, y)
	VPAND(where, less, less)
	VBLENDVPD(less, y, least, least)
}

// minimumYMM writes the smallest lane of y to m.
func minimumYMM(y VecVirtual, m Mem) {
	t, less := YMM(), XMM()
	VEXTRACTI128(Imm(1), y, t.AsX())
	VPCMPGTQ(t.AsX(), y.AsX(), less)
	VBLENDVPD(less, t.AsX(), y.AsX(), y.AsX())
	VPSHUFD(Imm(0xee), y.AsX(), t.AsX())
	VPCMPGTQ(t.AsX(), y.AsX(), less)
	VBLENDVPD(less, t.AsX(), y.AsX(), y.AsX())
	VMOVQ(y.AsX(), m)
}

func avx2Cheap() {
	function("cheapAVX2", "func(out, alive *uint64, g1, g0 *int64, fours uint64, room int64) (n uint64)",
		"cheapAVX2 is Cheap. fours > 0.")
	out, alive, g1, g0, fours := load("out"), load("alive"), load("g1"), load("g0"), load("fours")
	room := YMM()
	VPBROADCASTQ(NewParamAddr("room", 40), room)
	n := GP64()
	XORQ(n, n)
	columnPass(4, g1, g0, fours, func(a, b VecVirtual) GPVirtual {
		is := greater(room, a)
		VPOR(greater(room, b), is, is)
		return lanesOf(is)
	}, func(bits GPVirtual) {
		ANDQ(at(alive, 0), bits)
		MOVQ(bits, at(out, 0))
		POPCNTQ(bits, bits)
		ADDQ(bits, n)
		ADDQ(Imm(8), alive)
		ADDQ(Imm(8), out)
	})
	Store(n, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
