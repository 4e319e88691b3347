package bitvec

import "math/bits"

// Planes holds the costs of all points as bit planes per word, and compiles
// sets of points into programs for the kernels.
type Planes struct {
	words   int
	words1  int
	classes [2][]plane // class 1's planes first, each list from the highest plane down
	all     []plane    // both classes together, from the highest plane down
}

// plane is one bit of the costs: the words in which some point has it.
type plane struct {
	bit   int
	words []uint32
	masks []uint64
}

// NewPlanes builds the planes of costs, which holds the cost (≥ 0) of every
// bit position of a set, 64 per word; a position without a point costs 0. The
// first words1 words are class 1.
func NewPlanes(costs []int64, words1 int) *Planes {
	p := &Planes{words: len(costs) / 64, words1: words1}
	p.classes[0] = planesOf(costs, 0, words1)
	p.classes[1] = planesOf(costs, words1, p.words)
	p.all = planesOf(costs, 0, p.words)
	return p
}

func planesOf(costs []int64, from, to int) []plane {
	var most int64
	for _, c := range costs[from*64 : to*64] {
		most = max(most, c)
	}
	var out []plane
	for b := bits.Len64(uint64(most)) - 1; b >= 0; b-- {
		pl := plane{bit: b}
		for w := from; w < to; w++ {
			if m := planeWord(costs[w*64:w*64+64], b); m != 0 {
				pl.words = append(pl.words, uint32(w))
				pl.masks = append(pl.masks, m)
			}
		}
		out = append(out, pl)
	}
	return out
}

func planeWord(costs []int64, bit int) (m uint64) {
	for i, c := range costs {
		m |= uint64(c) >> bit & 1 << i
	}
	return m
}

// Words returns the number of words of a set; Words1 how many of them, the
// first ones, hold class 1.
func (p *Planes) Words() int { return p.words }

// Words1 returns the number of words of class 1.
func (p *Planes) Words1() int { return p.words1 }

// PlaneWords returns the number of (word, plane) pairs that exist: the steps
// that a kernel takes to count a full set.
func (p *Planes) PlaneWords() (n int) {
	for _, pl := range p.all {
		n += len(pl.words)
	}
	return n
}

// Cost returns the total cost of class 1 and of class 0 in u.
func (p *Planes) Cost(u []uint64) (g1, g0 int64) {
	return cost(p.classes[0], u), cost(p.classes[1], u)
}

func cost(planes []plane, u []uint64) (g int64) {
	for i := range planes {
		g <<= 1
		pl := &planes[i]
		for j, w := range pl.words {
			g += int64(bits.OnesCount64(u[w] & pl.masks[j]))
		}
	}
	return g
}
