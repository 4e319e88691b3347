package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of Splits: gathering the bits of a set, and the best splits of both sides
// of pairs of features.

// Layout of gatherStep and of pairTask in splits_count.go.
const (
	gatherMask, gatherOff, gatherShift, gatherSize = 0, 8, 16, 24
	gatherLast                                     = 8 // the bit of the shift that ends a word
)

const (
	taskData = iota * 8
	taskStride
	taskBlocks
	taskWords
	taskWeights
	taskClasses
	taskTotals
	taskSums
	taskSumStride
	taskTwo1
	taskTwo0
	taskCut1
	taskCut0
)

func splitsKernels() {
	gather()
	splitPairs(wide(), Mem{})
	splitPairs(narrow(), nibbles("Splits"))
}

// gather packs the bits of eight columns: PEXT takes the bits under a mask
// together, and a shift puts them behind those that are in the word already.
// Four columns are packed at a time, for as many registers.
func gather() {
	function("gatherBMI2", "func(block *uint64, columns *uint64, offsets *uint64, steps *uint64, words uint64)",
		"gatherBMI2 packs eight columns, which begin offsets bytes behind columns, into words\nwords of a block. words > 0.")
	half := AllocLocal(8)
	MOVQ(U32(0), half)
	Label("half")
	dst, steps, words, offsets := load("block"), load("steps"), load("words"), load("offsets")
	ADDQ(half, dst)
	ADDQ(half, offsets)
	var cols, accs [4]GPVirtual
	for i := range cols {
		cols[i], accs[i] = GP64(), GP64()
		MOVQ(at(offsets, i*8), cols[i])
		ADDQ(NewParamAddr("columns", 8), cols[i])
	}
	Label("word")
	for _, a := range accs {
		XORQ(a, a)
	}
	Label("step")
	off, shift := GP64(), GP64()
	MOVQ(at(steps, gatherOff), off)
	MOVQ(at(steps, gatherShift), shift)
	for i, c := range cols {
		x := GP64()
		MOVQ(indexed(c, off, 1), x)
		PEXTQ(at(steps, gatherMask), x, x)
		SHLXQ(shift, x, x)
		ORQ(x, accs[i])
	}
	ADDQ(U32(gatherSize), steps)
	BTL(U8(gatherLast), shift.As32())
	JCC(LabelRef("step"))
	for i, a := range accs {
		MOVQ(a, at(dst, i*8))
	}
	ADDQ(U32(lanes*8), dst)
	DECQ(words)
	JNZ(LabelRef("word"))
	ADDQ(Imm(lanes*8/2), half)
	CMPQ(half, Imm(lanes*8))
	JNE(LabelRef("half"))
	RET()
}

// most sets a to the larger of a and b, lane by lane, and least to the smaller. Values are below 2^63.
func (n *nibble) most(b, a VecVirtual)  { n.pick(VPMAXUQ, a, b, b, a) }
func (n *nibble) least(b, a VecVirtual) { n.pick(VPMINUQ, b, a, b, a) }

// pick sets a to b in the lanes where more exceeds less, by one instruction of AVX-512.
func (n *nibble) pick(wide func(...Op), less, more, b, a VecVirtual) {
	if n.parts == 1 {
		wide(b, a, a)
		return
	}
	exceeds := YMM()
	VPCMPGTQ(less, more, exceeds)
	VBLENDVPD(exceeds, b, a, a)
}

// splitPairs holds, for one f and the eight features g of a block, the gains of
// the four cells by class: inside both, in f alone, in g alone, in neither. In
// each it keeps the largest over the classes, and takes it off the largest costs, which
// are the gains of all classes less the excess; their sums stand behind those of the last
// class. A cell whose largest costs are 0 has no points. The blocks of f go from its own
// on: every pair of features is met once, some of the first block twice.
func splitPairs(n *nibble, t Mem) {
	function("splitPairs"+n.suffix, "func(task *uint64, from, to uint64)",
		"splitPairs"+n.suffix+" pairs the features [from, to) with all from their own block on, and\n"+
			"writes the best splits of both sides of each to the task. from < to.")
	own, ownSum, left := AllocLocal(8), AllocLocal(8), AllocLocal(8)
	n.constants(t)
	task, f := load("task"), load("from")
	Label("feature")
	block, two := copyOf(f), copyOf(f) // two: 64 bytes a block, in sums and in the results
	SHRQ(Imm(3), block)
	SHRQ(Imm(3), two)
	blocks := GP64()
	MOVQ(at(task, taskBlocks), blocks)
	SUBQ(block, blocks)
	MOVQ(blocks, left)
	IMULQ(at(task, taskStride), block)
	ADDQ(at(task, taskData), block)
	SHLQ(Imm(6), two)
	lane := copyOf(f)
	ANDQ(Imm(7), lane)
	LEAQ(Mem{Base: block, Index: lane, Scale: 8}, lane)
	MOVQ(lane, own)
	sum := GP64()
	MOVQ(at(task, taskSums), sum)
	LEAQ(Mem{Base: sum, Index: f, Scale: 8}, sum)
	MOVQ(sum, ownSum)

	two1, two0, cut1, cut0 := n.far(), n.far(), n.far(), n.far()
	Label("block")
	n.pairVector(task, block, two, own, ownSum, [4]VecVirtual{two1, two0, cut1, cut0})
	ADDQ(U32(lanes*8/n.parts), two)
	if n.parts == 2 { // the other half of the block, then the next block
		stride := GP64()
		MOVQ(at(task, taskStride), stride)
		SUBQ(stride, block)
		ADDQ(Imm(32), block)
		TESTL(U32(32), two.As32())
		JNZ(LabelRef("block"))
		LEAQ(Mem{Base: block, Index: stride, Scale: 1, Disp: -64}, block)
	}
	DECQ(left)
	JNZ(LabelRef("block"))
	n.keepLeast(task, f, taskTwo1, two1, two0)
	n.keepLeast(task, f, taskCut1, cut1, cut0)
	INCQ(f)
	CMPQ(f, NewParamAddr("to", 16))
	JNE(LabelRef("feature"))
	finish()
}

// pairVector pairs a feature with a vector of the features of a block and moves
// block on by a block. With AVX2, both vectors at once would need more registers
// than there are.
func (n *nibble) pairVector(task, block, two GPVirtual, own, ownSum Mem, least [4]VecVirtual) {
	feature, weights, class, out, inside := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(own, feature)
	MOVQ(ownSum, inside)
	MOVQ(at(task, taskWeights), weights)
	MOVQ(at(task, taskSums), out)
	ADDQ(two, out)
	XORQ(class, class)
	cell := [4]VecVirtual{n.zeros(1)[0], n.zeros(1)[0], n.zeros(1)[0], n.zeros(1)[0]}
	all := n.zeros(1)[0]
	Label("class")
	acc := n.inBoth(task, class, block, feature, weights)
	CMPQ(class, at(task, taskClasses))
	JEQ(LabelRef("excess"))
	n.most(acc, cell[0])
	VPADDQ(acc, all, all)
	n.cells(acc, task, class, out, inside, func(i int, gain VecVirtual) { n.most(gain, cell[i]) })
	ADDQ(at(task, taskSumStride), out)
	ADDQ(at(task, taskSumStride), inside)
	INCQ(class)
	JMP(LabelRef("class"))
	Label("excess")
	VPSUBQ(acc, all, all)
	var some [4]OpmaskVirtual
	cost := func(i int, most VecVirtual) {
		VPSUBQ(cell[i], most, cell[i])
		if n.parts == 1 {
			some[i] = n.some(most, cell[i])
		}
	}
	cost(0, all)
	n.cells(all, task, class, out, inside, cost)
	both, only1, only0, none := cell[0], cell[1], cell[2], cell[3]
	base := GP64()
	place := Mem{Base: base, Index: two, Scale: 1}
	x := n.vector()
	VPADDQ(both, only1, x)
	n.least(x, least[0])
	VPADDQ(only0, none, x)
	n.least(x, least[1])
	VPADDQ(both, only0, x)
	n.lower(x, place, at(task, taskTwo1))
	VPADDQ(only1, none, x)
	n.lower(x, place, at(task, taskTwo0))

	if n.parts == 2 {
		n.some(all, both)
		n.cells(all, task, class, out, inside, func(i int, most VecVirtual) { n.some(most, cell[i]) })
	}
	for i, c := range cell {
		n.leastOf(c, some[i], least[2+i/2])
	}
	for side, field := range []int{taskCut1, taskCut0} { // only0 is on side 1 of g, only1 on side 0
		MOVQ(at(task, field), base)
		n.load(place, x)
		n.leastOf(cell[side], some[side], x)
		n.leastOf(cell[side+2], some[side+2], x)
		n.store(x, place)
	}
}

// inBoth returns the sums of the weights in what a feature and a vector of features of a
// block have in common, over the words of a class.
func (n *nibble) inBoth(task, class, block, feature, weights GPVirtual) VecVirtual {
	acc := n.zeros(1)[0]
	words := GP64()
	MOVQ(at(task, taskWords), words)
	MOVQ(indexed(words, class, 8), words)
	TESTQ(words, words)
	JZ(LabelRef("empty"))
	Label("word")
	x, weight := n.vector(), n.vector()
	VPBROADCASTQ(at(feature, 0), x)
	n.and(at(block, 0), x, x)
	VPBROADCASTQ(at(weights, 0), weight)
	n.weigh(x, weight, acc)
	ADDQ(U32(lanes*8), block)
	ADDQ(U32(lanes*8), feature)
	ADDQ(Imm(8), weights)
	DECQ(words)
	JNZ(LabelRef("word"))
	Label("empty")
	return acc
}

// cells calls do with the sums of a class in the cells 1 to 3, from those in cell 0.
func (n *nibble) cells(both VecVirtual, task, class, out, inside GPVirtual, do func(i int, sum VecVirtual)) {
	in, x, g, totals := n.vector(), n.vector(), n.vector(), GP64()
	VPBROADCASTQ(at(inside, 0), in)
	VPSUBQ(both, in, x)
	do(1, x)
	n.load(at(out, 0), g)
	VPSUBQ(both, g, g)
	do(2, g)
	MOVQ(at(task, taskTotals), totals)
	VPBROADCASTQ(indexed(totals, class, 8), x)
	VPSUBQ(in, x, x)
	VPSUBQ(g, x, g)
	do(3, g)
}

// lower lowers a result of a vector of features to x.
func (n *nibble) lower(x VecVirtual, place, base Mem) {
	old := n.vector()
	MOVQ(base, place.Base)
	n.load(place, old)
	n.least(old, x)
	n.store(x, place)
}

// some returns the mask of the lanes where all is not zero. With AVX2 there is none, and
// the others are set to 2^62 − 1 in a, which is below that.
func (n *nibble) some(all, a VecVirtual) (mask OpmaskVirtual) {
	if n.parts == 1 {
		mask = K()
		VPTESTMQ(all, all, mask)
		return mask
	}
	zero := YMM()
	VPCMPEQQ(n.zero, all, zero)
	VPSRLQ(Imm(2), zero, zero)
	VPOR(zero, a, a)
	return nil
}

// leastOf sets a to the smaller of a and b, in the lanes of the mask if there is one.
func (n *nibble) leastOf(b VecVirtual, mask OpmaskVirtual, a VecVirtual) {
	if n.parts == 1 {
		VPMINUQ(b, a, mask, a)
		return
	}
	n.least(b, a)
}

// far returns a vector of 2^62 − 1, two of which add up without overflow.
func (n *nibble) far() VecVirtual {
	v := n.vector()
	if n.parts == 1 {
		VPTERNLOGQ(U8(0xff), v, v, v)
	} else {
		VPCMPEQQ(v, v, v)
	}
	VPSRLQ(Imm(2), v, v)
	return v
}

// keepLeast lowers two results of feature f to the least lane of own1 and own0.
func (n *nibble) keepLeast(task, f GPVirtual, results int, own1, own0 VecVirtual) {
	x, y := n.vector(), n.vector()
	VPUNPCKLQDQ(own0, own1, x) // own1 and own0 in turn
	VPUNPCKHQDQ(own0, own1, y)
	n.least(y, x)
	if n.parts == 1 {
		VEXTRACTI64X4(Imm(1), x, y.AsY())
		VPMINUQ(y.AsY(), x.AsY(), x.AsY())
	}
	VEXTRACTI128(Imm(1), x.AsY(), y.AsX())
	if n.parts == 1 {
		VPMINUQ(y.AsX(), x.AsX(), x.AsX())
	} else {
		more := XMM()
		VPCMPGTQ(y.AsX(), x.AsX(), more)
		VBLENDVPD(more, y.AsX(), x.AsX(), x.AsX())
	}
	base, value := GP64(), GP64()
	for i, field := range []int{results, results + 8} {
		MOVQ(at(task, field), base)
		if i == 0 {
			VMOVQ(x.AsX(), value)
		} else {
			VPEXTRQ(Imm(1), x.AsX(), value)
		}
		old := GP64()
		MOVQ(indexed(base, f, 8), old)
		CMPQ(value, old)
		CMOVQGT(old, value)
		MOVQ(value, indexed(base, f, 8))
	}
}
