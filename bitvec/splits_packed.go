package bitvec

import "math/bits"

// Packing the bits of a set.
//
// The bits of every live feature at the points of the set are packed, class by
// class, and within a class one digit of the costs after the other. A subset can be
// counted from the packed bits as well as from the table: it takes a step for each
// of their words that has points, where in the table the same points may be
// spread over many more.

// Packed is a set as a count has packed it. The zero value is empty.
type Packed struct {
	columns []uint64 // the live columns, eight to a block: word w of lane l at 8w + l of the block
	weights []int64  // of each packed word
	words   []uint64 // packed words of each class
	full    []uint64 // the places of each packed word that hold a point
	offsets []uint64 // of each live feature by its index: of its first word, in bytes
	kept    bool
}

// packedMost is the number of words of a set that is kept for its subsets: what a
// level of a path may take, in words.
const packedMost = 1 << 13

// Kept reports whether p is the set that was counted last into it, for counts of
// its subsets. A set that takes more than 64 KiB is not kept.
func (p *Packed) Kept() bool { return p.kept }

// Drop has p keep no set.
func (p *Packed) Drop() { p.kept = false }

// All returns a copy of the places of all points, in the memory of to.
func (p *Packed) All(to []uint64) []uint64 { return append(to[:0], p.full...) }

// Side reduces places to those of the points with feature f, or without it. F is
// live in p.
func (p *Packed) Side(places []uint64, f int32, with bool) {
	column := p.columns[p.offsets[f]/8:]
	if with {
		for w := range places {
			places[w] &= column[w*Lanes]
		}
		return
	}
	for w := range places {
		places[w] &^= column[w*Lanes]
	}
}

// gatherStep packs the bits under mask of the word that begins off bytes behind
// the begin of a column, shifted left by the low six bits of shift. The last
// step of a packed word has bit 8 of shift set. Kernels know the layout.
type gatherStep struct{ mask, off, shift uint64 }

const gatherLast = 1 << 8

// plan lists the steps that pack u, plane by plane. A word of the set goes into
// a packed word as a whole or not at all, so that two packed words that follow
// one another are more than half full.
func (c *SplitCount) plan(u []uint64) {
	c.packed = c.To
	if c.packed == nil {
		c.packed = &c.own
	}
	p := c.packed
	if p.words == nil {
		p.words = make([]uint64, c.splits.classes+1, c.splits.classes+1+apart/8)
	}
	p.kept = false
	p.weights, p.full, c.steps = p.weights[:0], p.full[:0], c.steps[:0]
	clear(c.totals)
	clear(p.words)
	if c.From != nil {
		c.planPacked(u)
	} else {
		c.planTable(u)
	}
	c.endWord()
}

// planTable plans a set of the table's points.
func (c *SplitCount) planTable(u []uint64) {
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
				c.beginWord(p.class, p.weight)
				fill = 0
			}
			c.step(m, w, fill)
			fill += n
		}
		c.totals[p.class] += int64(count) * p.weight
	}
}

// planPacked plans a subset of c.From.
func (c *SplitCount) planPacked(u []uint64) {
	w := 0
	for class, words := range c.From.words {
		fill, weight := 64, int64(0)
		for end := w + int(words); w < end; w++ {
			m := u[w]
			if m == 0 {
				continue
			}
			n := bits.OnesCount64(m)
			if fill+n > 64 || c.From.weights[w] != weight {
				weight, fill = c.From.weights[w], 0
				c.beginWord(class, weight)
			}
			c.step(m, w*Lanes, fill)
			fill += n
			c.totals[class] += int64(n) * weight
		}
	}
}

// step has the bits m of word w of a column follow those of the packed word.
func (c *SplitCount) step(m uint64, w, fill int) {
	c.steps = append(c.steps, gatherStep{m, uint64(w) * 8, uint64(fill)})
	full := c.packed.full
	full[len(full)-1] = ^uint64(0) >> (64 - fill - bits.OnesCount64(m))
}

// beginWord begins a packed word.
func (c *SplitCount) beginWord(class int, weight int64) {
	c.endWord()
	p := c.packed
	p.weights, p.full = append(p.weights, weight), append(p.full, 0)
	p.words[class]++
}

// endWord marks the last step of a packed word.
func (c *SplitCount) endWord() {
	if n := len(c.steps); n > 0 {
		c.steps[n-1].shift |= gatherLast
	}
}

// source returns the columns that the steps refer to.
func (c *SplitCount) source() []uint64 {
	if c.From != nil {
		return c.From.columns
	}
	return c.splits.columns
}

// offset returns where the column of feature f begins there, in bytes.
func (c *SplitCount) offset(f int32) uint64 {
	if c.From != nil {
		return c.From.offsets[f]
	}
	return uint64(int(f) * c.splits.words * 8)
}

// findLive lists the features that divide the planned set into two sides with points.
func (c *SplitCount) findLive(among []int32) {
	c.Live = c.Live[:0]
	columns := c.source()
	for _, f := range among {
		if divides(columns[c.offset(f)/8:], c.steps) {
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

// gather packs the live columns, eight to a block. The places behind the last one
// get the first one again: a feature paired twice with others changes nothing.
func (c *SplitCount) gather() {
	p := c.packed
	blocks := (len(c.Live) + Lanes - 1) / Lanes
	size := len(p.weights) * Lanes
	room, n := p, blocks*size
	if n > packedMost {
		room = &c.own // nobody counts a subset from it
	}
	if n > len(room.columns) {
		room.columns = alignedWords(n + min(n/2, packedMost))
	}
	c.columns = room.columns
	from := c.source()
	for b := range blocks {
		var offsets [Lanes]uint64
		for i := range offsets {
			f := c.Live[0]
			if b*Lanes+i < len(c.Live) {
				f = c.Live[b*Lanes+i]
			}
			offsets[i] = c.offset(f)
		}
		gatherBlock(c.columns[b*size:(b+1)*size], from, &offsets, c.steps, len(p.weights))
	}
	c.keep(blocks * size)
}

// keep makes the packed set one that subsets can be counted from.
func (c *SplitCount) keep(words int) {
	p := c.packed
	if p == &c.own || words > packedMost {
		return
	}
	if len(p.offsets) == 0 {
		p.offsets = make([]uint64, c.splits.features)
	}
	size := len(p.weights) * Lanes
	for i, f := range c.Live {
		p.offsets[f] = uint64(i/Lanes*size+i%Lanes) * 8
	}
	p.kept = true
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
