package numeric

// From bounds to exact values: a bin whose bound is above what is known is walked item by item.

// Both sides are made exact, though less would show that their sum reaches the budget: the
// further it is above, the further away the next place to look at. With just enough, seven
// times as many places of a plateau were looked at.

// exactly returns the value of a side as a stump or a leaf.
func (t *twoLevel[W]) exactly(x *side) int64 {
	leaf := t.One(x.weight - x.most)
	floor := x.most // a stump that gets no more right is of no use
	try := x.hint
	for {
		best := 0
		for lane, y := range x.right {
			if y > x.right[best] || y == x.right[best] && x.exact[lane] {
				best = lane
			}
		}
		if x.exact[best] || x.right[best] <= floor {
			x.hint = best
			return min(leaf, t.Two(x.weight-x.right[best]))
		}
		if try >= len(x.right) || x.exact[try] || x.right[try] <= floor {
			try = best
		}
		right := t.walk(x, try, floor)
		x.right[try], x.exact[try] = max(floor, right), right > floor
		floor = max(floor, right)
		try = best
	}
}

// walk returns the most that a stump on the column of a lane gets right, if that is more
// than floor, and floor otherwise. The bin of the largest bound is walked first.
func (t *twoLevel[W]) walk(x *side, lane int, floor int64) int64 {
	if !t.positioned {
		for p, e := range t.order {
			t.items[e.number()].position = int32(p)
		}
		t.positioned = true
	}
	isRight := int32(0)
	if x == &t.sides[1] {
		isRight = -1
	}
	c, bounds := &t.columns[lane], t.bins[:len(t.columns[lane].ends)]
	best := 0
	if len(t.counts) == 2 {
		n0, n1 := t.counts[0], t.counts[1]
		if isRight < 0 {
			n0, n1 = t.set.classes[0]-n0, t.set.classes[1]-n1
		}
		best = t.boundBinsOfTwo(lane, isRight, n0, n1, bounds)
		for floor < bounds[best].right {
			floor = t.walkBinOfTwo(c, best, isRight, n0, n1, floor)
			bounds[best].right = -1
			best = largest(bounds)
		}
		return floor
	}
	best = t.boundBins(lane, isRight, bounds)
	for floor < bounds[best].right {
		floor = t.walkBin(c, best, isRight, floor)
		bounds[best].right = -1
		best = largest(bounds)
	}
	return floor
}

// bin is what is known of a bin of a column.
type bin struct {
	right  int64 // no stump with a threshold in the bin gets more right
	before int64 // of two classes, C_0 − C_1 in front of it
}

func largest(bounds []bin) (best int) {
	for u := range bounds {
		if bounds[u].right > bounds[best].right {
			best = u
		}
	}
	return best
}

// boundBinsOfTwo bounds the bins of a column and returns the one of the largest bound.
func (t *twoLevel[W]) boundBinsOfTwo(lane int, isRight int32, n0, n1 int64, bounds []bin) (best int) {
	at, d := t.groups[lane/lanes].base+lane%lanes, int64(0)
	left0, left1, all0, all1 := t.left[0], t.left[1], t.all[0], t.all[1]
	for u := range bounds {
		x0, x1 := int64(left0[at]), int64(left1[at])
		if isRight < 0 {
			x0, x1 = int64(all0[at])-x0, int64(all1[at])-x1
		}
		bounds[u] = bin{max(d+x0+n1, x1-d+n0), d}
		if bounds[u].right > bounds[best].right {
			best = u
		}
		d += x0 - x1
		at += lanes
	}
	return best
}

// walkBinOfTwo looks at the thresholds in a bin. It has no branch that depends on the items:
// which side one is on is as good as random.
func (t *twoLevel[W]) walkBinOfTwo(c *column, u int, isRight int32, n0, n1, floor int64) int64 {
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
func (t *twoLevel[W]) boundBins(lane int, isRight int32, bounds []bin) (best int) {
	at := t.groups[lane/lanes].base + lane%lanes
	k := len(t.counts)
	sums, rest := t.sums, t.rest // C_c and N_c − C_c
	for c, y := range t.counts {
		if sums[c], rest[c] = 0, y; isRight < 0 {
			rest[c] = t.set.classes[c] - y
		}
	}
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
		if bounds[u].right > bounds[best].right {
			best = u
		}
		for c, y := range t.in {
			rest[c] -= y
		}
		at += lanes
	}
	return best
}

// walkBin is walkBinOfTwo for any number of classes.
func (t *twoLevel[W]) walkBin(c *column, u int, isRight int32, floor int64) int64 {
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

// bestPair returns the largest sums[a] + rest[b] of two classes a ≠ b.
func bestPair(sums, rest []int64) int64 {
	first, second, at := int64(-1), int64(-1), -1 // of rest
	for k, y := range rest {
		if y > first {
			first, second, at = y, first, k
		} else if y > second {
			second = y
		}
	}
	best := int64(0)
	for k, y := range sums {
		if k == at {
			best = max(best, y+second)
		} else {
			best = max(best, y+first)
		}
	}
	return best
}
