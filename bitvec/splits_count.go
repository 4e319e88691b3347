package bitvec

import "math/bits"

// SplitCount holds the results of a count and what it works with. It belongs to
// one goroutine. Results of a feature stand at its place in Live.
//
// What a count writes lies apart from the memory of other goroutines: two that
// write to one line of memory fetch it from each other's cache each time, which
// took a fifth of the time of counts of few points.
type SplitCount struct {
	_    [apart]byte
	Live []int32 // the features that split the set, in ascending order
	Leaf int64   // the cost of the set as a leaf

	One1, One0 []int64 // the cost of the side with and of the side without the feature as a leaf
	Two1, Two0 []int64 // the cost of each side as the cheaper of a leaf and the best tree of two leaves

	splits  *Splits
	sums    []int64 // class by class, the cost of the class in every live feature
	totals  []int64 // the cost of each class in the set
	packed  []uint64
	steps   []gatherStep
	weights []int64  // of each packed word
	words   []uint64 // packed words of each class
	task    pairTask
	_       [apart]byte
}

// apart is the distance in bytes at which processors write without disturbing
// each other. Some fetch lines of 64 bytes in pairs.
const apart = 128

// gatherStep packs the bits under mask of the word that begins off bytes behind
// the begin of a column, shifted left by the low six bits of shift. The last
// step of a packed word has bit 8 of shift set. Kernels know the layout.
type gatherStep struct{ mask, off, shift uint64 }

const gatherLast = 1 << 8

// pairTask is what the kernels work on. They know the layout.
type pairTask struct {
	data           *uint64 // blocks of eight packed columns
	stride, blocks uint64  // bytes of a block; blocks
	words          *uint64 // packed words of each class
	weights        *int64  // of each packed word
	classes        uint64
	totals         *int64
	sums           *int64 // class by class
	sumStride      uint64 // bytes from one class to the next
	two1, two0     *int64
}

// NewCount returns room for the counts of s.
func (s *Splits) NewCount() *SplitCount {
	padded := (s.features + Lanes - 1) / Lanes * Lanes
	backing := make([]int64, 2*apart/8+(4+s.classes)*padded+s.classes)[apart/8:]
	room := func(n int) (part []int64) {
		part, backing = backing[:n:n], backing[n:]
		return part
	}
	return &SplitCount{
		splits: s, Live: make([]int32, 0, padded+apart/4), One1: room(padded), One0: room(padded), Two1: room(padded), Two0: room(padded),
		sums: room(padded * s.classes), totals: room(s.classes), words: make([]uint64, s.classes, s.classes+apart/8),
	}
}

// Ones counts u up to the leaves: Live, Leaf, One1 and One0. Among has the
// features that may split u, in ascending order, such as the Live of a superset.
func (c *SplitCount) Ones(u []uint64, among []int32) {
	c.plan(u)
	c.Live = c.Live[:0]
	for _, f := range among {
		if c.divides(f) {
			c.Live = append(c.Live, f)
		}
	}
	c.Leaf = c.totals[0]
	for _, t := range c.totals[1:] {
		c.Leaf = min(c.Leaf, t)
	}
	if len(c.Live) == 0 {
		return
	}
	c.gather()
	c.task = c.newTask()
	splitSums(c)
	c.leaves()
}

// pairSlice bounds the work between two questions whether to go on, in words of
// eight columns: about a millisecond.
const pairSlice = 1 << 20

// Pairs counts u up to Two1 and Two0. Before each slice of work of about a
// millisecond but the first it asks whether to go on. If not, it returns false,
// and the results are of no use.
func (c *SplitCount) Pairs(u []uint64, among []int32, goOn func() bool) bool {
	c.Ones(u, among)
	n := len(c.Live)
	copy(c.Two1[:n], c.One1[:n])
	copy(c.Two0[:n], c.One0[:n])
	row := max(1, (n+Lanes-1)/Lanes*len(c.weights))
	slice := max(1, pairSlice/row)
	for from := 0; from < n; from += slice {
		if from > 0 && !goOn() {
			return false
		}
		splitPairs(c, from, min(from+slice, n))
	}
	return true
}

// plan lists the steps that pack u, plane by plane. A word of the set goes into
// a packed word as a whole or not at all, so that two packed words that follow
// one another are more than half full.
func (c *SplitCount) plan(u []uint64) {
	c.steps, c.weights = c.steps[:0], c.weights[:0]
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
			count += n
			if fill+n > 64 {
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

// divides reports whether feature f divides the planned set into two sides with
// points. It looks at the words of the set that have any.
func (c *SplitCount) divides(f int32) bool {
	column := c.splits.Column(int(f))
	var in, out uint64
	for i := range c.steps {
		s := &c.steps[i]
		x := column[s.off/8]
		in |= x & s.mask
		out |= s.mask &^ x
		if in != 0 && out != 0 {
			return true
		}
	}
	return false
}

// endWord marks the last step of a packed word.
func (c *SplitCount) endWord() {
	if n := len(c.steps); n > 0 {
		c.steps[n-1].shift |= gatherLast
	}
}

// gather packs the live columns, eight to a block.
func (c *SplitCount) gather() {
	blocks := (len(c.Live) + Lanes - 1) / Lanes
	size := len(c.weights) * Lanes
	if n := blocks * size; n > len(c.packed) {
		c.packed = alignedWords(n + n/2)
	}
	for b := range blocks {
		var offsets [Lanes]uint64
		for i := range offsets {
			f := c.splits.features // the column without points
			if b*Lanes+i < len(c.Live) {
				f = int(c.Live[b*Lanes+i])
			}
			offsets[i] = uint64(f * c.splits.words * 8)
		}
		gatherBlock(c.packed[b*size:(b+1)*size], c.splits.columns, &offsets, c.steps, len(c.weights))
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

// newTask describes the packed columns to the kernels.
func (c *SplitCount) newTask() pairTask {
	blocks := (len(c.Live) + Lanes - 1) / Lanes
	return pairTask{
		data: &c.packed[0], stride: uint64(len(c.weights) * Lanes * 8), blocks: uint64(blocks),
		words: &c.words[0], weights: &c.weights[0], classes: uint64(len(c.words)), totals: &c.totals[0],
		sums: &c.sums[0], sumStride: uint64(blocks * Lanes * 8), two1: &c.Two1[0], two0: &c.Two0[0],
	}
}

// leaves computes the leaf costs of both sides from the sums.
func (c *SplitCount) leaves() {
	n := len(c.Live)
	stride := (n + Lanes - 1) / Lanes * Lanes
	for i := range n {
		one1, one0 := c.sums[i], c.totals[0]-c.sums[i]
		for j := 1; j < len(c.totals); j++ {
			x := c.sums[j*stride+i]
			one1, one0 = min(one1, x), min(one0, c.totals[j]-x)
		}
		c.One1[i], c.One0[i] = one1, one0
	}
}
