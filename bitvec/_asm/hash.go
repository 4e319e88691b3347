package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// hash generates the loop of Hasher.AndNotHash, two words a turn, with MULX and carries in the flags. Compiled code moves the
// operands of MUL and the sums to and from memory: stop and frisk takes 5% longer with it. No vector multiplies 64 bits.
func hash() {
	function("andNotHashMULX", "func(sums, dst, a, b, keys *uint64, pairs uint64)",
		"andNotHashMULX sets dst = a &^ b and adds pairs pairs of its words to sums. There is a pair at least.")
	dst, a, b, keys, pairs, sums := load("dst"), load("a"), load("b"), load("keys"), load("pairs"), load("sums")
	var words [2]GPVirtual
	var totals [4]GPVirtual // hi and lo of the first sum, then of the second
	for i := range totals {
		totals[i] = GP64()
		MOVQ(at(sums, i*8), totals[i])
	}
	Label("pair")
	for i := range words {
		words[i] = GP64()
		MOVQ(at(b, i*8), words[i])
		ANDNQ(at(a, i*8), words[i], words[i])
		MOVQ(words[i], at(dst, i*8))
	}
	for i := range 2 {
		factor, lo, hi := GP64(), GP64(), GP64()
		MOVQ(at(keys, i*16), RDX)
		ADDQ(words[0], RDX)
		MOVQ(at(keys, i*16+8), factor)
		ADDQ(words[1], factor)
		MULXQ(factor, lo, hi)
		ADDQ(lo, totals[2*i+1])
		ADCQ(hi, totals[2*i])
	}
	for _, p := range []GPVirtual{dst, a, b} {
		ADDQ(Imm(16), p)
	}
	ADDQ(Imm(32), keys)
	DECQ(pairs)
	JNZ(LabelRef("pair"))
	for i, r := range totals {
		MOVQ(r, at(sums, i*8))
	}
	RET()
}
