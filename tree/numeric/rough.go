package numeric

import "slices"

// Rough bounds of large weights.
//
// Weights of more than 30 bits together, such as costs of many digits, do not fit the numbers that vectors
// take. Beside their sums are those of weights that are rounded up, ⌈w / 2^s⌉. What a stump gets right
// weighs at most 2^s times the sum of these numbers, and no bound of such sums (set.go) is below
// it. So this is a bound, too. Together the numbers are at most a 2^s-th of all weight and 1 for each item, which
// fit. Only where the rough bound of a place is below the budget the sums of the weights themselves are scanned.

// rough is histograms of large weights, with those of rounded ones.
type rough struct {
	*histogramsOf[int64]
	rounded *histogramsOf[int32]
}

func newRough(t *twoLevel, cells, digits int) *rough {
	r := &rough{newHistograms[int64](t, cells), newHistograms[int32](t, cells)}
	r.rounded.counts, r.rounded.classes, r.rounded.digits = make([]int64, len(t.counts)), make([]int64, len(t.counts)), digits
	return r
}

func (r *rough) weigh() {
	r.histogramsOf.weigh()
	r.rounded.weigh()
}

func (r *rough) countAll(list []entry) {
	r.histogramsOf.countAll(list)
	r.rounded.countAll(list)
}

func (r *rough) countSide(list []entry, side int) {
	r.histogramsOf.countSide(list, side)
	r.rounded.countSide(list, side)
}

func (r *rough) showSide(side int) {
	r.histogramsOf.showSide(side)
	r.rounded.showSide(side)
	g := &r.groups[0]
	clear(r.rounded.classes)
	for class := range r.rounded.classes { // each item is in a bin of the first lane
		for bin := range g.rows {
			r.rounded.classes[class] += int64(r.rounded.all.of[class][g.base+bin*lanes])
		}
	}
}

func (r *rough) fill() {
	r.histogramsOf.fill()
	r.rounded.fill()
	copy(r.rounded.counts, r.rounded.classes)
}

func (r *rough) clear() {
	r.histogramsOf.clear()
	r.rounded.clear()
	clear(r.rounded.counts)
}

func (r *rough) count(list []entry, sign int) {
	r.histogramsOf.count(list, sign)
	r.rounded.count(list, sign)
}

// boundPair bounds what stumps get right on both sides that say a and b.
func (r *rough) boundPair(a, b int) (left, right int64) {
	if !r.roughly {
		return r.histogramsOf.boundPair(a, b)
	}
	x := r.rounded
	la, lb := x.counts[a], x.counts[b]
	x.inPair = [4]int32{int32(la), int32(lb), int32(x.classes[a] - la), int32(x.classes[b] - lb)}
	x.out = slices.Grow(x.out[:0], len(x.groups))[:len(x.groups)]
	left, right = x.scan(a, b, x.out)
	pair := r.counts[a] + r.counts[b]
	return min(left<<x.digits, pair), min(right<<x.digits, r.of.classes[a]+r.of.classes[b]-pair)
}
