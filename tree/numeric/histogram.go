package numeric

import (
	"slices"

	"parcorels/bitvec"
)

// histogramsOf is histograms of a kind of weights.
type histogramsOf[W weight] struct {
	*twoLevel
	counts, classes []int64    // weight by class on the left and of the view: see rough.go
	digits          int        // that weights are rounded up by, of 2
	set, all, left  tallied[W] // all: of the view
	parts           [2]tallied[W]
	weight          []W           // by number of an item in the set; unless each weighs 1
	positions       []W           // by number: in the order of the first column; −1 if it is not in the view
	inPair          [4]W          // see bitvec.ScanBins
	out             [][2][lanes]W // of that, by pair and group
	closeUps        []*closeUp[W] // by level
	heads, nexts    []int32
	sign            []int64 // by class: 1 and −1 of the pair that is walked, else 0
}

func newHistograms[W weight](t *twoLevel, cells int) *histogramsOf[W] {
	h := &histogramsOf[W]{twoLevel: t, counts: t.counts}
	h.sign = make([]int64, 1<<t.table.bits)
	for _, x := range []*tallied[W]{&h.set, &h.left, &h.parts[0], &h.parts[1]} {
		*x = newTallied[W](t.table.Classes, cells)
	}
	return h
}

func newTallied[W weight](classes, stride int) tallied[W] {
	x := tallied[W]{make([]W, classes*stride), stride, nil}
	for c := range classes {
		x.of = append(x.of, x.cells[c*stride:(c+1)*stride])
	}
	return x
}

func (x *tallied[W]) clear(cells int) {
	for _, of := range x.of {
		clear(of[:cells])
	}
}

// weigh gives items their weights.
func (t *histogramsOf[W]) weigh() {
	t.positions, t.weight = slices.Grow(t.positions[:0], t.n)[:t.n], t.weight[:0]
	if !t.plain {
		for _, item := range t.base.set.items {
			t.weight = append(t.weight, W((t.table.weight[item]-1)>>t.digits+1))
		}
	}
}

func (t *histogramsOf[W]) clear() {
	t.left.clear(t.cells)
}

func (t *histogramsOf[W]) fill() {
	for c, x := range t.left.of {
		copy(x[:t.cells], t.all.of[c])
	}
}

func (t *histogramsOf[W]) countAll(list []entry) {
	t.set.clear(t.cells)
	t.tally(&t.set, list, 1)
}

func (t *histogramsOf[W]) countSide(list []entry, side int) {
	clear(t.counts)
	t.parts[side].clear(t.cells)
	t.tally(&t.parts[side], list, 1)
	for c, all := range t.set.of {
		part, rest := t.parts[side].of[c][:t.cells], t.parts[1-side].of[c][:t.cells]
		for i := range all[:t.cells] {
			rest[i] = all[i] - part[i]
		}
	}
}

func (t *histogramsOf[W]) showSide(side int) {
	t.all = t.set
	if side >= 0 {
		t.all = t.parts[side]
	}
	for i, is := range t.member {
		t.positions[i] |= W(^is)
	}
}

func (t *histogramsOf[W]) count(list []entry, sign int) { t.tally(&t.left, list, W(sign)) }

// position tells items their places in the order of the sweep, unless they know them.
func (t *histogramsOf[W]) position() {
	if t.positioned {
		return
	}
	for p, e := range t.order {
		t.positions[e.Number()] = W(p)
	}
	t.positioned = true
}

// tally counts items in the cells of their classes, and by class.
func (t *histogramsOf[W]) tally(x *tallied[W], list []entry, sign W) {
	k, mask := len(t.inOrder), int32(1)<<t.table.bits-1
	if t.plain {
		bitvec.TallyBins(list, t.rows, k, mask, x.cells, x.stride, sign, t.counts)
		return
	}
	for _, e := range list {
		class, w := e.Key()&mask, sign*t.weight[e.Number()]
		t.counts[class] += int64(w)
		cells := x.of[class]
		for _, at := range t.rows[int(e.Number())*k:][:k] {
			cells[at] += w
		}
	}
}

// boundPair bounds what stumps get right on both sides that say a and b.
func (t *histogramsOf[W]) boundPair(a, b int) (left, right int64) {
	la, lb := t.counts[a], t.counts[b]
	ra, rb := t.of.classes[a]-la, t.of.classes[b]-lb
	t.inPair = [4]W{W(la), W(lb), W(ra), W(rb)}
	at := len(t.pairs) * len(t.groups)
	t.pairs = append(t.pairs, pair{a, b})
	for len(t.out) < len(t.pairs)*len(t.groups) {
		t.out = append(t.out, [2][lanes]W{})
	}
	return t.scan(a, b, t.out[at:])
}

// scan bounds what stumps get right, by group in out, and returns the most.
func (t *histogramsOf[W]) scan(a, b int, outs [][2][lanes]W) (left, right int64) {
	l, r := W(0), W(0)
	for i := range t.groups {
		g := &t.groups[i]
		from, to := g.base, g.base+g.rows*lanes
		out := &outs[i]
		bitvec.ScanBins(t.left.of[a][from:to], t.left.of[b][from:to], t.all.of[a][from:to], t.all.of[b][from:to], g.exact, g.halves,
			&t.inPair, out)
		for lane := range g.columns {
			l, r = max(l, out[0][lane]), max(r, out[1][lane])
		}
	}
	return int64(l), int64(r)
}

func (t *histogramsOf[W]) detail() {
	for side := range t.sides {
		x := &t.sides[side]
		n := len(x.right)
		for lane := range x.right {
			x.right[lane] = x.most
		}
		copy(x.exact, t.exact)
		x.pairs = slices.Grow(x.pairs[:0], len(t.pairs)*n)[:len(t.pairs)*n]
		for p := range t.pairs {
			for i, g := range t.groups {
				for lane, y := range t.out[p*len(t.groups)+i][side][:g.columns] {
					at := g.first + lane
					x.pairs[p*n+at] = int64(y)
					x.right[at] = max(x.right[at], int64(y))
				}
			}
		}
	}
}

// walkPair returns the most that a stump on the column of a lane gets right that says the classes
// of a pair, if that is more than floor, and floor otherwise. The bin of the largest bound is walked
// first.
func (t *histogramsOf[W]) walkPair(lane, p int, isRight int32, floor int64) int64 {
	a, b := t.pairs[p].a, t.pairs[p].b
	na, nb := t.counts[a], t.counts[b]
	if isRight < 0 {
		na, nb = t.of.classes[a]-na, t.of.classes[b]-nb
	}
	c := &t.columns[lane]
	open := t.boundBins(c, t.pairs[p], isRight < 0, na, nb)
	t.sign[a], t.sign[b] = 1, -1
	for {
		best, at, count := floor, -1, 0
		for _, x := range open { // those not above floor are left out
			if x.right > best {
				best, at = x.right, count
			}
			open[count] = x
			count += int(uint64(floor-x.right) >> 63)
		}
		if at < 0 {
			break
		}
		floor = t.walkBin(c, &open[at], isRight, na, nb, floor)
		open[at] = open[count-1]
		open = open[:count-1]
	}
	t.sign[a], t.sign[b] = 0, 0
	return floor
}

// boundBins bounds the bins of a column, on a side that has na and nb of the classes of a pair.
func (t *histogramsOf[W]) boundBins(c *column, p pair, isRight bool, na, nb int64) []bin {
	a, b, allA, allB := t.left.of[p.a], t.left.of[p.b], t.all.of[p.a], t.all.of[p.b]
	bins, before := t.open[:len(c.ends)], int64(0)
	for u := range bins {
		at := c.cellOf(u)
		x, y := int64(a[at]), int64(b[at])
		if isRight {
			x, y = int64(allA[at])-x, int64(allB[at])-y
		}
		bins[u] = bin{max(before+x+nb, y-before+na), before, int32(u)}
		before += x - y
	}
	return bins
}

// walkBin looks at the thresholds in a bin. It has no branch that depends on the items: which
// side one is on is as good as random. Where no threshold is it sees a difference of 0 between
// the classes, which is a leaf.
func (t *histogramsOf[W]) walkBin(c *column, u *bin, isRight int32, na, nb, floor int64) int64 {
	from, to := c.span(int(u.bin))
	t.near.walked += int64(to - from)
	list := c.list[from:to]
	useful := c.useful[from:to][:len(list)]
	first, count := int32(0), int64(t.moved) // of the positions on the side
	if isRight < 0 {
		first, count = int32(t.moved), int64(len(t.order)-t.moved)
	}
	y := u.before
	positions, highest, lowest := t.positions, int64(0), int64(0)
	if t.plain && len(t.counts) == 2 { // with more numbers at hand than this the loop runs out of registers
		for j, e := range list {
			y += (int64(e>>31&2) - 1) & sideOf(positions[e.Number()], first, count)
			there := y & int64(useful[j])
			highest, lowest = max(highest, there), min(lowest, there)
		}
		return max(floor, highest+nb, na-lowest)
	}
	mask, sign, weight := int32(1)<<t.table.bits-1, t.sign, t.weight
	for j, e := range list {
		step := sign[e.Key()&mask] & sideOf(positions[e.Number()], first, count)
		if len(weight) > 0 {
			step *= int64(weight[e.Number()])
		}
		y += step
		there := y & int64(useful[j])
		highest, lowest = max(highest, there), min(lowest, there)
	}
	return max(floor, highest+nb, na-lowest)
}

// sideOf returns −1 for a position that is one of count from first on, and 0 for all others.
func sideOf[W weight](position W, first int32, count int64) int64 {
	return (int64(uint32(int32(position)-first)) - count) >> 63
}
