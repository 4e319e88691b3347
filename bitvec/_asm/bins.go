package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of ScanBins: sums of two classes over bins, of as many columns side by
// side as fit a register. Those of 16 bits fill one with all columns, and may be given the halves of
// 8; of 32 bits a call takes half of the columns.
func bins() {
	for _, n := range []number{words, longs} {
		scanBins("scanBins"+n.name, n, false)
		scanBins("scanEnds"+n.name, n, true)
		tallyBins("tallyBins"+n.name, n)
	}
}

// number is a kind of numbers, with its instructions.
type number struct {
	name, ty    string
	bytes       int
	add, sub    func(...Op)
	most, least func(...Op)
	all         func(...Op) // lanes of a register alike
	inc         func(Op, Op)
	part        func(GPVirtual) Register // of a register, as wide as a number
}

var (
	words = number{"16", "int16", 2, VPADDW, VPSUBW, VPMAXSW, VPMINSW, VPBROADCASTW, ADDW, func(r GPVirtual) Register { return r.As16() }}
	longs = number{"32", "int32", 4, VPADDD, VPSUBD, VPMAXSD, VPMINSD, VPBROADCASTD, ADDL, func(r GPVirtual) Register { return r.As32() }}
)

const binLanes = 16

// rowsAhead is how many items before its turn the row of one is asked for. Items in the order of a
// column have rows anywhere: waiting for them took half of the time.
const rowsAhead = 8

func scanBins(name string, n number, ends bool) {
	signature := "func(a, b, allA, allB *" + n.ty + ", bins"
	if n.bytes == 2 {
		signature += ", halves"
	}
	function(name, signature+" uint64, counts, out *"+n.ty+")",
		name+" writes what ScanBins does. There is a bin at least.")
	a, b, allA, allB, count := load("a"), load("b"), load("allA"), load("allB"), load("bins")
	var sums [2]VecVirtual
	var best [4]VecVirtual
	for i := range sums {
		sums[i] = zeroYMM()
	}
	for i := range best {
		best[i] = zeroYMM()
	}
	at := zero()
	cell := func(base GPVirtual) Mem { return indexed(base, at, 1) }
	Label("bin")
	x, y, u, v := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(cell(a), x)
	if ends {
		n.sub(cell(b), x, x) // a − b
		n.add(x, sums[0], sums[0])
		VMOVDQU(cell(allA), u)
		n.sub(cell(allB), u, u)
		n.sub(x, u, u)
		n.add(u, sums[1], sums[1])
		for side := range sums {
			n.most(sums[side], best[2*side], best[2*side])
			n.least(sums[side], best[2*side+1], best[2*side+1])
		}
	} else {
		VMOVDQU(cell(b), y)
		VMOVDQU(cell(allA), u)
		VMOVDQU(cell(allB), v)
		n.sub(x, u, u)
		n.sub(y, v, v)
		n.step(x, y, sums[0], best[0], best[1])
		n.step(u, v, sums[1], best[2], best[3])
	}
	ADDQ(Imm(uint64(n.bytes*binLanes)), at)
	DECQ(count)
	JNZ(LabelRef("bin"))
	if n.bytes == 2 {
		CMPQ(param("halves"), Imm(0)) // whether columns have a half in each half of a register
		JEQ(LabelRef("whole"))
		for side, sum := range sums { // the second half begins with the sum of the first
			ab, ba := best[2*side], best[2*side+1]
			firstSum(sum)
			n.add(sum, ab, ab)
			if ends {
				n.add(sum, ba, ba)
			} else {
				n.sub(sum, ba, ba)
			}
			for i, x := range []VecVirtual{ab, ba} {
				y := XMM()
				VEXTRACTI128(Imm(1), x, y)
				if i == 1 && ends {
					n.least(x.AsX(), y, x.AsX())
				} else {
					n.most(x.AsX(), y, x.AsX())
				}
			}
		}
		Label("whole")
	}
	counts, out := load("counts"), load("out")
	for side := range 2 {
		ab, ba, inA, inB := best[2*side], best[2*side+1], YMM(), YMM()
		n.all(Mem{Base: counts, Disp: 2 * side * n.bytes}, inA)
		n.all(Mem{Base: counts, Disp: (2*side + 1) * n.bytes}, inB)
		n.add(inB, ab, ab)
		if ends { // the smallest sum
			n.sub(ba, inA, ba)
		} else {
			n.add(inA, ba, ba)
		}
		n.most(ab, ba, ab)
		VMOVDQU(ab, Mem{Base: out, Disp: n.bytes * binLanes * side})
	}
	finish()
}

func zeroYMM() VecVirtual {
	y := YMM()
	VPXOR(y, y, y)
	return y
}

// firstSum moves the sums of first halves to the second ones, and leaves 0 for the first.
func firstSum(sum VecVirtual) { VPERM2I128(Imm(8), sum, sum, sum) }

// step adds x to sum and takes y off, and looks at the sum after the first and before the
// second: ab is the largest, ba the largest negative.
func (n number) step(x, y, sum, ab, ba VecVirtual) {
	t := YMM()
	n.sub(sum, y, t)
	n.most(t, ba, ba)
	n.add(x, sum, t)
	n.most(t, ab, ab)
	n.sub(y, t, sum)
}

func tallyBins(name string, n number) {
	function(name, "func(items *uint64, count uint64, rows *uint16, k, mask uint64, cells *"+n.ty+", stride, sign uint64, counts *int64)",
		name+" writes what TallyBins does. There is an item at least, and a stride is in bytes.")
	items, count, rows, k, mask := load("items"), load("count"), load("rows"), load("k"), load("mask")
	cells, sign, counts := load("cells"), load("sign"), load("counts")
	class, row, left, cell := GP64(), GP64(), GP64(), GP64()
	step := func(disp int) {
		MOVWLZX(Mem{Base: row, Disp: disp}, cell.As32())
		n.inc(n.part(sign), Mem{Base: class, Index: cell, Scale: uint8(n.bytes)})
	}
	ahead, last := GP64(), GP64()
	LEAQ(Mem{Base: items, Index: count, Scale: 8, Disp: -8}, last)
	LEAQ(Mem{Base: items, Disp: 8 * rowsAhead}, ahead)
	Label("item")
	CMPQ(ahead, last)
	CMOVQHI(last, ahead)
	MOVL(Mem{Base: ahead}, row.As32())
	ADDQ(Imm(8), ahead)
	IMULQ(k, row)
	PREFETCHT0(Mem{Base: rows, Index: row, Scale: 2})
	MOVQ(Mem{Base: items}, class)
	MOVL(class.As32(), row.As32())
	SHRQ(Imm(32), class)
	ANDQ(mask, class)
	ADDQ(sign, Mem{Base: counts, Index: class, Scale: 8})
	IMULQ(param("stride"), class)
	ADDQ(cells, class)
	IMULQ(k, row)
	LEAQ(Mem{Base: rows, Index: row, Scale: 2}, row)
	MOVQ(k, left)
	SUBQ(Imm(4), left)
	JLT(LabelRef("rest"))
	Label("four")
	for i := range 4 {
		step(2 * i)
	}
	ADDQ(Imm(8), row)
	SUBQ(Imm(4), left)
	JGE(LabelRef("four"))
	Label("rest")
	ADDQ(Imm(4), left)
	JEQ(LabelRef("next"))
	Label("one")
	step(0)
	ADDQ(Imm(2), row)
	DECQ(left)
	JNZ(LabelRef("one"))
	Label("next")
	ADDQ(Imm(8), items)
	DECQ(count)
	JNZ(LabelRef("item"))
	RET()
}
