package bitvec

// Counters are numbers of so many bits, one for each bit of a mask, that count side by side:
// plane b of a word holds bit b of its 64 counters. Words lie in blocks of Lanes, as in a Matrix,
// and masks have CounterWords, whole vectors of four words.
type Counters struct {
	planes []uint64 // plane b of word w is planes[(w/Lanes·depth + b)·Lanes + w%Lanes]
	depth  int
	words  int // of a mask that have counters
}

// fewWords is how many words of counters are raised without a kernel: they often do not need all planes.
const fewWords = 1

// CounterWords is how many words masks of n bits have for Counters, a vector at least.
func CounterWords(n int) int { return max(4, (n+255)/256*4) }

// Start makes n counters of 1 to 31 bits, all equal to value.
func (c *Counters) Start(n, depth int, value uint) {
	c.depth, c.words = depth, (n+63)/64
	if size := (c.vectors() + 1) / 2 * Lanes * depth; cap(c.planes) < size {
		c.planes = make([]uint64, size)
	} else {
		c.planes = c.planes[:size]
	}
	for i := range c.planes {
		c.planes[i] = -uint64(value >> (i / Lanes % depth) & 1)
	}
}

// vectors returns how many vectors of four words a mask has.
func (c *Counters) vectors() int { return max(1, (c.words+3)/4) }

// Words returns the number of words of all planes.
func (c *Counters) Words() int { return len(c.planes) }

// Raise adds the largest number, at most so much and below 2^depth, to the counters of mask ∩ live
// that lets none exceed 2^depth. It returns the number. Counters that reach 2^depth are 0 from then on,
// and are marked in full. If one of mask is in full already, it does nothing and returns 0.
func (c *Counters) Raise(mask, live, full []uint64, most uint32) uint32 {
	if len(mask) == 0 || len(mask) != 4*c.vectors() || len(live) != len(mask) || len(full) != len(mask) {
		panic("bitvec: counters of a different length")
	}
	if c.words <= fewWords {
		return c.raiseGeneric(mask, live, full, most)
	}
	return c.raise(mask, live, full, most)
}

func (c *Counters) raiseGeneric(mask, live, full []uint64, most uint32) uint32 {
	mask, live, full = mask[:c.words], live[:c.words], full[:c.words]
	for i, m := range mask {
		if m&full[i] != 0 {
			return 0
		}
	}
	top := uint32(1) << c.depth
	largest := max(1, top-min(most, top)) // 2^depth itself does not fit the planes
	for i, m := range mask {
		if m &= live[i]; m != 0 {
			largest = c.larger(i, m, largest)
		}
	}
	n := min(most, top-largest)
	for i, m := range mask {
		if m &= live[i]; m != 0 {
			full[i] |= c.add(i, m, n)
		}
	}
	return n
}

// word returns the planes of a word, which are Lanes apart.
func (c *Counters) word(i int) []uint64 {
	from := i/Lanes*Lanes*c.depth + i%Lanes
	return c.planes[from:][:Lanes*(c.depth-1)+1]
}

// larger returns the largest counter of a mask in a word, or least if all are smaller.
func (c *Counters) larger(i int, mask uint64, least uint32) uint32 {
	planes := c.word(i)
	value := uint32(0)
	for b := c.depth - 1; b >= 0; b-- {
		if some := mask & planes[b*Lanes]; some != 0 {
			mask = some
			value |= 1 << b
		} else if value|(1<<b-1) <= least {
			return least
		}
	}
	return max(least, value)
}

// add adds n to the counters of a mask in a word, and returns those that overflow.
func (c *Counters) add(i int, mask uint64, n uint32) (carry uint64) {
	planes := c.word(i)
	for b := 0; b < len(planes) && (n != 0 || carry != 0); b += Lanes {
		x, m := planes[b], mask&-uint64(n&1)
		planes[b] = x ^ m ^ carry
		carry = x&m | carry&(x^m)
		n >>= 1
	}
	return carry
}

// Value returns the counter of a bit.
func (c *Counters) Value(bit int) (n int64) {
	planes := c.word(bit / 64)
	for b := range c.depth {
		n |= int64(planes[b*Lanes]>>(bit%64)&1) << b
	}
	return n
}
