package numeric

import (
	"slices"

	"parcorels/bitvec"
)

// histograms counts weights by bin and column, and by class, of all items and of those on the left
// side. Those of small weights are of 32 bits, which vectors take.
type histograms interface {
	// weigh readies them for the items of a set.
	weigh()
	// countAll counts the items of the set, count more on the left or, with sign −1, fewer; and
	// both in counts. clear empties the left side.
	countAll(list []entry)
	count(list []entry, sign int)
	clear()
	// boundPair is described in scan.go, the others in refine.go.
	boundPair(a, b int)
	position(list []entry)
	boundBinsOfTwo(lane int, isRight int32, n0, n1, floor int64) []int32
	walkBinOfTwo(c *column, u int, isRight int32, n0, n1, floor int64) int64
	boundBins(lane int, isRight int32, floor int64) []int32
	walkBin(c *column, u int, isRight int32, floor int64) int64
}

// weight is a number that holds the weights of all items together.
type weight interface{ int32 | int64 }

// histogramsOf is histograms of a kind of weights.
type histogramsOf[W weight] struct {
	*twoLevel
	all, left [][]W // by class
	weight    []W   // by number of an item in the set; unless each weighs 1
	items     []item[W]
	scan      func(a, b, allA, allB []W, ends bool, out *[4][lanes]W) // bitvec.ScanBins
	out       [4][lanes]W
}

func newHistograms[W weight](t *twoLevel, cells int) *histogramsOf[W] {
	h := &histogramsOf[W]{twoLevel: t, scan: bitvec.ScanBinsGeneric[W]}
	if fast, ok := any(bitvec.ScanBins).(func(a, b, allA, allB []W, ends bool, out *[4][lanes]W)); ok {
		h.scan = fast
	}
	for range t.table.Classes {
		h.all, h.left = append(h.all, make([]W, cells)), append(h.left, make([]W, cells))
	}
	return h
}

// item is what a walk has to know of an item.
type item[W weight] struct {
	position int32 // in the order of the first column
	signed   W     // weight; of two classes, negative of class 1
}

// weigh gives items their weights.
func (t *histogramsOf[W]) weigh() {
	t.items, t.weight = slices.Grow(t.items[:0], t.n)[:t.n], t.weight[:0]
	if !t.plain {
		for _, item := range t.set.items {
			t.weight = append(t.weight, W(t.table.weight[item]))
		}
	}
	two := W(0)
	if len(t.counts) == 2 {
		two = 2
	}
	for _, e := range t.set.lists[0] {
		t.items[e.number()].signed = t.weightOf(e) * (1 - two*W(t.table.classOf(e)))
	}
}

func (t *histogramsOf[W]) weightOf(e entry) W {
	if t.plain {
		return 1
	}
	return t.weight[e.number()]
}

func (t *histogramsOf[W]) clear() {
	for _, x := range t.left {
		clear(x[:t.cells])
	}
}

func (t *histogramsOf[W]) countAll(list []entry) {
	for _, x := range t.all {
		clear(x[:t.cells])
	}
	t.tally(t.all, list, 1)
}

func (t *histogramsOf[W]) count(list []entry, sign int) { t.tally(t.left, list, W(sign)) }

// position tells items their places in a list.
func (t *histogramsOf[W]) position(list []entry) {
	for p, e := range list {
		t.items[e.number()].position = int32(p)
	}
}

// tally counts items in the histograms of their classes, and by class.
func (t *histogramsOf[W]) tally(h [][]W, list []entry, sign W) {
	k, rows, counts, mask, plain := len(t.used), t.rows, t.counts, int32(1)<<t.table.bits-1, t.plain
	for _, e := range list {
		class, w := e.key()&mask, sign
		if !plain {
			w *= t.weight[e.number()]
		}
		counts[class] += int64(w)
		x, row := h[class], rows[int(e.number())*k:][:k]
		for len(row) >= 4 {
			x[row[0]] += w
			x[row[1]] += w
			x[row[2]] += w
			x[row[3]] += w
			row = row[4:]
		}
		for _, at := range row {
			x[at] += w
		}
	}
}

// boundPair raises the bounds of lanes to what stumps get right that say a and b.
func (t *histogramsOf[W]) boundPair(a, b int) {
	l, r := &t.sides[0], &t.sides[1]
	out := &t.out
	for i := range t.groups {
		g := &t.groups[i]
		from, to := g.base, g.base+g.bins*lanes
		t.scan(t.left[a][from:to], t.left[b][from:to], t.all[a][from:to], t.all[b][from:to], g.exact, out)
		la, lb := t.counts[a], t.counts[b]
		ra, rb := t.set.classes[a]-la, t.set.classes[b]-lb
		for lane := range lanes {
			at := g.first + lane
			l.right[at] = max(l.right[at], int64(out[0][lane])+lb, int64(out[1][lane])+la)
			r.right[at] = max(r.right[at], int64(out[2][lane])+rb, int64(out[3][lane])+ra)
		}
	}
}

// boundBinsOfTwo bounds the bins of a column and returns those whose bounds are above floor.
func (t *histogramsOf[W]) boundBinsOfTwo(lane int, isRight int32, n0, n1, floor int64) []int32 {
	at, d := t.groups[lane/lanes].base+lane%lanes, int64(0)
	left0, left1, all0, all1 := t.left[0], t.left[1], t.all[0], t.all[1]
	bounds, open := t.bins[:len(t.columns[lane].ends)], t.open
	count := 0
	for u := range bounds {
		x0, x1 := int64(left0[at]), int64(left1[at])
		if isRight < 0 {
			x0, x1 = int64(all0[at])-x0, int64(all1[at])-x1
		}
		right := max(d+x0+n1, x1-d+n0)
		bounds[u] = bin{right, d}
		open[count] = int32(u)
		count += int(uint64(floor-right) >> 63) // 1 if it is above floor
		d += x0 - x1
		at += lanes
	}
	return open[:count]
}

// walkBinOfTwo looks at the thresholds in a bin. It has no branch that depends on the items:
// which side one is on is as good as random.
func (t *histogramsOf[W]) walkBinOfTwo(c *column, u int, isRight int32, n0, n1, floor int64) int64 {
	from, to := c.span(u)
	list, moved, y := c.list[from:to], int32(t.moved), t.bins[u].before
	useful := c.useful[from:to][:len(list)]
	for j, e := range list {
		it := &t.items[e.number()]
		y += int64(it.signed & W((it.position-moved)>>31^isRight))
		floor = max(floor, max(y+n1, n0-y)&int64(useful[j]))
	}
	return floor
}

// boundBins is boundBinsOfTwo for any number of classes.
func (t *histogramsOf[W]) boundBins(lane int, isRight int32, floor int64) []int32 {
	at := t.groups[lane/lanes].base + lane%lanes
	k := len(t.counts)
	sums, rest := t.sums, t.rest // C_c and N_c − C_c
	for c, y := range t.counts {
		if sums[c], rest[c] = 0, y; isRight < 0 {
			rest[c] = t.set.classes[c] - y
		}
	}
	bounds, count := t.bins[:len(t.columns[lane].ends)], 0
	for u := range bounds {
		copy(t.before[u*k:], sums)
		for c := range sums {
			y := int64(t.left[c][at])
			if isRight < 0 {
				y = int64(t.all[c][at]) - y
			}
			t.in[c] = y
			sums[c] += y
		}
		bounds[u].right = bestPair(sums, rest)
		if bounds[u].right > floor {
			t.open[count] = int32(u)
			count++
		}
		for c, y := range t.in {
			rest[c] -= y
		}
		at += lanes
	}
	return t.open[:count]
}

// walkBin is walkBinOfTwo for any number of classes.
func (t *histogramsOf[W]) walkBin(c *column, u int, isRight int32, floor int64) int64 {
	from, to := c.span(u)
	sums, rest, k := t.sums, t.rest, len(t.counts)
	for c, y := range t.counts {
		if isRight < 0 {
			y = t.set.classes[c] - y
		}
		sums[c] = t.before[u*k+c]
		rest[c] = y - sums[c]
	}
	mostLeft, mostRight, at := most(sums), most(rest), int32(-1) // at: a class of mostRight
	for j, e := range c.list[from:to] {
		it := &t.items[e.number()]
		if (it.position-int32(t.moved))>>31^isRight != 0 {
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
