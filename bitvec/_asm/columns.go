package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of SelectEither and Survey pass over the counts of all columns, four at a time. Signs of lanes say which they
// take, and VMOVMSKPD makes four bits of a mask over the columns of them.

func columnKernels() {
	selectEither()
	survey()
	sumBits()
}

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
	any := zero()
	eachFour(g1, g0, turns, func(a, b VecVirtual) VecVirtual {
		is, also := YMM(), YMM()
		b1.pass(a, b, is)
		b0.pass(b, a, also)
		VPOR(also, is, is)
		return is
	}, func(word GPVirtual) {
		ANDQ(at(among, 0), word)
		MOVQ(word, at(mask, 0))
		ORQ(word, any)
		ADDQ(Imm(8), among)
		ADDQ(Imm(8), mask)
	})
	some := GP8()
	TESTQ(any, any)
	SETNE(some)
	Store(some, ReturnIndex(0))
	finish()
}

// eachFour runs body for the counts of the columns of every turn. The signs of the lanes that it returns are gathered to words
// of a mask, which end gets.
func eachFour(g1, g0, turns GPVirtual, body func(a, b VecVirtual) VecVirtual, end func(word GPVirtual)) {
	word, shift := zero(), zero()
	Label("columns")
	a, b, bits := YMM(), YMM(), GP32()
	VMOVDQU(at(g1, 0), a)
	VMOVDQU(at(g0, 0), b)
	VMOVMSKPD(body(a, b), bits)
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
	end(word)
	XORQ(word, word)
	XORQ(shift, shift)
	TESTQ(turns, turns)
	JNZ(LabelRef("columns"))
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

// survey writes, lane by lane, the least of what a Survey says of its alive columns: Stop, and of either class Other and Span.
func survey() {
	function("surveyAVX2", "func(alive *uint64, g1, g0 *int64, fours uint64, s, least *int64)",
		"surveyAVX2 sets alive, and lowers least to what the alive columns have. There is a turn at least.")
	alive, g1, g0, turns, s, least := load("alive"), load("g1"), load("g0"), load("fours"), load("s"), load("least")
	all1, all0, support := broadcast(s, 0), broadcast(s, 1), broadcast(s, 2)
	var lanes [5]VecVirtual
	for i := range lanes {
		lanes[i] = YMM()
		VMOVDQU(at(least, 32*i), lanes[i])
	}
	lower := func(i int, y, where VecVirtual) {
		less := YMM()
		VPCMPGTQ(y, lanes[i], less)
		VPAND(where, less, less)
		VBLENDVPD(less, y, lanes[i], lanes[i])
	}
	minus := func(a, b VecVirtual) VecVirtual {
		y := YMM()
		VPSUBQ(b, a, y)
		return y
	}
	eachFour(g1, g0, turns, func(a, b VecVirtual) VecVirtual {
		is1, is0 := minus(support, a), minus(support, b)
		lower(1, b, is1)
		lower(2, minus(b, a), is1)
		lower(3, a, is0)
		lower(4, minus(a, b), is0)
		VPOR(is0, is1, is1)
		stop, inside := minus(all1, a), minus(all0, b)
		VBLENDVPD(minus(inside, stop), inside, stop, stop)
		VBLENDVPD(minus(b, a), b, a, inside)
		VPADDQ(inside, stop, stop)
		lower(0, stop, is1)
		return is1
	}, func(word GPVirtual) {
		MOVQ(word, at(alive, 0))
		ADDQ(Imm(8), alive)
	})
	for i, y := range lanes {
		VMOVDQU(y, at(least, 32*i))
	}
	finish()
}

// sumBits adds numbers to the sums of the bits of their masks, eight at a time: a lane whose bit is set takes the number.
func sumBits() {
	each := GLOBL("eachBit", RODATA|NOPTR)
	for bit := range 32 {
		DATA(4*bit, U32(1<<bit))
	}
	function("sumBitsAVX2", "func(sums *int32, set *uint64, words uint64, masks *uint64, numbers *int32)",
		"sumBitsAVX2 does what SumBits says. There is a word at least.")
	set, words, masks, numbers := load("set"), load("words"), load("masks"), load("numbers")
	var bits [4]VecVirtual
	var sums [8]VecVirtual
	for i := range bits {
		bits[i] = YMM()
		VMOVDQU(each.Offset(32*i), bits[i])
	}
	for i := range sums {
		sums[i] = YMM()
		VPXOR(sums[i], sums[i], sums[i])
	}
	members, i := GP64(), GP64()
	Label("word")
	MOVQ(at(set, 0), members)
	Label("member")
	TESTQ(members, members)
	JZ(LabelRef("next"))
	TZCNTQ(members, i)
	BLSRQ(members, members)
	number, mask, has := YMM(), YMM(), YMM()
	VPBROADCASTD(indexed(numbers, i, 4), number)
	for k, sum := range sums {
		if k%4 == 0 {
			half := indexed(masks, i, 8)
			half.Disp = k
			VPBROADCASTD(half, mask)
		}
		VPAND(bits[k%4], mask, has)
		VPCMPEQD(bits[k%4], has, has)
		VPAND(number, has, has)
		VPADDD(has, sum, sum)
	}
	JMP(LabelRef("member"))
	Label("next")
	ADDQ(Imm(8), set)
	ADDQ(U32(64*8), masks)
	ADDQ(U32(64*4), numbers)
	DECQ(words)
	JNZ(LabelRef("word"))
	to := load("sums")
	for k, sum := range sums {
		VMOVDQU(sum, at(to, 32*k))
	}
	finish()
}
