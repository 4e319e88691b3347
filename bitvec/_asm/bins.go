package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of ScanBins: sums of two classes over bins, eight columns side by side, on the
// left side and on the right one, which has all less what is on the left.
func bins() {
	scanBins("scanBinsAVX2", false)
	scanBins("scanEndsAVX2", true)
}

func scanBins(name string, ends bool) {
	function(name, "func(a, b, allA, allB *int32, bins uint64, out *int32)",
		name+" writes what ScanBins does. There is a bin at least.")
	a, b, allA, allB, n := load("a"), load("b"), load("allA"), load("allB"), load("bins")
	var sums [2]VecVirtual
	var best [4]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VPXOR(sums[i], sums[i], sums[i])
	}
	for i := range best {
		best[i] = YMM()
		VPXOR(best[i], best[i], best[i])
	}
	at := GP64()
	XORQ(at, at)
	cell := func(base GPVirtual) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	Label("bin")
	x, y, u, v := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(cell(a), x)
	if ends {
		VPSUBD(cell(b), x, x) // a − b
		VPADDD(x, sums[0], sums[0])
		VMOVDQU(cell(allA), u)
		VPSUBD(cell(allB), u, u)
		VPSUBD(x, u, u)
		VPADDD(u, sums[1], sums[1])
		for side := range sums {
			VPMAXSD(sums[side], best[2*side], best[2*side])
			VPMINSD(sums[side], best[2*side+1], best[2*side+1])
		}
	} else {
		VMOVDQU(cell(b), y)
		VMOVDQU(cell(allA), u)
		VMOVDQU(cell(allB), v)
		VPSUBD(x, u, u)
		VPSUBD(y, v, v)
		step(x, y, sums[0], best[0], best[1])
		step(u, v, sums[1], best[2], best[3])
	}
	ADDQ(Imm(4*lanes), at)
	DECQ(n)
	JNZ(LabelRef("bin"))
	out := load("out")
	for i := range best {
		if ends && i%2 == 1 {
			zero := YMM()
			VPXOR(zero, zero, zero)
			VPSUBD(best[i], zero, best[i])
		}
		VMOVDQU(best[i], Mem{Base: out, Disp: 4 * lanes * i})
	}
	VZEROUPPER()
	RET()
}

// step adds x to sum and takes y off, and looks at the sum after the first and before the
// second: ab is the largest, ba the largest negative.
func step(x, y, sum, ab, ba VecVirtual) {
	t := YMM()
	VPSUBD(sum, y, t)
	VPMAXSD(t, ba, ba)
	VPADDD(x, sum, t)
	VPMAXSD(t, ab, ab)
	VPSUBD(y, t, sum)
}
