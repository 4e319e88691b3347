package numeric

// From bounds to exact values: a bin whose bound is above what is known is walked item by item, for one
// pair of classes.

// Both sides are made exact, though less would show that their sum reaches the budget: the
// further it is above, the further away the next place to look at. With just enough, seven
// times as many places of a plateau were looked at.

// exactly returns the value of a side as a stump or a leaf.
func (t *twoLevel) exactly(x *side) int64 {
	leaf := t.One(x.weight - x.most)
	floor := x.most + t.Price/t.Unit // a stump that gets no more right does not pay for its leaf
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
			x.floor = max(floor, x.right[best])
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
// than floor, and floor otherwise. The pair of classes of the largest bound is looked at first.
func (t *twoLevel) walk(x *side, lane int, floor int64) int64 {
	t.position()
	isRight := int32(0)
	if x == &t.sides[1] {
		isRight = -1
	}
	for {
		best, p := floor, -1
		for i := range t.pairs {
			if y := x.pairs[i*len(t.columns)+lane]; y > best {
				best, p = y, i
			}
		}
		if p < 0 {
			return floor
		}
		x.pairs[p*len(t.columns)+lane] = 0
		floor = t.walkPair(lane, p, isRight, floor)
	}
}

// pair is two classes that a stump may say.
type pair struct{ a, b int }

// bin is a bin of a column: no stump with a threshold in it gets more right. Before it, the side has so much more weight
// of the first class of a pair than of the second.
type bin struct {
	right, before int64
	bin           int32
}
