package separation

import "math/bits"

// packing takes the bits of some masks that are under another one together, so that what is
// left of few rules has few words. The bits of a word move right by powers of two, each by as many
// as there are gaps below it (Warren, Hacker's Delight, 2nd edition, section 7-4).
type packing struct{ words []packedWord }

type packedWord struct {
	under uint64
	moves [6]uint64 // the bits that move by 1, 2, 4, … 32
	to    int       // where its first bit goes
}

// newPacking packs what is under the given masks, one behind the other, and returns the number of bits.
func newPacking(under [][]uint64) (p packing, n int) {
	for _, mask := range under {
		for _, w := range mask {
			p.words = append(p.words, packedWord{w, movesOf(w), n})
			n += bits.OnesCount64(w)
		}
	}
	return p, n
}

// movesOf finds the moves of a word: a bit moves by 2^i if digit i of its number of gaps is 1.
func movesOf(under uint64) (moves [6]uint64) {
	gaps := ^under << 1
	for i := range moves {
		odd := gaps // whether the number of gaps below is odd
		for shift := 1; shift < 64; shift *= 2 {
			odd ^= odd << shift
		}
		moves[i] = odd & under
		under = under ^ moves[i] | moves[i]>>(1<<i)
		gaps &^= odd
	}
	return moves
}

// pack writes the packed masks to to, which has room for them, and clears what is behind them.
func (p *packing) pack(to []uint64, masks [][]uint64) {
	clear(to)
	next := p.words
	for _, mask := range masks {
		for i, w := range mask {
			x := next[i].pack(w)
			if x != 0 {
				at := next[i].to
				to[at/64] |= x << (at % 64)
				if high := x >> 1 >> (63 - at%64); high != 0 {
					to[at/64+1] |= high
				}
			}
		}
		next = next[len(mask):]
	}
}

func (p *packedWord) pack(w uint64) uint64 {
	w &= p.under
	for i, m := range p.moves {
		moved := w & m
		w = w ^ moved | moved>>(1<<i)
	}
	return w
}
