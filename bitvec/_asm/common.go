package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// common generates the kernel of CountCommon. Bits are counted two vectors a turn, whose popcounts are added byte by
// byte. The next column is asked for meanwhile: columns that lie far apart come late from memory.
func (n *nibble) common(t Mem) {
	function("common"+n.suffix, "func(to *int64, set, columns *uint64, bytes uint64, some *int32, count uint64)",
		"common"+n.suffix+" does what CountCommon says. Bytes are those of the set. There is a column at least.")
	n.constants(t)
	to, set, columns, size, some, left := load("to"), load("set"), load("columns"), load("bytes"), load("some"), load("count")
	column := func(disp int) GPVirtual {
		c := GP64()
		MOVLQSX(at(some, disp), c)
		IMULQ(size, c)
		ADDQ(columns, c)
		return c
	}
	Label("column")
	b := column(0)
	next := copyOf(b)
	DECQ(left)
	JZ(LabelRef("last"))
	MOVQ(column(4), next)
	Label("last")
	off, sum := zero(), n.zeros(1)[0]
	Label("words")
	PREFETCHT0(indexed(next, off, 1))
	bytes := n.zeros(1)[0]
	for i := range n.parts {
		x, mem := n.vector(), indexed(b, off, 1)
		mem.Disp = 32 * i
		n.load(mem, x)
		mem.Base = set
		n.and(mem, x, x)
		VPADDB(n.halves(x), bytes, bytes)
		VPADDB(x, bytes, bytes)
	}
	VPSADBW(n.zero, bytes, bytes)
	VPADDQ(bytes, sum, sum)
	ADDQ(Imm(lanes*8), off)
	CMPQ(off, size)
	JNE(LabelRef("words"))
	odd, total := n.vector(), GP64()
	VEXTRACTI128(Imm(1), sum, odd.AsX())
	VPADDQ(odd.AsX(), sum.AsX(), sum.AsX())
	VPUNPCKHQDQ(sum.AsX(), sum.AsX(), odd.AsX())
	VPADDQ(odd.AsX(), sum.AsX(), sum.AsX())
	VMOVQ(sum.AsX(), total)
	MOVQ(total, at(to, 0))
	ADDQ(Imm(8), to)
	ADDQ(Imm(4), some)
	TESTQ(left, left)
	JNZ(LabelRef("column"))
	finish()
}
