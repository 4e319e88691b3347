package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Passes over the counts of all columns, some at a time. With AVX2 they are four:
// comparisons give lanes of ones, and VMOVMSKPD makes four bits of a mask over the
// columns of them. With AVX-512 F, BW and DQ, not the vector popcount, they are eight:
// comparisons into mask registers, whose eight bits are the block's bits of the mask.

// pass is a kind of pass.
type pass struct {
	suffix string
	turns  string // the parameter that says how many there are
	width  int    // columns of a turn
	vector func() VecVirtual
}

var (
	fours  = &pass{"AVX2", "fours", 4, YMM}
	eights = &pass{"AVX512", "blocks", 8, ZMM}
)

func avx2Columns() {
	avx2SelectEither()
	fours.survey(avx2Survey, minimumYMM)
	fours.cheap(func(room, a, b VecVirtual) GPVirtual {
		is := greater(room, a)
		VPOR(greater(room, b), is, is)
		return lanesOf(is)
	})
}

func avx512Columns() {
	avx512SelectEither()
	eights.survey(avx512Survey, minimum)
	eights.cheap(func(room, a, b VecVirtual) GPVirtual {
		k, least := K(), ZMM()
		VPMINSQ(a, b, least)
		VPCMPQ(Imm(lessThan), room, least, k)
		return bitsOf(k)
	})
}

// columns runs body for the columns of every turn. Body gets their counts and returns a
// register with their bits, which are gathered to words of a mask and given to word.
func (s *pass) columns(a, b, turns GPVirtual, body func(p, o VecVirtual) GPVirtual, word func(bits GPVirtual)) {
	gathered, shift := GP64(), GP64()
	XORQ(gathered, gathered)
	XORQ(shift, shift)
	Label("columns")
	p, o := s.vector(), s.vector()
	if s.width == 8 {
		VMOVDQU64(at(a, 0), p)
		VMOVDQU64(at(b, 0), o)
	} else {
		VMOVDQU(at(a, 0), p)
		VMOVDQU(at(b, 0), o)
	}
	bits := body(p, o)
	SHLXQ(shift, bits.As64(), bits.As64())
	ORQ(bits.As64(), gathered)
	ADDQ(U32(s.width*8), a)
	ADDQ(U32(s.width*8), b)
	DECQ(turns)
	JZ(LabelRef("last"))
	ADDQ(U32(s.width), shift)
	CMPQ(shift, Imm(64))
	JNE(LabelRef("columns"))
	word(gathered)
	XORQ(gathered, gathered)
	XORQ(shift, shift)
	JMP(LabelRef("columns"))
	Label("last")
	word(gathered)
}

func (s *pass) broadcast(base Register, field int) VecVirtual {
	v := s.vector()
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

func bitsOf(k OpmaskVirtual) GPVirtual {
	bits := GP32()
	KMOVB(k, bits)
	return bits
}

// bounds are the fields of a selectBounds, broadcast.
type bounds struct{ own, otherOpen, otherLast, ownLast, span VecVirtual }

func (s *pass) bounds(c Register, own VecVirtual) bounds {
	return bounds{own, s.broadcast(c, 1), s.broadcast(c, 2), s.broadcast(c, 3), s.broadcast(c, 4)}
}

// beginSelect begins SelectEither.
func (s *pass) beginSelect() (mask, among, g1, g0, turns GPVirtual) {
	function("selectEither"+s.suffix, "func(mask, among *uint64, g1, g0 *int64, "+s.turns+" uint64, c1, c0 *int64) bool",
		"selectEither"+s.suffix+" sets mask to the columns of among that c1 or c0 selects. With\nAVX-512 the span of c0 is negated. "+
			"There is a turn at least.")
	return load("mask"), load("among"), load("g1"), load("g0"), load(s.turns)
}

// selectWith writes the mask of the columns of among that body selects, and returns whether it has any.
func (s *pass) selectWith(mask, among, g1, g0, turns, any GPVirtual, body func(p, o VecVirtual) GPVirtual) {
	XORQ(any, any)
	s.columns(g1, g0, turns, body, func(bits GPVirtual) {
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

func avx2SelectEither() {
	mask, among, g1, g0, turns := fours.beginSelect()
	c1, c0 := load("c1"), load("c0")
	any, own := GP64(), fours.broadcast(c1, 0) // of both classes
	b1, b0 := fours.bounds(c1, own), fours.bounds(c0, own)
	fours.selectWith(mask, among, g1, g0, turns, any, func(a, b VecVirtual) GPVirtual {
		is, also := YMM(), YMM()
		b1.pass(a, b, is)
		b0.pass(b, a, also)
		VPOR(also, is, is)
		return lanesOf(is)
	})
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

// avx512SelectEither first looks where a column could be selected if its span
// did not matter. That is no block in most cases, and takes six of the ten
// comparisons, of which a processor makes one a cycle.
func avx512SelectEither() {
	mask, among, g1, g0, turns := eights.beginSelect()
	c1 := load("c1")
	b1 := eights.bounds(c1, eights.broadcast(c1, 0))
	c0 := load("c0")
	b0 := eights.bounds(c0, eights.broadcast(c0, 0))
	eights.selectWith(mask, among, g1, g0, turns, GP64(), func(p, o VecVirtual) GPVirtual {
		bits, either := GP32(), K()
		XORL(bits, bits)
		open1, last1 := b1.near(p, o)
		open0, last0 := b0.near(o, p)
		KORB(open1, last1, either)
		KORB(open0, either, either)
		KORTESTB(last0, either)
		JZ(LabelRef("none"))
		span := ZMM()
		VPSUBQ(p, o, span)
		VPCMPQ(Imm(lessThan), b1.span, span, last1, last1)
		VPCMPQ(Imm(greaterThan), b0.span, span, last0, last0)
		VPCMPQ(Imm(greaterThan), b1.own, p, open1, open1)
		VPCMPQ(Imm(greaterThan), b0.own, o, open0, open0)
		for _, k := range []OpmaskVirtual{last1, open0, last0} {
			KORB(k, open1, open1)
		}
		KMOVB(open1, bits)
		Label("none")
		return bits
	})
}

// near returns the lanes that b selects if own does not matter, and those that
// it selects if span does not.
func (b bounds) near(own, other VecVirtual) (open, last OpmaskVirtual) {
	open, last = K(), K()
	VPCMPQ(Imm(lessThan), b.otherOpen, other, open)
	VPCMPQ(Imm(lessThan), b.otherLast, other, last)
	VPCMPQ(Imm(greaterThan), b.ownLast, own, last, last)
	return open, last
}

// counted writes a word of a mask, adds its bits to n and moves pointers on.
func counted(bits, to, n GPVirtual, pointers ...GPVirtual) {
	MOVQ(bits, at(to, 0))
	POPCNTQ(bits, bits)
	ADDQ(bits, n)
	for _, p := range pointers {
		ADDQ(Imm(8), p)
	}
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

// survey writes Survey.Run: body looks at the columns of a turn, and minimum stores a result.
func (s *pass) survey(body func(l *limits, a, b VecVirtual) GPVirtual, minimum func(VecVirtual, Mem)) {
	function("survey"+s.suffix, "func(alive *uint64, g1, g0 *int64, "+s.turns+" uint64, s *int64) (n uint64)",
		"survey"+s.suffix+" is Survey.Run. There is a turn at least. The results of s are Far before.")
	alive, g1, g0, turns, base := load("alive"), load("g1"), load("g0"), load(s.turns), load("s")
	l := &limits{all1: s.broadcast(base, surveyAll1), all0: s.broadcast(base, surveyAll0), least: s.broadcast(base, surveyLeast)}
	for i := range 5 {
		l.mins = append(l.mins, s.broadcast(base, surveyOut+i))
	}
	n := zero()
	s.columns(g1, g0, turns,
		func(a, b VecVirtual) GPVirtual { return body(l, a, b) },
		func(bits GPVirtual) { counted(bits, alive, n, alive) })
	for i, v := range l.mins {
		minimum(v, at(base, (surveyOut+i)*8))
	}
	Store(n, ReturnIndex(0))
	finish()
}

func avx2Survey(l *limits, a, b VecVirtual) GPVirtual {
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

func avx512Survey(l *limits, a, b VecVirtual) GPVirtual {
	is1, is0, both := K(), K(), K()
	span, stop, out := ZMM(), ZMM(), ZMM()
	VPCMPQ(Imm(greaterThan), l.least, a, is1)
	VPCMPQ(Imm(greaterThan), l.least, b, is0)
	KORB(is1, is0, both)
	VPSUBQ(b, l.all0, stop)
	VPSUBQ(a, l.all1, out)
	VPMINSQ(out, stop, stop)
	VPMINSQ(a, b, out)
	VPADDQ(out, stop, stop)
	VPMINSQ(stop, l.mins[0], both, l.mins[0])
	VPMINSQ(b, l.mins[1], is1, l.mins[1])
	VPMINSQ(a, l.mins[3], is0, l.mins[3])
	VPSUBQ(a, b, span)
	VPMINSQ(span, l.mins[2], is1, l.mins[2])
	VPSUBQ(b, a, span)
	VPMINSQ(span, l.mins[4], is0, l.mins[4])
	return bitsOf(both)
}

// minimum writes the smallest lane of z to m.
func minimum(z VecVirtual, m Mem) {
	t := ZMM()
	VEXTRACTI64X4(Imm(1), z, t.AsY())
	VPMINSQ(t.AsY(), z.AsY(), z.AsY())
	VEXTRACTI64X2(Imm(1), z.AsY(), t.AsX())
	VPMINSQ(t.AsX(), z.AsX(), z.AsX())
	VPSHUFD(Imm(0xee), z.AsX(), t.AsX())
	VPMINSQ(t.AsX(), z.AsX(), z.AsX())
	VMOVQ(z.AsX(), m)
}

// cheap writes Cheap: body finds the columns of a turn with room above the lesser count.
func (s *pass) cheap(body func(room, a, b VecVirtual) GPVirtual) {
	function("cheap"+s.suffix, "func(out, alive *uint64, g1, g0 *int64, "+s.turns+" uint64, room int64) (n uint64)",
		"cheap"+s.suffix+" is Cheap. There is a turn at least.")
	out, alive, g1, g0, turns := load("out"), load("alive"), load("g1"), load("g0"), load(s.turns)
	room := s.vector()
	VPBROADCASTQ(NewParamAddr("room", 40), room)
	n := zero()
	s.columns(g1, g0, turns, func(a, b VecVirtual) GPVirtual { return body(room, a, b) }, func(bits GPVirtual) {
		ANDQ(at(alive, 0), bits)
		counted(bits, out, n, alive, out)
	})
	Store(n, ReturnIndex(0))
	finish()
}
