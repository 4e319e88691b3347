package numeric

import (
	"slices"

	"parcorels/bitvec"
)

// histograms counts weights by bin and column, and by class, of all items and of those on the left
// side. Those of small weights are of 32 bits, which vectors take.
type histograms interface {
	// weigh readies them for the items of a set, and countAll counts those.
	weigh()
	countAll(list []entry)
	// countSide counts the items on one side of a place, and in counts. What is left is the other
	// side. Show takes one of them as all items; −1: those of the set.
	countSide(list []entry, side int)
	showSide(side int)
	// fill has all items on the left, clear none.
	fill()
	clear()
	// count counts items more on the left or, with sign −1, fewer; and in
	// counts.
	count(list []entry, sign int)
	// boundPair is described in scan.go, the others in refine.go.
	boundPair(a, b int)
	position(list []entry)
	boundBinsOfTwo(lane int, isRight int32, n0, n1 int64) bin
	restOfTwo(lane int, best bin, floor int64) []bin
	walkBinOfTwo(c *column, u int, isRight int32, n0, n1, floor int64) int64
	boundBins(lane int, isRight int32, floor int64) []bin
	walkBin(c *column, u int, isRight int32, floor int64) int64
}

// weight is a number that holds the weights of all items together.
type weight interface{ bitvec.BinWeight }

// histogramsOf is histograms of a kind of weights.
type histogramsOf[W weight] struct {
	*twoLevel
	set, all, left tallied[W] // all: of the view
	parts          [2]tallied[W]
	weight         []W // by number of an item in the set; unless each weighs 1
	signed         []W // by number: weight; of two classes, negative of class 1
	items          []item[W]
	out            [4][lanes]W
	right, before  []W // see bitvec.BoundBins
}

func newHistograms[W weight](t *twoLevel, cells int) *histogramsOf[W] {
	h := &histogramsOf[W]{twoLevel: t, right: make([]W, cells), before: make([]W, cells)}
	for _, x := range []*tallied[W]{&h.set, &h.left, &h.parts[0], &h.parts[1]} {
		*x = newTallied[W](t.table.Classes, cells)
	}
	return h
}

// tallied is weights by class and cell.
type tallied[W weight] struct {
	cells  []W
	stride int
	of     [][]W // by class, in cells
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

// item is what a walk has to know of an item.
type item[W weight] struct {
	position W // in the order of the first column
	signed   W // as in histogramsOf; 0 if it is not in the view
}

// weigh gives items their weights.
func (t *histogramsOf[W]) weigh() {
	t.items, t.signed, t.weight = slices.Grow(t.items[:0], t.n)[:t.n], slices.Grow(t.signed[:0], t.n)[:t.n], t.weight[:0]
	if !t.plain {
		for _, item := range t.twoLevel.set.items {
			t.weight = append(t.weight, W(t.table.weight[item]))
		}
	}
	two := W(0)
	if len(t.counts) == 2 {
		two = 2
	}
	for _, e := range t.twoLevel.set.lists[0] {
		t.signed[e.Number()] = t.weightOf(e) * (1 - two*W(t.table.classOf(e)))
	}
}

func (t *histogramsOf[W]) weightOf(e entry) W {
	if t.plain {
		return 1
	}
	return t.weight[e.Number()]
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
		t.items[i].signed = t.signed[i] & W(is)
	}
}

func (t *histogramsOf[W]) count(list []entry, sign int) { t.tally(&t.left, list, W(sign)) }

// position tells items their places in a list.
func (t *histogramsOf[W]) position(list []entry) {
	for p, e := range list {
		t.items[e.Number()].position = W(p)
	}
}

// tally counts items in the cells of their classes, and by class.
func (t *histogramsOf[W]) tally(x *tallied[W], list []entry, sign W) {
	k, mask := len(t.used), int32(1)<<t.table.bits-1
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

// boundPair raises the bounds of lanes to what stumps get right that say a and b.
func (t *histogramsOf[W]) boundPair(a, b int) {
	la, lb := t.counts[a], t.counts[b]
	ra, rb := t.of.classes[a]-la, t.of.classes[b]-lb
	out := &t.out
	for i := range t.groups {
		g := &t.groups[i]
		from, to := g.base, g.base+g.bins*lanes
		bitvec.ScanBins(t.left.of[a][from:to], t.left.of[b][from:to], t.all.of[a][from:to], t.all.of[b][from:to], g.exact, out)
		l, r := t.sides[0].right[g.first:][:lanes], t.sides[1].right[g.first:][:lanes]
		for lane := range lanes {
			l[lane] = max(l[lane], int64(out[0][lane])+lb, int64(out[1][lane])+la)
			r[lane] = max(r[lane], int64(out[2][lane])+rb, int64(out[3][lane])+ra)
		}
	}
}

// boundBinsOfTwo bounds the bins of a column, and returns the one of the largest bound.
func (t *histogramsOf[W]) boundBinsOfTwo(lane int, isRight int32, n0, n1 int64) bin {
	at := lane / lanes
	g := &t.groups[at]
	if !t.bounded[at] {
		t.bounded[at] = true
		from, to := g.base, g.base+g.bins*lanes
		bitvec.BoundBins(t.left.of[0][from:to], t.left.of[1][from:to], t.all.of[0][from:to], t.all.of[1][from:to], isRight < 0, n0, n1, t.right[from:to], t.before[from:to])
	}
	best, u := W(0), 0
	for i, right := 0, t.right[g.base+lane%lanes:g.base+len(t.columns[lane].ends)*lanes]; i < len(right); i += lanes {
		if right[i] > best {
			best, u = right[i], i
		}
	}
	return bin{int64(best), int32(u / lanes)}
}

// restOfTwo returns the other bins of a column whose bounds are above floor.
func (t *histogramsOf[W]) restOfTwo(lane int, best bin, floor int64) []bin {
	open, from := t.open[:0], t.groups[lane/lanes].base
	for i, right := 0, t.right[from+lane%lanes:from+len(t.columns[lane].ends)*lanes]; i < len(right); i += lanes {
		if x := int64(right[i]); x > floor && i != int(best.bin)*lanes {
			open = append(open, bin{x, int32(i / lanes)})
		}
	}
	return open
}

// walkBinOfTwo looks at the thresholds in a bin. It has no branch that depends on the items:
// which side one is on is as good as random. Where no threshold is it sees a difference of 0
// between the classes, which is a leaf.
func (t *histogramsOf[W]) walkBinOfTwo(c *column, u int, isRight int32, n0, n1, floor int64) int64 {
	from, to := c.span(u)
	list, moved, right := c.list[from:to], int64(t.moved), int64(isRight)
	y := int64(t.before[t.groups[c.lane/lanes].base+c.lane%lanes+u*lanes])
	items, useful := t.items, c.useful[from:to][:len(list)]
	highest, lowest := int64(0), int64(0)
	for j, e := range list {
		it := &items[e.Number()]
		y += int64(it.signed) & ((int64(it.position)-moved)>>63 ^ right)
		there := y & int64(useful[j])
		highest, lowest = max(highest, there), min(lowest, there)
	}
	return max(floor, highest+n1, n0-lowest)
}

// boundBins returns the bins of a column whose bounds are above floor, for any number of classes.
func (t *histogramsOf[W]) boundBins(lane int, isRight int32, floor int64) []bin {
	at := t.groups[lane/lanes].base + lane%lanes
	k := len(t.counts)
	sums, rest, in, left, all := t.sums[:k], t.rest[:k], t.in[:k], t.left.of[:k], t.all.of[:k] // C_c and N_c − C_c
	for c, y := range t.counts {
		if sums[c], rest[c] = 0, y; isRight < 0 {
			rest[c] = t.of.classes[c] - y
		}
	}
	mostLeft, mostRight := int64(0), most(rest) // of sums, and not below those of rest
	open := t.open[:0]
	for u := range t.columns[lane].ends {
		for c := range in {
			y := int64(left[c][at])
			if isRight < 0 {
				y = int64(all[c][at]) - y
			}
			in[c] = y
			sums[c] += y
			mostLeft = max(mostLeft, sums[c])
		}
		if mostLeft+mostRight > floor {
			if mostRight = most(rest); mostLeft+mostRight > floor {
				if right := bestPair(sums, rest); right > floor {
					open = append(open, bin{right, int32(u)})
					for c, y := range in {
						t.inFront[u*k+c] = sums[c] - y
					}
				}
			}
		}
		for c, y := range in {
			rest[c] -= y
		}
		at += lanes
	}
	return open
}

// walkBin is walkBinOfTwo for any number of classes.
func (t *histogramsOf[W]) walkBin(c *column, u int, isRight int32, floor int64) int64 {
	from, to := c.span(u)
	items := t.items
	sums, rest, k := t.sums, t.rest, len(t.counts)
	for c, y := range t.counts {
		if isRight < 0 {
			y = t.of.classes[c] - y
		}
		sums[c] = t.inFront[u*k+c]
		rest[c] = y - sums[c]
	}
	mostLeft, mostRight, at := most(sums), most(rest), int32(-1) // at: a class of mostRight
	for j, e := range c.list[from:to] {
		it := &items[e.Number()]
		if int32(int64(it.position-W(t.moved))>>63)^isRight != 0 {
			w, class := int64(it.signed), t.table.classOf(e)
			sums[class] += w
			mostLeft = max(mostLeft, sums[class])
			if rest[class] == mostRight {
				at = int32(class)
			}
			rest[class] -= w
		}
		if c.useful[int(from)+j] != 0 {
			if at >= 0 {
				mostRight, at = most(rest), -1
			}
			floor = max(floor, mostLeft+mostRight)
		}
	}
	return floor
}
