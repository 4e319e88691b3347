package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The hash of hash.go, two words a turn, with MULX and carries in the flags:
// twice as fast as compiled code, which spends its time on moving the operands
// of MUL and the carries. There is no vector multiplication of 64 bits to use.

func hash() {
	function("hashMULX", "func(sums, u, keys *uint64, pairs uint64)",
		"hashMULX adds pairs pairs of words to sums. pairs > 0.")
	u := load("u")
	hashLoop(nil, func(disp int) GPVirtual {
		x := GP64()
		MOVQ(at(u, disp), x)
		return x
	}, u)

	function("andNotHashMULX", "func(sums, dst, a, b, keys *uint64, pairs uint64)",
		"andNotHashMULX sets dst = a &^ b and adds pairs pairs of its words to sums. pairs > 0.")
	dst, a, b := load("dst"), load("a"), load("b")
	hashLoop(dst, func(disp int) GPVirtual {
		x := GP64()
		MOVQ(at(b, disp), x)
		ANDNQ(at(a, disp), x, x)
		return x
	}, dst, a, b)
}

// hashLoop hashes the words that word gives and writes them to dst unless that
// is nil. It moves the pointers on.
func hashLoop(dst Register, word func(disp int) GPVirtual, pointers ...GPVirtual) {
	keys, pairs, sums := load("keys"), load("pairs"), load("sums")
	var s []GPVirtual // hi and lo of the first sum, then of the second
	for i := range 4 {
		s = append(s, GP64())
		MOVQ(at(sums, i*8), s[i])
	}
	Label("pair")
	x, y := word(0), word(8)
	if dst != nil {
		MOVQ(x, at(dst, 0))
		MOVQ(y, at(dst, 8))
	}
	for i := range 2 {
		t, lo, hi := GP64(), GP64(), GP64()
		MOVQ(at(keys, i*16), RDX)
		ADDQ(x, RDX)
		MOVQ(at(keys, i*16+8), t)
		ADDQ(y, t)
		MULXQ(t, lo, hi)
		ADDQ(lo, s[2*i+1])
		ADCQ(hi, s[2*i])
	}
	for _, p := range pointers {
		ADDQ(Imm(16), p)
	}
	ADDQ(Imm(32), keys)
	DECQ(pairs)
	JNZ(LabelRef("pair"))
	for i, r := range s {
		MOVQ(r, at(sums, i*8))
	}
	RET()
}
