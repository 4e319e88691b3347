package bitvec

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
