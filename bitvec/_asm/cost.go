package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of Planes.Cost and its kin: the cost of a ∩ (b ⊕ flip) ∩ c, class
// by class. They take the rows of matrix.go one by one, and hold eight words in two vectors.

// Layout of rows, and of a row.
const (
	rowsData, rowsOffs, rowsCount, rowsLanes1 = 0, 24, 48, 72

	rowMasks, rowWeights, rowSize = 0, lanes * 8, 2 * lanes * 8
)

// costs generates such a kernel with the vectors of n.
type costs struct {
	*nibble
	r, a, b, c, data, offs GPVirtual
	flip                   VecVirtual
}

func (n *nibble) cost(t Mem) {
	function("cost"+n.suffix, "func(r *uint64, a, b *uint64, flip uint64, c *uint64) (g1, g0 int64)",
		"cost"+n.suffix+" returns the cost of a ∩ (b ⊕ flip) ∩ c by class.")
	n.constants(t)
	k := &costs{nibble: n}
	k.r, k.a, k.b, k.c = load("r"), load("a"), load("b"), load("c")
	k.data, k.offs, k.flip = GP64(), GP64(), k.vector()
	MOVQ(at(k.r, rowsData), k.data)
	MOVQ(at(k.r, rowsOffs), k.offs)
	VPBROADCASTQ(NewParamAddr("flip", 24), k.flip)
	class1, both, class0 := k.classes()
	for i := range k.parts {
		// What both hold goes to class 0, then the part of class 1 from there to class 1.
		is1 := k.vector()
		k.load(at(k.r, rowsLanes1+i*32), is1)
		k.and(both[i], is1, is1)
		VPADDQ(both[i], class0[i], class0[i])
		VPSUBQ(is1, class0[i], class0[i])
		VPADDQ(is1, class1[i], class1[i])
	}
	k.total(class1, class0)
	finish()
}

// total stores the sums of all lanes of each class.
func (k *costs) total(class1, class0 []VecVirtual) {
	sum, odd := k.vector(), k.vector()
	for i := range class1[1:] {
		VPADDQ(class1[i+1], class1[0], class1[0])
		VPADDQ(class0[i+1], class0[0], class0[0])
	}
	VPUNPCKLQDQ(class0[0], class1[0], sum) // the lanes of class 1 and of class 0 in turn
	VPUNPCKHQDQ(class0[0], class1[0], odd)
	VPADDQ(odd, sum, sum)
	VEXTRACTI128(Imm(1), sum.AsY(), odd.AsX())
	VPADDQ(odd.AsX(), sum.AsX(), sum.AsX())
	g1, g0 := GP64(), GP64()
	VMOVQ(sum.AsX(), g1)
	VPEXTRQ(Imm(1), sum.AsX(), g0)
	Store(g1, Return("g1"))
	Store(g0, Return("g0"))
}

// classes adds up the rows of class 1, of both classes and of class 0: a sum for each part.
func (k *costs) classes() (class1, both, class0 []VecVirtual) {
	class1, both, class0 = k.zeros(k.parts), k.zeros(k.parts), k.zeros(k.parts)
	counts, end, left, off := GP64(), GP64(), GP64(), GP64()
	LEAQ(at(k.r, rowsCount), counts)
	LEAQ(at(k.r, rowsLanes1), end)
	Label("class")
	for i := range k.parts {
		k.move(both[i], class1[i])
		k.move(class0[i], both[i])
		k.xor(class0[i], class0[i], class0[i])
	}
	MOVQ(at(counts, 0), left)
	TESTQ(left, left)
	JZ(LabelRef("done"))
	Label("row")
	MOVQ(at(k.offs, 0), off)
	k.row(off, class0)
	ADDQ(U32(rowSize), k.data)
	ADDQ(Imm(8), k.offs)
	DECQ(left)
	JNZ(LabelRef("row"))
	Label("done")
	ADDQ(Imm(8), counts)
	CMPQ(counts, end)
	JNE(LabelRef("class"))
	return class1, both, class0
}

// row adds the row at hand, for the words from off on.
func (k *costs) row(off GPVirtual, sums []VecVirtual) {
	for part, sum := range sums {
		word := func(set GPVirtual) Mem { return Mem{Base: set, Index: off, Scale: 1, Disp: part * 32} }
		masks, x := at(k.data, rowMasks+part*32), k.vector()
		VPXOR(word(k.b), k.flip, x)
		VPAND(word(k.a), x, x)
		k.and(word(k.c), x, x)
		k.and(masks, x, x)
		k.weigh(x, at(k.data, rowWeights+part*32), sum)
	}
}
