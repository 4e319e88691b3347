package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels of Counters.Raise: eight words of counters side by side, in two parts, which are taken one after
// the other.

func counters() { narrow().raise() }

// raise generates a kernel. Counters most often bear the most that is asked for, so that is added first. Where a counter
// has a carry and does not become 0, it is taken back. Then the largest counter of a mask is found lane by lane from the top
// plane: where some of the counters that are left have the bit, they are all that is left, and the bit belongs to the largest.
func (n *nibble) raise() {
	function("raise"+n.suffix, "func(planes, mask, live, full *uint64, vectors, depth, most uint64) uint64",
		"raise"+n.suffix+" does what Counters.Raise says. There is a vector at least, four words of the masks, and depth is 1 to 31.")
	planes, mask, live, full := load("planes"), load("mask"), load("live"), load("full")
	end, depth, stride := sizes()
	n.refuseFull(mask, full, end)
	room, most := GP64(), load("most")
	SHRXQ(depth, most, room)
	TESTQ(room, room)
	JNZ(LabelRef("search"))
	over := n.zeros(1)[0]
	n.addAll("try", planes, mask, live, full, end, depth, stride, most, func(_ GPVirtual, carry, some VecVirtual) {
		n.and(carry, some, some)
		n.or(some, over, over)
	})
	VPTEST(over, over)
	JEQ(LabelRef("done"))
	MOVQ(most, room)
	NEGQ(room)
	n.addAll("back", planes, mask, live, full, end, depth, stride, room, func(to GPVirtual, _, some VecVirtual) {
		n.load(indexed(mask, to, 1), some)
		VPANDN(indexed(full, to, 1), some, some) // none of the mask was full
		n.store(some, indexed(full, to, 1))
	})
	Label("search")
	largest := n.largest(planes, mask, live, end, depth, stride)
	MOVQ(U64(1), room)
	CMPQ(largest, room) // 2^depth itself does not fit the planes
	CMOVQCS(room, largest)
	SHLXQ(depth, room, room)
	SUBQ(largest, room)
	CMPQ(room, most)
	CMOVQCS(room, most)
	n.addAll("add", planes, mask, live, full, end, depth, stride, most, func(GPVirtual, VecVirtual, VecVirtual) {})
	Label("done")
	Store(most, ReturnIndex(0))
	finish()
}

// sizes loads the bytes of a mask that have counters, the depth, and the bytes of the planes of a block.
func sizes() (end, depth, stride GPVirtual) {
	end, depth, stride = load("vectors"), load("depth"), GP64()
	SHLQ(Imm(5), end)
	MOVQ(depth, stride)
	SHLQ(Imm(6), stride)
	return end, depth, stride
}

// refuseFull returns 0 from the function if a counter of the mask is full.
func (n *nibble) refuseFull(mask, full, end GPVirtual) {
	offset, x, some := GP64(), n.vector(), n.zeros(1)[0]
	XORQ(offset, offset)
	Label("check")
	n.load(indexed(mask, offset, 1), x)
	n.and(indexed(full, offset, 1), x, x)
	n.or(x, some, some)
	ADDQ(U32(lanes*8/n.parts), offset)
	CMPQ(offset, end)
	JNE(LabelRef("check"))
	VPTEST(some, some)
	JEQ(LabelRef("free"))
	zero := zero()
	Store(zero, ReturnIndex(0))
	finish()
	Label("free")
}

// largest returns the largest counter of all words.
func (n *nibble) largest(planes, mask, live, end, depth, stride GPVirtual) GPVirtual {
	best, one, top := n.zeros(1)[0], n.vector(), n.vector()
	n.zero = n.zeros(1)[0]
	bit := GP64()
	MOVQ(U64(1), bit)
	SHLXQ(depth, bit, bit)
	SHRQ(Imm(1), bit)
	n.broadcast(bit, one)
	offset, block := GP64(), copyOf(planes)
	XORQ(offset, offset)
	Label("block")
	value, b := n.zeros(1)[0], n.vector()
	n.masked(mask, live, offset, top)
	n.move(one, b)
	plane := GP64()
	LEAQ(Mem{Base: block, Index: stride, Scale: 1}, plane)
	left := copyOf(depth)
	Label("find")
	SUBQ(U32(lanes*8), plane)
	n.narrow(at(plane, 0), b, top, value)
	VPSRLQ(Imm(1), b, b)
	DECQ(left)
	JNZ(LabelRef("find"))
	VPMAXUD(value, best, best)
	n.goOn("block", block, offset, end, stride)

	x, y := XMM(), XMM()
	VEXTRACTI128(Imm(1), best, x)
	VPMAXUD(best.AsX(), x, x)
	VPSRLDQ(Imm(8), x, y)
	VPMAXUD(x, y, x)
	largest := GP64()
	VMOVQ(x, largest)
	return largest
}

// narrow keeps in top, lane by lane, what is in a plane, too, if that is something, and
// adds the bit to value then.
func (n *nibble) narrow(plane Mem, bit, top, value VecVirtual) {
	x := n.vector()
	n.and(plane, top, x)
	none := n.vector()
	VPCMPEQQ(n.zero, x, none)
	VPAND(none, top, top)
	VPOR(x, top, top)
	VPANDN(bit, none, none)
	VPOR(none, value, value)
}

// addAll adds a number to the counters, modulo 2^depth, and marks those with a carry as full. It gives done the carries of
// each vector of counters, and the bits that any plane has of the sums.
func (n *nibble) addAll(label string, planes, mask, live, full, end, depth, stride, number GPVirtual,
	done func(offset GPVirtual, carry, some VecVirtual)) {
	offset, block := zero(), copyOf(planes)
	Label(label)
	m, carry, some := n.vector(), n.zeros(1)[0], n.zeros(1)[0]
	n.masked(mask, live, offset, m)
	plane, left, rest := copyOf(block), copyOf(depth), copyOf(number)
	Label(label + "Plane")
	digit, d, x, either, sum := GP64(), n.vector(), n.vector(), n.vector(), n.vector()
	MOVQ(rest, digit)
	ANDQ(Imm(1), digit)
	NEGQ(digit)
	SHRQ(Imm(1), rest)
	n.broadcast(digit, d)
	n.and(m, d, d)
	n.load(at(plane, 0), x)
	VPXOR(x, d, either)
	VPXOR(either, carry, sum)
	n.store(sum, at(plane, 0))
	n.or(sum, some, some)
	VPAND(either, carry, carry)
	VPAND(x, d, x)
	VPOR(x, carry, carry)
	ADDQ(U32(lanes*8), plane)
	DECQ(left)
	JNZ(LabelRef(label + "Plane"))
	marks, to := n.vector(), indexed(full, offset, 1)
	n.load(to, marks)
	n.or(carry, marks, marks)
	n.store(marks, to)
	done(offset, carry, some)
	n.goOn(label, block, offset, end, stride)
}

// goOn takes the next vector of a block of planes, or the next block, until the end.
func (n *nibble) goOn(label string, block, offset, end, stride GPVirtual) {
	ADDQ(U32(lanes*8/n.parts), offset)
	ADDQ(Imm(32), block)
	CMPQ(offset, end)
	JEQ(LabelRef(label + "End"))
	TESTL(U32(32), offset.As32())
	JNZ(LabelRef(label))
	SUBQ(Imm(64), block)
	ADDQ(stride, block)
	JMP(LabelRef(label))
	Label(label + "End")
}

// broadcast sets all lanes of to to r.
func (n *nibble) broadcast(r GPVirtual, to VecVirtual) {
	x := XMM()
	VMOVQ(r, x)
	VPBROADCASTQ(x, to)
}

// masked sets to to what mask and live have in common, in a vector.
func (n *nibble) masked(mask, live, offset GPVirtual, to VecVirtual) {
	n.load(indexed(mask, offset, 1), to)
	n.and(indexed(live, offset, 1), to, to)
}
