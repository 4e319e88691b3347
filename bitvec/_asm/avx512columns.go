package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Passes over the counts of all columns, eight at a time: comparisons into
// mask registers, whose eight bits are the block's bits of a mask over the
// columns. They need AVX-512 F, BW and DQ, not the vector popcount.

func avx512Columns() {
	avx512SelectEither()
	avx512Survey()
	avx512Cheap()
}

// columnPass runs body for every four or eight columns, as width says. Body
// gets their counts and returns a register with their bits, which are gathered
// to words of a mask and given to word.
func columnPass(width int, a, b, turns GPVirtual, body func(p, o VecVirtual) GPVirtual, word func(bits GPVirtual)) {
	gathered, shift := GP64(), GP64()
	XORQ(gathered, gathered)
	XORQ(shift, shift)
	Label("columns")
	var p, o VecVirtual
	if width == 8 {
		p, o = ZMM(), ZMM()
		VMOVDQU64(at(a, 0), p)
		VMOVDQU64(at(b, 0), o)
	} else {
		p, o = YMM(), YMM()
		VMOVDQU(at(a, 0), p)
		VMOVDQU(at(b, 0), o)
	}
	bits := body(p, o)
	SHLXQ(shift, bits.As64(), bits.As64())
	ORQ(bits.As64(), gathered)
	ADDQ(U32(width*8), a)
	ADDQ(U32(width*8), b)
	DECQ(turns)
	JZ(LabelRef("last"))
	ADDQ(U32(width), shift)
	CMPQ(shift, Imm(64))
	JNE(LabelRef("columns"))
	word(gathered)
	XORQ(gathered, gathered)
	XORQ(shift, shift)
	JMP(LabelRef("columns"))
	Label("last")
	word(gathered)
}

// bounds are the fields of a selectBounds, broadcast.
type bounds struct{ own, otherOpen, otherLast, ownLast, span VecVirtual }

func broadcast(base Register, field int) VecVirtual {
	z := ZMM()
	VPBROADCASTQ(at(base, field*8), z)
	return z
}

func loadBounds(c Register) bounds {
	return bounds{broadcast(c, 0), broadcast(c, 1), broadcast(c, 2), broadcast(c, 3), broadcast(c, 4)}
}

func returnWhetherAny(any GPVirtual) {
	is := GP8()
	TESTQ(any, any)
	SETNE(is)
	Store(is, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// avx512SelectEither first looks where a column could be selected if its span
// did not matter. That is no block in most cases, and takes six of the ten
// comparisons, of which a processor makes one a cycle.
func avx512SelectEither() {
	function("selectEitherAVX512", "func(mask, among *uint64, g1, g0 *int64, blocks uint64, c1, c0 *int64) bool",
		"selectEitherAVX512 sets mask to the columns of among that c1 or c0 selects. The span\nof c0 is negated. blocks > 0.")
	mask, among, g1, g0, blocks := load("mask"), load("among"), load("g1"), load("g0"), load("blocks")
	b1, b0 := loadBounds(load("c1")), loadBounds(load("c0"))
	any := GP64()
	XORQ(any, any)
	columnPass(8, g1, g0, blocks, func(p, o VecVirtual) GPVirtual {
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
	}, func(bits GPVirtual) { amongWord(bits, among, mask, any) })
	returnWhetherAny(any)
}

// amongWord writes a word of the mask of the columns of among that are selected, and adds it to any.
func amongWord(bits, among, mask, any GPVirtual) {
	ANDQ(at(among, 0), bits)
	MOVQ(bits, at(mask, 0))
	ORQ(bits, any)
	ADDQ(Imm(8), among)
	ADDQ(Imm(8), mask)
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

// Fields of a Survey.
const (
	surveyAll1, surveyAll0, surveyLeast, surveyRest = 0, 1, 2, 3
	surveyOut                                       = 4 // Stop, Class1.Other and .Span, Class0.Other and .Span
)

func avx512Survey() {
	function("surveyAVX512", "func(alive *uint64, g1, g0 *int64, blocks uint64, s *int64) (n uint64)",
		"surveyAVX512 is Survey.Run. blocks > 0. The results of s are Far before.")
	alive, g1, g0, blocks, s := load("alive"), load("g1"), load("g0"), load("blocks"), load("s")
	all1, all0, least := broadcast(s, surveyAll1), broadcast(s, surveyAll0), broadcast(s, surveyLeast)
	most := ZMM() // of g1+g0, exclusive
	VPADDQ(all1, all0, most)
	VPSUBQ_BCST(at(s, surveyRest*8), most, most)
	var mins []VecVirtual
	for i := range 5 {
		mins = append(mins, broadcast(s, surveyOut+i))
	}
	n := GP64()
	XORQ(n, n)
	columnPass(8, g1, g0, blocks, func(a, b VecVirtual) GPVirtual {
		is1, is0, rest, both := K(), K(), K(), K()
		sum, span, stop, out := ZMM(), ZMM(), ZMM(), ZMM()
		VPADDQ(a, b, sum)
		VPCMPQ(Imm(lessThan), most, sum, rest)
		VPCMPQ(Imm(greaterThan), least, a, rest, is1)
		VPCMPQ(Imm(greaterThan), least, b, rest, is0)
		KORB(is1, is0, both)
		VPSUBQ(b, all0, stop)
		VPSUBQ(a, all1, out)
		VPMINSQ(out, stop, stop)
		VPMINSQ(a, b, out)
		VPADDQ(out, stop, stop)
		VPMINSQ(stop, mins[0], both, mins[0])
		VPMINSQ(b, mins[1], is1, mins[1])
		VPMINSQ(a, mins[3], is0, mins[3])
		VPSUBQ(a, b, span)
		VPMINSQ(span, mins[2], is1, mins[2])
		VPSUBQ(b, a, span)
		VPMINSQ(span, mins[4], is0, mins[4])
		bits := GP32()
		KMOVB(both, bits)
		return bits
	}, func(bits GPVirtual) {
		MOVQ(bits, at(alive, 0))
		POPCNTQ(bits, bits)
		ADDQ(bits, n)
		ADDQ(Imm(8), alive)
	})
	for i, z := range mins {
		minimum(z, at(s, (surveyOut+i)*8))
	}
	Store(n, ReturnIndex(0))
	VZEROUPPER()
	RET()
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

func avx512Cheap() {
	function("cheapAVX512", "func(out, alive *uint64, g1, g0 *int64, blocks uint64, room int64) (n uint64)",
		"cheapAVX512 is Cheap. blocks > 0.")
	out, alive, g1, g0, blocks := load("out"), load("alive"), load("g1"), load("g0"), load("blocks")
	room := ZMM()
	VPBROADCASTQ(NewParamAddr("room", 40), room)
	n := GP64()
	XORQ(n, n)
	columnPass(8, g1, g0, blocks, func(a, b VecVirtual) GPVirtual {
		k, least := K(), ZMM()
		VPMINSQ(a, b, least)
		VPCMPQ(Imm(lessThan), room, least, k)
		bits := GP32()
		KMOVB(k, bits)
		return bits
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
