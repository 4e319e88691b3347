package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The avx2 kernel: popcounts by table (Muła, Kurz, Lemire:
// Faster population counts using AVX2 instructions, 2018). A byte shuffle
// looks up the popcounts of sixteen nibbles at once in a table of sixteen
// bytes, once for the low nibbles and once for the high ones; both are added
// to sums of one byte. A run of steps with the same weight adds at most 8·31
// to each. At the end of a run VPSADBW adds up the eight bytes of every lane,
// and VPMULUDQ multiplies by the weight, in two halves if it is beyond 32 bits.

// nibble generates kernels with vectors of a width: 32 bytes, half a block word, or 64, which
// those of AVX-512 have, without a table.
type nibble struct {
	suffix string
	parts  int // vectors of a block word
	table  VecVirtual
	low    VecVirtual // 0x0f in every byte
	zero   VecVirtual
	vector func() VecVirtual

	and, or, xor      func(...Op)
	move, load, store func(...Op) // from register to register, from memory, and to memory
}

// narrow has vectors of AVX2.
func narrow() *nibble {
	move := two(VMOVDQU)
	return &nibble{
		suffix: "AVX2", parts: 2, vector: YMM,
		and: three(VPAND), or: three(VPOR), xor: three(VPXOR), move: two(VMOVDQA), load: move, store: move,
	}
}

// wide has vectors of AVX-512.
func wide() *nibble {
	return &nibble{
		suffix: "AVX512", parts: 1, vector: ZMM,
		and: VPANDQ, or: VPORQ, xor: VPXORQ, move: VMOVDQA64, load: VMOVDQU64, store: VMOVDQU64,
	}
}

func two(op func(a, b Op)) func(...Op) { return func(ops ...Op) { op(ops[0], ops[1]) } }

func three(op func(a, b, c Op)) func(...Op) { return func(ops ...Op) { op(ops[0], ops[1], ops[2]) } }

// nibbles writes the table and the mask.
func nibbles(suffix string) Mem {
	t := GLOBL("nibbles"+suffix, RODATA|NOPTR)
	DATA(0, U64(0x0302020102010100))
	DATA(8, U64(0x0403030203020201))
	DATA(16, U64(0x0f0f0f0f0f0f0f0f))
	return t
}

func nibbleKernels(n *nibble) {
	t := nibbles(n.suffix)
	n.count(t)
	n.firstWithin(t)
	n.cost(t)
	n.common(t)
}

// constants loads the table and the mask, where vectors need them.
func (n *nibble) constants(t Mem) {
	if n.parts == 1 {
		return
	}
	n.table, n.low, n.zero = n.vector(), n.vector(), n.vector()
	VBROADCASTI128(t, n.table)
	VPBROADCASTQ(t.Offset(16), n.low)
	n.xor(n.zero, n.zero, n.zero)
}

func (n *nibble) zeros(count int) (vs []VecVirtual) {
	for range count {
		v := n.vector()
		n.xor(v, v, v)
		vs = append(vs, v)
	}
	return vs
}

// halves returns the popcounts of the low halves of the bytes of x, and leaves those of the high halves in x.
func (n *nibble) halves(x VecVirtual) (low VecVirtual) {
	low = n.vector()
	n.and(n.low, x, low)
	VPSRLQ(Imm(4), x, x)
	n.and(n.low, x, x)
	VPSHUFB(low, n.table, low)
	VPSHUFB(x, n.table, x)
	return low
}

// weigh adds the popcounts of x times weights to sum. Those of AVX2 are below 2^32, of AVX-512 below 2^46.
func (n *nibble) weigh(x VecVirtual, weights Op, sum VecVirtual) {
	if n.parts == 1 {
		VPOPCNTQ(x, x)
		VPMADD52LUQ(weights, x, sum)
		return
	}
	VPADDB(n.halves(x), x, x)
	VPSADBW(n.zero, x, x)
	VPMULUDQ(weights, x, x)
	VPADDQ(x, sum, sum)
}

// countBlocks takes so many blocks at a time, as long as there are as many. What begin returns counts some steps or runs of
// a class in blocks that begin at bases.
func countBlocks(sizes []int, counted string, begin func(name string, bases []GPVirtual, u, g1 GPVirtual) func(p, n GPVirtual)) {
	data, blocks := load("data"), load("blocks")
	u, g1, g0 := load("u"), load("g1"), load("g0")
	for _, k := range sizes {
		next := fmt.Sprintf("blocks%d", k)
		Label(next)
		CMPQ(blocks, Imm(uint64(k)))
		JB(LabelRef(next + "done"))
		bases := []GPVirtual{data}
		stride := load("stride")
		for len(bases) < k {
			b := copyOf(bases[len(bases)-1])
			ADDQ(stride, b)
			bases = append(bases, b)
		}
		eachClass(next, counted, g1, g0, begin(next, bases, u, g1))
		stride = load("stride")
		for range k {
			ADDQ(stride, data)
		}
		SUBQ(Imm(uint64(k)), blocks)
		JMP(LabelRef(next))
		Label(next + "done")
	}
	finish()
}

func (n *nibble) count(t Mem) {
	function("count"+n.suffix, "func(data *uint64, stride, blocks uint64, steps *uint64, runs *uint64, runs1, runs0 uint64, u *uint64, "+
		"g1, g0 *int64)",
		"count"+n.suffix+" counts blocks blocks, stride bytes each, from data on.")
	n.constants(t)
	countBlocks([]int{2, 1}, "runs", func(name string, bases []GPVirtual, u, g1 GPVirtual) func(p, left GPVirtual) {
		runs := load("runs")
		return func(p, left GPVirtual) { n.class(name, bases, p, runs, left, u, g1) }
	})
}

// class adds up the left runs of some blocks, writes the totals to g and moves p,
// runs and g on.
func (n *nibble) class(name string, bases []GPVirtual, p, runs, left, u, g GPVirtual) {
	sums := n.zeros(len(bases) * n.parts)
	TESTQ(left, left)
	JZ(LabelRef(name + "sums"))
	Label(name + "run")
	n.run(name, bases, p, runs, u, sums)
	DECQ(left)
	JNZ(LabelRef(name + "run"))
	Label(name + "sums")
	for i, s := range sums {
		n.store(s, at(g, i*lanes*8/n.parts))
	}
	ADDQ(U32(len(bases)*lanes*8), g)
}

// run adds one run to sums and moves p and runs on.
func (n *nibble) run(name string, bases []GPVirtual, p, runs, u GPVirtual, sums []VecVirtual) {
	bytes := n.zeros(len(sums))
	steps := GP64()
	MOVQ(at(runs, runSteps), steps)
	Label(name + "step")
	n.step(bases, p, u, bytes)
	ADDQ(U32(stepSize), p)
	DECQ(steps)
	JNZ(LabelRef(name + "step"))
	weight := n.vector()
	VPBROADCASTQ(at(runs, runWeight), weight)
	for i, b := range bytes {
		VPSADBW(n.zero, b, b)
		product := n.vector()
		VPMULUDQ(weight, b, product)
		VPADDQ(product, sums[i], sums[i])
	}
	CMPL(at(runs, runWeight+4), Imm(0))
	JE(LabelRef(name + "narrow"))
	VPSRLQ(Imm(32), weight, weight)
	for i, b := range bytes {
		VPMULUDQ(weight, b, b)
		VPSLLQ(Imm(32), b, b)
		VPADDQ(b, sums[i], sums[i])
	}
	Label(name + "narrow")
	ADDQ(U32(runSize), runs)
}

// step adds the popcounts of one step's words to bytes.
func (n *nibble) step(bases []GPVirtual, p, u GPVirtual, bytes []VecVirtual) {
	off, mask := GP64(), n.vector()
	MOVQ(at(p, stepOff), off)
	VPBROADCASTQ(at(p, stepMask), mask)
	set := n.vector()
	VPBROADCASTQ(indexed(u, off, 1), set)
	VPAND(set, mask, mask)
	for i, b := range bytes {
		word := indexed(bases[i/n.parts], off, lanes)
		word.Disp = i % n.parts * 32
		x := n.vector()
		n.and(word, mask, x)
		VPADDB(n.halves(x), b, b)
		VPADDB(x, b, b)
	}
}

// alive sets alive to the lanes whose sum over the n runs of the function's
// argument stays within limits. It looks after every run whether one does.
func (n *nibble) alive(name string, block, p, runs, u GPVirtual, limits []VecVirtual, alive GPVirtual) {
	sums := n.zeros(n.parts)
	left := load("n")
	Label(name + "runs")
	n.atMost(sums, limits, alive)
	TESTL(alive, alive)
	JZ(LabelRef(name + "done"))
	TESTQ(left, left)
	JZ(LabelRef(name + "done"))
	n.run(name, []GPVirtual{block}, p, runs, u, sums)
	DECQ(left)
	JMP(LabelRef(name + "runs"))
	Label(name + "done")
}

// atMost sets alive to the lanes with sum ≤ limit.
func (n *nibble) atMost(sums, limits []VecVirtual, alive GPVirtual) {
	half := GP32()
	for i, r := range []GPVirtual{alive, half} {
		over := n.vector()
		VPCMPGTQ(limits[i], sums[i], over)
		VMOVMSKPD(over, r)
	}
	SHLL(Imm(4), half)
	ORL(half, alive)
	XORL(U32(0xff), alive)
}

func (n *nibble) firstWithin(t Mem) {
	function("firstWithin"+n.suffix, "func(data *uint64, stride, blocks uint64, steps *uint64, runs *uint64, n uint64, u *uint64, spent "+
		"*int64, budget int64) (block uint64, lanes uint8)",
		"firstWithin"+n.suffix+" returns the first block with a lane that stays within budget, and those lanes.")
	n.constants(t)
	data, blocks, u, spent := load("data"), load("blocks"), load("u"), load("spent")
	block, alive := GP64(), GP32()
	XORQ(block, block)
	XORL(alive, alive)
	Label("blocks")
	CMPQ(block, blocks)
	JE(LabelRef("found"))
	budget := n.vector()
	VPBROADCASTQ(NewParamAddr("budget", 64), budget)
	var limits []VecVirtual
	for i := range n.parts {
		limits = append(limits, n.vector())
		VPSUBQ(at(spent, i*32), budget, limits[i])
	}
	p, runs := load("steps"), load("runs")
	n.alive("first", data, p, runs, u, limits, alive)
	TESTL(alive, alive)
	JNZ(LabelRef("found"))
	INCQ(block)
	ADDQ(Imm(lanes*8), spent)
	ADDQ(load("stride"), data) // it has no register of its own
	JMP(LabelRef("blocks"))
	Label("found")
	Store(block, Return("block"))
	Store(alive.As8(), Return("lanes"))
	finish()
}
