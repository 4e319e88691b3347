package numeric

// From bounds to exact values: a bin whose bound is above what is known is walked item by item.

// refine raises the bounds of both sides until they are exact, or their sum reaches the
// budget. That of the right side is given.
func (t *twoLevel[W]) refine(right int64) (left, _ int64) {
	left = t.exactly(&t.sides[0], right)
	if left+right < t.budget {
		right = t.exactly(&t.sides[1], left)
	}
	return left, right
}

// exactly returns the value of a side as a stump or a leaf if that and the other side's bound are
// below the budget, and a lower bound otherwise.
func (t *twoLevel[W]) exactly(x *side, other int64) int64 {
	leaf := t.One(x.weight - x.most)
	// A stump that gets less right than this is of no use.
	floor := x.most
	if enough := t.budget - other - 2*t.Price; enough <= 0 {
		floor = x.weight
	} else {
		floor = max(floor, x.weight-(enough-1)/t.Unit-1)
	}
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
// than floor, and floor or less otherwise.
func (t *twoLevel[W]) walk(x *side, lane int, floor int64) int64 {
	if len(t.counts) == 2 {
		return t.walkTwo(x, lane, floor)
	}
	return t.walkMany(x, lane, floor)
}

func (t *twoLevel[W]) walkTwo(x *side, lane int, floor int64) int64 {
	c := &t.columns[lane]
	at := t.groups[lane/lanes].base + lane%lanes
	n0, n1 := t.counts[0], t.counts[1]
	isRight := x == &t.sides[1]
	if isRight {
		n0, n1 = t.set.classes[0]-n0, t.set.classes[1]-n1
	}
	d, from := int64(0), int32(0) // C_0 − C_1
	for _, end := range c.ends {
		x0, x1 := int64(t.left[0][at]), int64(t.left[1][at])
		if isRight {
			x0, x1 = int64(t.all[0][at])-x0, int64(t.all[1][at])-x1
		}
		if d+x0+n1 > floor || x1-d+n0 > floor {
			y := d
			useful := c.useful[from:end]
			for j, i := range c.ordered[from:end] {
				if t.order == nil || int(t.position[i]) < t.moved != isRight {
					if t.class[i] == 0 {
						y += int64(t.weight[i])
					} else {
						y -= int64(t.weight[i])
					}
				}
				if useful[j] {
					floor = max(floor, y+n1, n0-y)
				}
			}
		}
		d += x0 - x1
		from = end
		at += lanes
	}
	return floor
}

func (t *twoLevel[W]) walkMany(x *side, lane int, floor int64) int64 {
	c := &t.columns[lane]
	at := t.groups[lane/lanes].base + lane%lanes
	isRight := x == &t.sides[1]
	sums, rest, in := t.sums, t.rest, t.in // C_c, N_c − C_c and the weight of the bin
	clear(sums)
	for k, y := range t.counts {
		if rest[k] = y; isRight {
			rest[k] = t.set.classes[k] - y
		}
	}
	from := int32(0)
	for _, end := range c.ends {
		for k := range in {
			in[k] = int64(t.left[k][at])
			if isRight {
				in[k] = int64(t.all[k][at]) - in[k]
			}
			sums[k] += in[k]
		}
		if bestPair(sums, rest) > floor {
			floor = t.walkBin(c, from, end, isRight, floor)
		} else {
			for k := range in {
				rest[k] -= in[k]
			}
		}
		from = end
		at += lanes
	}
	return floor
}

// walkBin walks one bin, whose weight is in sums already, and takes it out of rest.
func (t *twoLevel[W]) walkBin(c *column, from, end int32, isRight bool, floor int64) int64 {
	sums, rest := t.sums, t.rest
	for k, y := range t.in {
		sums[k] -= y
	}
	useful := c.useful[from:end]
	for j, i := range c.ordered[from:end] {
		if t.order == nil || int(t.position[i]) < t.moved != isRight {
			w := int64(t.weight[i])
			sums[t.class[i]] += w
			rest[t.class[i]] -= w
		}
		if useful[j] {
			floor = max(floor, most(sums)+most(rest))
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
