package numeric

import "slices"

// Things made ready once for a set whose sides, at many places, are solved with two levels.

// span returns the items of a bin.
func (c *column) span(bin int) (from, to int32) {
	if bin > 0 {
		from = c.ends[bin-1]
	}
	return from, c.ends[bin]
}

// cellOf returns the cell of a bin in a histogram.
func (c *column) cellOf(bin int) int {
	if bin >= c.rows {
		return c.cell + (bin-c.rows)*lanes + lanes/2
	}
	return c.cell + bin*lanes
}

// binOf returns the bin of a cell.
func (c *column) binOf(cell int) int {
	bin := (cell - c.cell) / lanes
	if (cell-c.cell)%lanes != 0 {
		bin += c.rows
	}
	return bin
}

// begin makes bins and rows of a set, and shows it as a whole. It returns false if no column parts
// it.
func (t *twoLevel) begin(s *set) bool {
	t.base, t.serial = t.own, 0
	if !t.make(s, 1) {
		return false
	}
	t.start()
	return true
}

// makeRoot makes the base of all items by all workers, nil if no column parts them. The worker must not have begun a set.
func (t *twoLevel) makeRoot() *base {
	if t.base = t.own; !t.make(&t.search.root, t.o.Workers) {
		return nil
	}
	t.own = &base{}
	return t.base
}

// beginRoot is begin for all items, whose base is there, unless they were the last set.
func (t *twoLevel) beginRoot() bool {
	if b := t.search.whole; b != nil && t.serial != rootSerial {
		t.base, t.serial = b, rootSerial
		t.start()
	}
	return t.search.whole != nil
}

// make makes a base by so many workers. It returns false if no column parts the set.
func (t *twoLevel) make(s *set, workers int) bool {
	t.set, t.n = s, s.size()
	if t.mostBins = t.maxBins; t.o.maxBins == 0 {
		t.mostBins = min(t.mostBins, max(64, min(256, t.n/2), t.n/32))
	}
	t.makeColumns(workers)
	if len(t.inOrder) == 0 {
		return false
	}
	t.makeRows(workers)
	t.makeCells()
	return true
}

// start readies the memory of the worker for its base, and counts its items.
func (t *twoLevel) start() {
	t.weigh()
	t.countAll(t.set.lists[0])
	t.used = append(t.used[:0], t.inOrder...)
	for s := range t.sides {
		x := &t.sides[s]
		x.right = slices.Grow(x.right[:0], len(t.columns))[:len(t.columns)]
		x.exact = slices.Grow(x.exact[:0], len(t.columns))[:len(t.columns)]
	}
	t.lows = slices.Grow(t.lows[:0], t.cellCount)[:t.cellCount]
	t.member = slices.Grow(t.member[:0], t.n)[:t.n]
	t.order = slices.Grow(t.order[:0], t.n)[:t.n]
	t.places = slices.Grow(t.places[:0], t.n+2)[:t.n+2]
	for side := range t.sidesOf {
		v := &t.sidesOf[side]
		v.classes = append(v.classes[:0], make([]int64, t.table.Classes)...)
	}
	t.showAll()
	t.know(nil)
}

// makeCells parts the ranks of each column.
func (t *twoLevel) makeCells() {
	if t.cellCount = min(t.maxCells, t.n); t.maxCells == 0 {
		t.cellCount = min(64, max(1, t.n/64))
	}
	for _, lane := range t.inOrder {
		c := &t.columns[lane]
		c.cells = c.cells[:0]
		for q := range t.cellCount {
			c.cells = append(c.cells, t.table.rank(c.list[t.n*q/t.cellCount]))
		}
	}
}

// beginNode makes the set of a node ready, unless it was the last.
func (t *twoLevel) beginNode(n *node) {
	if n.serial == rootSerial {
		t.beginRoot()
	} else if t.serial != n.serial {
		t.begin(n.set)
		t.serial = n.serial
	}
}

// makeColumns finds useful boundaries and bins of all columns that part the set, and puts
// columns of as many bins side by side.
func (t *twoLevel) makeColumns(workers int) {
	t.inOrder = t.inOrder[:0]
	made := t.made[:0]
	for h, list := range t.set.lists {
		if t.table.rank(list[0]) == t.table.rank(list[t.n-1]) {
			continue
		}
		if len(made) == cap(made) {
			made = append(made, column{})
		} else {
			made = made[:len(made)+1]
		}
		c := &made[len(made)-1]
		c.at, c.list = h, list
	}
	t.made = made
	each(workers, len(made), func(i int) { t.makeColumn(&made[i]) })
	slices.SortStableFunc(made, func(a, b column) int {
		if a.exact != b.exact {
			if a.exact {
				return -1
			}
			return 1
		}
		return len(b.ends) - len(a.ends)
	})
	t.columns, t.groups, t.cells = t.columns[:0], t.groups[:0], 0
	for len(made) > 0 {
		count := 1
		for count < min(lanes, len(made)) && made[count].exact == made[0].exact {
			count++
		}
		g := group{base: t.cells, rows: len(made[0].ends), exact: made[0].exact, first: len(t.groups) * lanes, columns: count}
		if g.halves = t.halves(count); g.halves {
			g.rows = (g.rows + 1) / 2
		}
		for len(t.columns) < g.first {
			t.columns = append(t.columns, column{at: -1})
		}
		for i, c := range made[:count] {
			c.lane, c.cell, c.rows = g.first+i, g.base+i, g.rows
			t.inOrder = append(t.inOrder, int32(c.lane))
			t.columns = append(t.columns, c)
		}
		t.groups = append(t.groups, g)
		t.cells += g.rows * lanes
		made = made[count:]
	}
	// Columns are searched in their own order.
	slices.SortFunc(t.inOrder, func(a, b int32) int { return t.columns[a].at - t.columns[b].at })
}

// makeColumn finds useful boundaries and bins of a column. It has no branch that depends on the
// items, as their classes are as good as random.
func (t *twoLevel) makeColumn(c *column) {
	list, n := c.list, len(c.list)
	c.memory = slices.Grow(c.memory[:0], n+1)[:n+1]
	inFront := c.memory[:n] // inFront[i]: −1 if a useful boundary is in front of item i
	shift, mask := t.table.bits&31, int32(1)<<t.table.bits-1
	// A group of equal ranks begins at start with class first, which is its smallest. Only
	// means the class of the group before, if that has no other; else −1.
	key := list[0].Key()
	start, first, only := 0, key&mask, int32(-1)
	for i, e := range list {
		before := key
		key = e.Key()
		is := different(key>>shift, before>>shift) // all bits where a group begins
		only ^= (only ^ (before&mask | different(before&mask, first))) & is
		first ^= (first ^ key&mask) & is
		start ^= (start ^ i) & int(is)
		inFront[i] = 0
		inFront[start] |= int8(different(key&mask, only))
	}
	inFront[0] = 0
	blocks := 1
	for _, x := range inFront {
		blocks -= int(x)
	}
	c.memory[n] = -1 // the end: a leaf, which is no better than what a walk begins with
	c.useful = c.memory[1:]
	t.makeBins(c, blocks)
}

// different returns −1 for two different numbers, and 0 for equal ones.
func different(a, b int32) int32 {
	x := a ^ b
	return (x | -x) >> 31
}

// makeBins makes the bins of a column of so many blocks.
func (t *twoLevel) makeBins(c *column, blocks int) {
	n := len(c.list)
	c.exact = blocks <= t.mostBins
	least := 1 // items of a bin
	if !c.exact {
		least = (n + t.mostBins - 1) / t.mostBins
	}
	for {
		c.ends = c.ends[:0]
		for from := 0; from < n; {
			for from = min(from+least, n); c.useful[from-1] == 0; {
				from++
			}
			c.ends = append(c.ends, int32(from))
		}
		if c.exact || len(c.ends) <= t.mostBins {
			return
		}
		least += least/4 + 1
	}
}

// makeRows says where each item counts.
func (t *twoLevel) makeRows(workers int) {
	k := len(t.inOrder)
	t.rows = slices.Grow(t.rows[:0], t.n*k)[:t.n*k]
	each(workers, k, func(j int) {
		c := &t.columns[t.inOrder[j]]
		c.row = j
		from := int32(0)
		for bin, end := range c.ends {
			at := uint16(c.cellOf(bin))
			for _, e := range c.list[from:end] {
				t.rows[int(e.Number())*k+j] = at
			}
			from = end
		}
	})
	t.exact = t.exact[:0]
	for lane := range t.columns {
		t.exact = append(t.exact, t.groups[lane/lanes].exact)
	}
}
