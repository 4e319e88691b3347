package short

import (
	"slices"
	"unsafe"

	"parcorels/bitvec"
)

// allTriples looks at all lists of three rules.
func (c *table[T]) allTriples() bool {
	for q := range c.classes {
		c.singles = append(c.singles, c.costs.Single(q, c.all, c.columns))
	}
	if c.fits(c.n) {
		if int64(c.n)*(c.rowBytes()+int64(c.peakSize())*int64(unsafe.Sizeof(T(0)))) <= c.s.o.Memory {
			c.peaks = make([]T, c.n*c.peakSize())
		}
		return c.triples()
	}
	step := max(1, int(c.s.o.Memory/c.rowBytes())) // second rules whose rows fit
	c.takeRows(min(step, c.n))
	for from := 0; from < c.n; from += step {
		c.strip = [2]int{from, min(from+step, c.n)}
		c.s.each(c.strip[1]-from, func() func(int) {
			x := c.costs.NewCounts(c.width)
			return func(i int) { c.row(x, c.columns[from+i], 0, c.kept(from+i)) }
		})
		if !c.triples() {
			return false
		}
	}
	return true
}

// triples looks at those whose second rule is in the strip.
func (c *table[T]) triples() bool {
	if c.most == nil { // of a strip before, nothing is read again
		c.most = make([][]T, c.classes*c.classes)
		for i := range c.most {
			c.most[i] = make([]T, c.n)
		}
	}
	c.s.each(c.strip[1]-c.strip[0], func() func(int) {
		d := make([]T, c.n)
		return func(i int) {
			t := c.strip[0] + i
			for at, most := range c.most {
				if q, r := at/c.classes, at%c.classes; q != r {
					c.outside(d, c.kept(t), q, r)
					most[t] = slices.Max(d)
					if c.peaks != nil {
						peak(c.peaksOf(c.peaks, t, at), d)
					}
				}
			}
		}
	})
	return c.s.eachFirst(3, (c.n+together-1)/together, func() func(int) {
		var group, open [together]*third[T]
		for i := range group {
			group[i] = newThird(c)
		}
		return func(g int) {
			n := 0
			for i, w := range group {
				if s := g*together + i; s < c.n && w.begin(s) {
					open[n] = w
					n++
				}
			}
			for t := c.strip[0]; t < c.strip[1]; t++ {
				for _, w := range open[:n] {
					w.second(t)
				}
			}
		}
	})
}

// together is how many first rules are looked at together, so that the row of a second rule is read from
// memory once for all of them.
const together = 4

// peakSize is how many peaks a condition has: by two classes, the largest D in each block of conditions, and in each group of blocks.
func (c *table[T]) peakSize() int { return len(c.gains) * len(c.gains) * peakCount(c.n) }

// peakCount is how many blocks and groups so many conditions make.
func peakCount(n int) int { return blocks(n) + (blocks(n)+group-1)/group }

func blocks(n int) int { return (n + bitvec.ThirdsBlock - 1) / bitvec.ThirdsBlock }

// group is how many blocks are looked at together first.
const group = 8

// peaksOf returns those peaks of a condition, by its place in the list, that are of two classes.
func (c *table[T]) peaksOf(peaks []T, t, at int) []T {
	return peaks[t*c.peakSize()+at*peakCount(c.n):][:peakCount(c.n)]
}

// peak writes the largest number of each block, and of each group.
func peak[T count](peaks, d []T) {
	for b := range blocks(len(d)) {
		peaks[b] = slices.Max(d[b*bitvec.ThirdsBlock : min((b+1)*bitvec.ThirdsBlock, len(d))])
	}
	peakGroups(peaks, blocks(len(d)))
}

// peakGroups writes the largest peak of each group of so many blocks.
func peakGroups[T count](peaks []T, n int) {
	for g := range peaks[n:] {
		peaks[n+g] = slices.Max(peaks[g*group : min((g+1)*group, n)])
	}
}

// third looks at the lists of three rules with one first rule. It belongs to a worker.
type third[T count] struct {
	c      *table[T]
	s      int
	rowOf  func(int) []T
	row    []T // of s
	need   int64
	least  int64    // what a rule behind s must get right
	gains  []T      // of the conditions behind s, class by class
	right  []int64  // of the conditions behind s
	label  []uint16 // likewise
	two    []int64  // what is right of s, the condition and a default
	among  []int32  // conditions that may follow
	left   []int64  // of what s leaves, by class
	most   []int64  // by two classes, the largest D behind s
	peaks  []T      // likewise, of these in each block
	bounds bitvec.Thirds[T]
	blocks []int32
	likely []int32
	few    []int32 // of these
	set    []uint64
	bits   []uint64 // scratch of singles
	gain   []int64  // of the few, by one label
	other  []int64  // likewise, by another one
	counts []int64
}

// second is a second rule, with the labels of the third rule and the default.
type second struct {
	t, q, r int
	ask     int64 // D that the third rule must have in what is left
}

func newThird[T count](c *table[T]) *third[T] {
	pairs, bits := c.classes*c.classes, 0
	for _, x := range c.singles {
		bits = max(bits, x.Words())
	}
	return &third[T]{
		c: c, rowOf: c.rowOf(), gains: make([]T, c.size()), right: make([]int64, c.n), label: make([]uint16, c.n), two: make([]int64, c.n),
		left: make([]int64, c.classes), most: make([]int64, pairs), peaks: make([]T, c.peakSize()), set: make([]uint64, len(c.all)),
		bits: make([]uint64, bits), gain: make([]int64, c.n), other: make([]int64, c.n), counts: make([]int64, c.classes),
	}
}

// begin counts what is behind a first rule. It reports whether there is anything to look at.
func (w *third[T]) begin(s int) bool {
	c := w.c
	w.s, w.need = s, c.need(3, s)
	if c.right1[s] < w.need-c.best || c.late(s) {
		return false
	}
	w.row = w.rowOf(s)
	c.prefixes.Add(1)
	for q, all := range c.gains {
		w.left[q] = all - int64(c.single[q*c.width+s])
		single, row, to := c.single[q*c.width:][:c.n], w.row[q*c.width:][:c.n], w.gains[q*c.width:][:c.n]
		for t, g := range single {
			to[t] = g - row[t]
		}
	}
	w.least = max(1, w.need-c.rest[s]) // argument 2, behind s
	w.among = w.among[:0]
	for t := range c.n {
		right, rest, label := int64(-1), int64(0), 0
		for q, l := range w.left {
			g := int64(w.gains[q*c.width+t])
			if g > right {
				right, label = g, q
			}
			rest = max(rest, l-g)
		}
		w.right[t], w.label[t], w.two[t] = right, uint16(label), c.right1[s]+right+rest
		if right >= w.least && t != s {
			w.among = append(w.among, int32(t))
		}
	}
	for q := range c.classes {
		for r := range c.classes {
			at := q*c.classes + r
			mine, other, peaks := w.gains[q*c.width:][:c.n], w.gains[r*c.width:][:c.n], c.peaksOf(w.peaks, 0, at)
			for b := range peaks {
				peaks[b] = T(-w.left[r]) // D is at least that
			}
			for _, v := range w.among {
				peak := &peaks[v/bitvec.ThirdsBlock]
				*peak = max(*peak, mine[v]-other[v])
			}
			peakGroups(peaks, blocks(c.n))
			w.most[at] = int64(slices.Max(peaks))
		}
	}
	return len(w.among) > 1
}

// late reports whether s comes before its turn behind the prefix (argument 5).
func (c *table[T]) late(s int) bool {
	return len(c.prefix) > 0 && int(c.label1[s]) == c.label && c.names[s] < c.prefix[len(c.prefix)-1]
}

// second looks for third rules behind s and a second rule that leaves room for one.
func (w *third[T]) second(t int) {
	if w.right[t] < w.least || t == w.s {
		return
	}
	c, s := w.c, w.s
	first := c.right1[s]
	lost := first // argument 3: what is lost without s
	if w.label[t] == c.label1[s] {
		if c.names[t] < c.names[s] {
			return
		}
		lost -= int64(w.row[int(w.label[t])*c.width+t])
	}
	if c.rest[t]+lost < w.need || c.names[t] < c.names[s] && w.apart(t) {
		return
	}
	have := first + w.right[t]
	for r, l := range w.left {
		other := int64(w.gains[r*c.width+t])
		outside := int64(c.single[r*c.width+s] - w.row[r*c.width+t])
		ask := w.need - have - (l - other)
		for q, mine := range w.left {
			at := q*c.classes + r
			if q == r || mine-int64(w.gains[q*c.width+t]) < ask || w.most[at]+other < ask || int64(c.most[at][t])+outside < ask {
				continue
			}
			w.last(second{t, q, r, ask})
		}
	}
}

// apart reports whether no point gains in both s and t.
func (w *third[T]) apart(t int) bool {
	for q := range w.c.classes {
		if w.row[q*w.c.width+t] != 0 {
			return false
		}
	}
	return true
}

// last looks for the third rule behind s and a second one (argument 4).
func (w *third[T]) last(x second) {
	if w.pickBlocks(x); len(w.blocks) == 0 {
		return
	}
	c, s, t, q, r := w.c, w.s, x.t, x.q*w.c.width, x.r*w.c.width
	row, b := c.kept(t), &w.bounds
	b.InQ, b.InR, b.MineQ, b.MineR = row[q:][:c.n], row[r:][:c.n], w.row[q:][:c.n], w.row[r:][:c.n]
	b.AllQ, b.AllR, b.GainQ, b.GainR = c.single[q:][:c.n], c.single[r:][:c.n], w.gains[q:][:c.n], w.gains[r:][:c.n]
	b.BothQ, b.Outside, b.Other, b.Ask = b.MineQ[t], b.AllR[s]-b.MineR[t], b.GainR[t], T(x.ask)
	w.likely = b.Among(w.blocks, w.likely[:0])
	need, ordered := w.need-w.right[t], int(w.label[t]) == x.q
	w.few = w.few[:0]
	for _, v := range w.likely {
		lost := need
		if ordered { // argument 3
			lost += int64(b.InQ[v] - min(b.MineQ[v], b.InQ[v], b.BothQ))
		}
		if w.two[v] >= lost && w.right[v] >= w.least && (!ordered || c.names[v] > c.names[t]) && int(v) != t && int(v) != s {
			w.few = append(w.few, v)
		}
	}
	if len(w.few) == 0 {
		return
	}
	few, left := w.few, 0
	c.singles[x.q].Gains(w.gain, s, t, few, w.bits)
	for i, v := range few {
		// The points of r in v and outside s are inside t, or they are left.
		less := max(0, int64(b.GainR[v]-min(b.InR[v], b.Other)))
		if w.gain[i]-less >= x.ask {
			few[left], w.gain[left] = v, w.gain[i]
			left++
		}
	}
	if left == 0 {
		return
	}
	c.singles[x.r].Gains(w.other, s, t, few[:left], w.bits)
	for i, v := range few[:left] {
		if w.gain[i]-w.other[i] >= x.ask {
			bitvec.AndNot(w.set, c.all, c.columns[s])
			bitvec.AndNot(w.set, w.set, c.columns[t])
			c.costs.Gain(w.counts, w.set, c.columns[v])
			w.offer(t, int(v))
		}
	}
}

// pickBlocks lists the blocks of conditions of which some may have enough outside s, and some outside t.
func (w *third[T]) pickBlocks(x second) {
	c, at, r := w.c, x.q*w.c.classes+x.r, x.r*w.c.width
	behind, outside := c.peaksOf(w.peaks, 0, at), []T(nil)
	if c.peaks != nil {
		outside = c.peaksOf(c.peaks, x.t, at)
	}
	askS, askT := x.ask-int64(w.gains[r+x.t]), x.ask-int64(c.single[r+w.s]-w.row[r+x.t])
	enough := func(b int) bool {
		return int64(behind[b]) >= askS && (outside == nil || int64(outside[b]) >= askT)
	}
	w.blocks = w.blocks[:0]
	for first, n := 0, blocks(c.n); first < n; first += group {
		if enough(n + first/group) {
			for b := first; b < min(first+group, n); b++ {
				if enough(b) {
					w.blocks = append(w.blocks, int32(b))
				}
			}
		}
	}
}

// offer offers the list of s, t and v, whose gains in what is left are in counts.
func (w *third[T]) offer(t, v int) {
	var rest int64
	for r, l := range w.left {
		rest = max(rest, l-int64(w.gains[r*w.c.width+t])-w.counts[r])
	}
	w.c.offer(w.c.right1[w.s]+w.right[t]+slices.Max(w.counts)+rest, w.s, t, v)
}
