package bitvec

import (
	"iter"
	"math/bits"
)

// And sets dst = a ∩ b. The three have equal length; dst may be a or b.
func And(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

// AndNot sets dst = a \ b. The three have equal length; dst may be a or b.
func AndNot(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] &^ b[i]
	}
}

// Or sets dst = a ∪ b. The three have equal length; dst may be a or b.
func Or(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

// Members returns the places of the bits of a set, in ascending order.
func Members(set []uint64) iter.Seq[int] { return Common(set, set) }

// Common returns the places of the bits that two sets have in common, in ascending order.
// A set may be changed meanwhile, but for the word of the bit at hand.
func Common(a, b []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range a {
			for w &= b[i]; w != 0; w &= w - 1 {
				if !yield(i*64 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// CountCommon writes how many bits a set has in common with each of some columns. The columns lie side by side, each with
// as many words as the set, a multiple of [Lanes].
func CountCommon(to []int64, set, columns []uint64, some []int32) {
	if to = to[:len(some)]; len(set) == 0 {
		clear(to)
	} else if len(some) > 0 {
		countCommon(to, set, columns, some)
	}
}

func countCommonGeneric(to []int64, set, columns []uint64, some []int32) {
	for i, v := range some {
		n, column := 0, columns[int(v)*len(set):][:len(set)]
		for w, x := range set {
			n += bits.OnesCount64(x & column[w])
		}
		to[i] = int64(n)
	}
}

// HashMembers returns a key of the set of small integers in members, whatever
// their order: the sum of one random-looking 128-bit word for each.
func HashMembers[M ~uint16](members []M) (k Key) {
	for _, m := range members {
		k.Hi += mix(uint64(m)*0x9e3779b97f4a7c15 + 0x452821e638d01377)
		k.Lo += mix(uint64(m)*0xd1342543de82ef95 + 0xbe5466cf34e90c6c)
	}
	return k
}

// A pass over all blocks of a matrix of millions of points takes a large part
// of a second, in which the goroutine can neither be told to stop nor be
// preempted by the runtime, as it is in assembly. So a caller that must stay
// responsive takes the blocks in slices.

// sliceWords is how much of a matrix a slice has, 8 MiB: what a processor reads
// in about a millisecond.
const sliceWords = 1 << 20

// Slice returns how many blocks make a slice, at least one.
func (m *Matrix) Slice() int { return max(1, sliceWords/max(1, m.words*Lanes)) }

// CountWhile is Count over all blocks, in slices: before each but the first it
// asks whether to go on. If not, it returns false, and what is in g1 and g0 is
// of no use.
func (m *Matrix) CountWhile(prog *Program, g1, g0 []int64, goOn func() bool) bool {
	blocks, slice := m.Blocks(), m.Slice()
	if blocks == 0 {
		return true
	}
	m.fits(prog)
	prog.shorten(blocks)
	for from := 0; from < blocks; from += slice {
		if from > 0 && !goOn() {
			return false
		}
		m.countBlocks(prog, from, min(from+slice, blocks), g1, g0)
	}
	return true
}

// SumBits adds up the numbers of the members of a set by the bits of their masks: sums[b] is that of the masks with bit b.
func SumBits(sums *[64]int32, set, masks []uint64, numbers []int32) {
	masks, numbers = masks[:64*len(set)], numbers[:64*len(set)]
	if sumBitsFast(sums, set, masks, numbers) {
		return
	}
	clear(sums[:])
	for i := range Members(set) {
		for b := range Members(masks[i : i+1]) {
			sums[b] += numbers[i]
		}
	}
}
