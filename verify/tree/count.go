package tree

import (
	"math/bits"
	"slices"

	"parcorels/verify/framing"
)

// counter counts sets, for one goroutine. First it puts the groups of the set that cost anything close
// together: most sets of a proof are small, and have few words of them.
type counter struct {
	*samples
	members []int      // those groups
	packed  [][]uint64 // by word of them and mark: those that have the mark
	parts   [][]part   // by class
	totals  []int64    // by class, of the set

	// Features that part the groups alike have the same bounds, and are one split.
	splitOf []int       // by feature; −1 if a side costs nothing, or has too few samples: then it has so below, too
	splits  [][]uint64  // by word and split: the groups on side 1
	sums    [][]int64   // by class and split: the cost of side 1
	both    [][]int64   // by class and split: the cost of what is on side 1 of one more split, too
	sides   [][2]bounds // by split

	side []uint64 // room for one
}

// part is a word of the groups at a digit of a class.
type part struct {
	groups uint64
	word   int
	weight int64
}

// bounds are the costs of a side: as one leaf, as the best tree of at most two leaves, and of the cheapest leaf on a
// part that one feature makes of it and that costs anything in some class.
type bounds struct{ one, two, cut int64 }

func newCounter(s *samples) *counter {
	c := &counter{samples: s, parts: make([][]part, s.classes), totals: make([]int64, s.classes), splitOf: make([]int, len(s.columns)),
		sides: make([][2]bounds, len(s.columns))}
	for range s.classes {
		c.sums, c.both = append(c.sums, make([]int64, len(s.columns))), append(c.both, make([]int64, len(s.columns)))
	}
	for range s.words {
		c.packed = append(c.packed, make([]uint64, 64*s.markWords()))
		c.splits = append(c.splits, make([]uint64, 0, len(s.columns)))
	}
	return c
}

// count returns the cost of a set as one leaf. With splits left it fills in the bounds of the sides, those of
// more than one leaf if there is more than one split.
func (c *counter) count(set []uint64, splits int) int64 {
	words := c.pack(set)
	for k := range c.parts {
		c.parts[k], c.totals[k] = c.parts[k][:0], 0
	}
	for i, plane := range c.planes {
		for w := range words {
			if x := c.packed[w][len(c.columns)+i]; x != 0 {
				c.parts[plane.Class] = append(c.parts[plane.Class], part{x, w, plane.Weight})
				c.totals[plane.Class] += int64(bits.OnesCount64(x)) * plane.Weight
			}
		}
	}
	if splits > 0 {
		for i := range c.compare(set, words) {
			c.split(i)
			if splits > 1 {
				c.pairs(i)
			}
		}
	}
	return slices.Min(c.totals)
}

// pack puts the groups of a set that cost anything close together, and returns the number of words.
func (c *counter) pack(set []uint64) (words int) {
	c.members = c.members[:0]
	for w, x := range set {
		for x &= c.costly[w]; x != 0; x &= x - 1 {
			c.members = append(c.members, w<<6+bits.TrailingZeros64(x))
		}
	}
	var square [64]uint64
	for members := range slices.Chunk(c.members, 64) {
		for k := range c.markWords() {
			for i, g := range members {
				square[i] = c.marks[g][k]
			}
			clear(square[len(members):])
			transpose(&square)
			copy(c.packed[words][k*64:], square[:])
		}
		words++
	}
	return words
}

// transpose exchanges rows and columns of a square of bits: of each two squares off the diagonal in it, and so on
// within the four squares.
func transpose(square *[64]uint64) {
	mask := ^uint64(0)
	for size := 32; size > 0; size /= 2 {
		mask ^= mask << size
		for i := 0; i < 64; i = (i + size + 1) &^ size {
			x := (square[i]>>size ^ square[i+size]) & mask
			square[i] ^= x << size
			square[i+size] ^= x
		}
	}
}

// compare finds the splits of a set, and returns their number.
func (c *counter) compare(set []uint64, words int) (splits int) {
	for w := range c.splits {
		c.splits[w] = c.splits[w][:0]
	}
	all := framing.Sum(c.rows, set, set)
	for f, column := range c.columns {
		c.splitOf[f] = -1
		n := 0
		for w := range words {
			n += bits.OnesCount64(c.packed[w][f])
		}
		if n == 0 || n == len(c.members) {
			continue // the other side's tree, of the whole set, has the same errors, fewer leaves, and not fewer samples in any
		}
		if c.least > 1 {
			if with := framing.Sum(c.rows, set, column); min(with, all-with) < c.least {
				continue
			}
		}
		same := func(s int) bool {
			for w := range words {
				if c.splits[w][s] != c.packed[w][f] {
					return false
				}
			}
			return true
		}
		s := 0
		for s < splits && !same(s) {
			s++
		}
		if c.splitOf[f] = s; s == splits {
			for w := range words {
				c.splits[w] = append(c.splits[w], c.packed[w][f])
			}
			splits++
		}
	}
	return splits
}

// split counts both sides of a split as one leaf, and what of side 1 is on that of each split before.
func (c *counter) split(i int) {
	with, without := far, far
	for k, parts := range c.parts {
		both, sum := c.both[k][:i], int64(0)
		clear(both)
		for _, p := range parts {
			splits := c.splits[p.word][:i+1]
			if x := p.groups & splits[i]; x != 0 {
				sum += int64(bits.OnesCount64(x)) * p.weight
				for j := range both {
					both[j] += int64(bits.OnesCount64(x&splits[j])) * p.weight
				}
			}
		}
		c.sums[k][i] = sum
		with, without = min(with, sum), min(without, c.totals[k]-sum)
	}
	c.sides[i] = [2]bounds{{without, without, without}, {with, with, with}}
}

// cell is a part that two splits make of the set.
type cell struct {
	leaf int64 // its cost as one leaf
	any  int64 // 0 if it costs nothing in any class
}

func (c *cell) add(cost int64) { c.leaf, c.any = min(c.leaf, cost), c.any|cost }

// meet learns of the two cells that the side consists of.
func (b *bounds) meet(x, y cell) {
	b.two = min(b.two, x.leaf+y.leaf)
	if x.any != 0 {
		b.cut = min(b.cut, x.leaf)
	}
	if y.any != 0 {
		b.cut = min(b.cut, y.leaf)
	}
}

// pairs sees what a split and those before make of each other's sides.
func (c *counter) pairs(i int) {
	sideI := &c.sides[i]
	for j := range c.sides[:i] {
		both, onlyI, onlyJ, neither := cell{leaf: far}, cell{leaf: far}, cell{leaf: far}, cell{leaf: far}
		for k, total := range c.totals {
			x, sums := c.both[k][j], c.sums[k]
			both.add(x)
			onlyI.add(sums[i] - x)
			onlyJ.add(sums[j] - x)
			neither.add(total - sums[i] - sums[j] + x)
		}
		sideJ := &c.sides[j]
		sideI[1].meet(both, onlyI)
		sideI[0].meet(onlyJ, neither)
		sideJ[1].meet(both, onlyJ)
		sideJ[0].meet(onlyI, neither)
	}
}
