package numeric

// From bounds to exact values: a bin whose bound is above what is known is walked item by item.

// Both sides are made exact, though less would show that their sum reaches the budget: the
// further it is above, the further away the next place to look at. With just enough, seven
// times as many places of a plateau were looked at.

// exactly returns the value of a side as a stump or a leaf.
func (t *twoLevel) exactly(x *side) int64 {
	leaf := t.One(x.weight - x.most)
	floor := x.most + t.Price/t.Unit // a stump that gets no more right does not pay for its leaf
	try := x.hint
	clear(t.bounded)
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
func (t *twoLevel) walk(x *side, lane int, floor int64) int64 {
	if !t.positioned {
		t.position(t.order)
		t.positioned = true
	}
	isRight := int32(0)
	if x == &t.sides[1] {
		isRight = -1
	}
	c, two := &t.columns[lane], len(t.counts) == 2
	var n0, n1 int64
	var open []bin
	if two {
		if n0, n1 = t.counts[0], t.counts[1]; isRight < 0 {
			n0, n1 = t.of.classes[0]-n0, t.of.classes[1]-n1
		}
		best := t.boundBinsOfTwo(lane, isRight, n0, n1)
		if best.right <= floor {
			return floor
		}
		floor = t.walkBinOfTwo(c, int(best.bin), isRight, n0, n1, floor)
		open = t.restOfTwo(lane, best, floor)
	} else {
		open = t.boundBins(lane, isRight, floor)
	}
	for {
		best, at, count := floor, -1, 0
		for _, b := range open { // those not above floor are left out
			if b.right > best {
				best, at = b.right, count
			}
			open[count] = b
			count += int(uint64(floor-b.right) >> 63)
		}
		if at < 0 {
			return floor
		}
		u := int(open[at].bin)
		if two {
			floor = t.walkBinOfTwo(c, u, isRight, n0, n1, floor)
		} else {
			floor = t.walkBin(c, u, isRight, floor)
		}
		open[at] = open[count-1]
		open = open[:count-1]
	}
}

// bin is a bin of a column: no stump with a threshold in it gets more right.
type bin struct {
	right int64
	bin   int32
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
