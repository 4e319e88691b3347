package bitvec

import "math/bits"

// Packing the bits of a set.
//
// The bits of every live feature at the points of the set are packed, class by
// class, and within a class one digit of the costs after the other.

// gatherStep packs the bits under mask of the word that begins off bytes behind
// the begin of a column, shifted left by the low six bits of shift. The last
// step of a packed word has bit 8 of shift set. Kernels know the layout.
type gatherStep struct{ mask, off, shift uint64 }

const gatherLast = 1 << 8

// plan lists the steps that pack u, plane by plane. A word of the set goes into
// a packed word as a whole or not at all, so that two packed words that follow
// one another are more than half full.
func (c *SplitCount) plan(u []uint64) {
	c.weights, c.steps = c.weights[:0], c.steps[:0]
	clear(c.totals)
	clear(c.words)
	for i := range c.splits.planes {
		p := &c.splits.planes[i]
		fill, count := 64, 0
		for w := p.from; w < p.to; w++ {
			m := u[w] & p.masks[w]
			if m == 0 {
				continue
			}
			n := bits.OnesCount64(m)
			if count += n; fill+n > 64 {
				c.endWord()
				c.weights = append(c.weights, p.weight)
				c.words[p.class]++
				fill = 0
			}
			c.steps = append(c.steps, gatherStep{m, uint64(w) * 8, uint64(fill)})
			fill += n
		}
		c.totals[p.class] += int64(count) * p.weight
	}
	c.endWord()
}

// endWord marks the last step of a packed word.
func (c *SplitCount) endWord() {
	if n := len(c.steps); n > 0 {
		c.steps[n-1].shift |= gatherLast
	}
}

// findLive lists the features that divide the planned set into two sides with points.
func (c *SplitCount) findLive(among []int32) {
	c.Live = c.Live[:0]
	for _, f := range among {
		if divides(c.splits.Column(int(f)), c.steps) {
			c.Live = append(c.Live, f)
		}
	}
}

// divides looks at the words of the set that have points.
func divides(column []uint64, steps []gatherStep) bool {
	var in, out uint64
	for i := range steps {
		s := &steps[i]
		x := column[s.off/8]
		in |= x & s.mask
		out |= s.mask &^ x
		if in != 0 && out != 0 {
			return true
		}
	}
	return false
}

// gather packs the live columns, eight to a block: word w of lane l is at 8w + l of its block. The places behind the last
// one get the first one again: a feature paired twice with others changes nothing.
func (c *SplitCount) gather() {
	blocks := (len(c.Live) + Lanes - 1) / Lanes
	size := len(c.weights) * Lanes
	if n := blocks * size; n > len(c.columns) {
		c.columns = alignedWords(n + n/2)
	}
	for b := range blocks {
		var offsets [Lanes]uint64
		for i := range offsets {
			f := c.Live[0]
			if b*Lanes+i < len(c.Live) {
				f = c.Live[b*Lanes+i]
			}
			offsets[i] = uint64(int(f) * c.splits.words * 8)
		}
		gatherBlock(c.columns[b*size:(b+1)*size], c.splits.columns, &offsets, c.steps, len(c.weights))
	}
}

func gatherGeneric(block, columns []uint64, offsets *[Lanes]uint64, steps []gatherStep) {
	for i, off := range offsets {
		w, acc := i, uint64(0)
		for _, s := range steps {
			acc |= extract(columns[(off+s.off)/8], s.mask) << (s.shift & 63)
			if s.shift&gatherLast != 0 {
				block[w] = acc
				w, acc = w+Lanes, 0
			}
		}
	}
}

// extract packs the bits of x under mask, lowest first.
func extract(x, mask uint64) (out uint64) {
	for x &= mask; x != 0; x &= x - 1 {
		out |= 1 << bits.OnesCount64(mask&(x&-x-1))
	}
	return out
}
