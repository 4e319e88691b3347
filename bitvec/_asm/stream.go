package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The yardstick of the benchmarks: read memory, 256 bytes a turn, and do
// nothing with it but or.

func stream() {
	readLoop("readZMM", 64, ZMM, func(m Op, z Op) { VPORQ(m, z, z) })
	readLoop("readYMM", 32, YMM, func(m Op, y Op) { VPOR(m, y, y) })
}

func readLoop(name string, width int, vector func() VecVirtual, or func(m, v Op)) {
	function(name, "func(data *uint64, lines uint64) uint64", name+" ors lines of 256 bytes, at least one.")
	data, lines := load("data"), load("lines")
	acc := []VecVirtual{vector(), vector(), vector(), vector()}
	for _, a := range acc {
		x := a.AsX()
		VPXOR(x, x, x)
	}
	Label("line")
	for at0 := 0; at0 < 256; at0 += width {
		or(at(data, at0), acc[at0/width%4])
	}
	ADDQ(U32(256), data)
	DECQ(lines)
	JNZ(LabelRef("line"))
	for _, a := range acc[1:] {
		or(a, acc[0])
	}
	r := GP64()
	VMOVQ(acc[0].AsX(), r)
	Store(r, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
