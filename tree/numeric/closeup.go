package numeric

import "slices"

// Close-ups: many places to look at that are near each other.
//
// Let a < b be places of a sweep and p one between them. The items between a and b are called the
// few, of weight w(a, b). A stump gets at most w(a, p) more right on the left side of p than of
// a. One that gets r right on the left side of b gets r − w(p, b) right at least on that of p. So
// a stump that gets no more than r − w(a, b) right at a is no better than that one at any p. Bins
// whose bounds at a are no larger are left out. For right sides a and b change places.
//
// In the bins that remain, all items but the few stay on their side. They are summed up in
// runs between the few, with the largest and the smallest sum at a useful boundary. A place then
// costs as many steps as there are few, not as many as the bins have items. Its value is
// exact. A close-up of an interval within is made from that of the whole.
//
// A large set has many places near the best one, and without close-ups each costs as much as the bins
// that are walked have items: on 10^6 rows most of the time.

// A close-up is made where about leastLooks places are to be looked at, and where that costs
// gain times as much. No more than mostLooks are believed. The few weigh a share of all at most.
const leastLooks, mostLooks, gain, share = 16, 64, 4, 128

// worthwhile says whether a close-up pays for the places between two that are open.
func (t *twoLevel) worthwhile(a, b end, first, last int) bool {
	weight := t.weightBetween(first-1, last)
	looks := weight / (1 + max(0, a.left+a.right+b.left+b.right-2*t.budget)/(2*t.Unit))
	return looks >= leastLooks && share*weight <= t.of.weight && min(looks, mostLooks)*t.near.look >= gain*t.near.closeUp || t.o.closeUps
}

// paid adds what was walked to a mean.
func (n *near) paid(mean *int64) {
	*mean += (n.walked - *mean) / 16
	n.walked = 0
}

// approach makes a close-up of the items between two places.
func (t *twoLevel) approach(a, b end) {
	n, from, to := &t.near, int(t.places[a.place]), int(t.places[b.place])
	n.level++
	t.beginCloseUp(from, to)
	if n.level > 1 {
		return
	}
	for side, items := range [2]int{to, from} {
		t.move(items)
		t.bounds()
		t.detail()
		t.exactly(&t.sides[side])
		n.floors[side] = t.sides[side].floor
	}
	n.a, n.b, n.walked = a.place, b.place, 1000
	weight := t.weightBetween(n.a, n.b)
	t.magnify(0, n.floors[0]-weight)
	t.move(to)
	t.magnify(1, n.floors[1]-weight)
	n.paid(&n.closeUp)
	n.moved, n.counts = to, append(n.counts[:0], t.counts...)
}

// nearby returns the values of both sides of a place in the close-up.
func (t *twoLevel) nearby(place int) (left, right int64) {
	n, items := &t.near, int(t.places[place])
	for ; n.moved < items; n.moved++ {
		t.pass(n.moved, 1)
	}
	for ; n.moved > items; n.moved-- {
		t.pass(n.moved-1, -1)
	}
	n.best = [2]int64{n.floors[0] - t.weightBetween(place, n.b), n.floors[1] - t.weightBetween(n.a, place)}
	t.walkStrips(items)
	var weight, l, r int64 // l and r are of the heaviest classes
	for c, x := range n.counts {
		weight += x
		l, r = max(l, x), max(r, t.of.classes[c]-x)
	}
	rest := t.of.weight - weight
	return min(t.One(weight-l), t.Two(weight-n.best[0])), min(t.One(rest-r), t.Two(rest-n.best[1]))
}

// pass counts an item that changes sides.
func (t *twoLevel) pass(position int, sign int64) {
	e := t.order[position]
	t.near.counts[t.table.classOf(e)] += sign * t.weightOf(t.set, e)
}

// beginCloseUp begins with no strips, or narrows those of the level above.
func (t *histogramsOf[W]) beginCloseUp(from, to int) {
	for len(t.closeUps) < t.near.level {
		far := W(1)
		for int64(far) < 1<<61 && 2*far > far {
			far = 2*far + 1
		}
		t.closeUps = append(t.closeUps, &closeUp[W]{far: far})
	}
	x := t.closeUps[t.near.level-1]
	x.strips, x.steps, x.from, x.to = x.strips[:0], x.steps[:0], W(from), W(to)
	if t.near.level > 1 {
		for _, s := range t.closeUps[t.near.level-2].strips {
			x.narrow(s)
		}
	}
}

// newRun begins a run.
func (x *closeUp[W]) newRun() { x.run = run[W]{-x.far, x.far, 0} }

// meet ends a run with one of the few.
func (x *closeUp[W]) meet(few, weight W) {
	x.steps = append(x.steps, step[W]{x.run, few, weight})
	x.newRun()
}

// end ends a strip that began with so many steps.
func (x *closeUp[W]) end(begin, side int, p pair) {
	x.meet(0, 0)
	x.strips = append(x.strips, strip[W]{side, p, x.steps[begin:]})
}

// narrow makes a strip from one in which more items are among the few.
func (x *closeUp[W]) narrow(of strip[W]) {
	begin := len(x.steps)
	x.newRun()
	for _, s := range of.steps {
		x.run.highest = max(x.run.highest, W(max(-int64(x.far), int64(x.run.sum)+int64(s.highest))))
		x.run.lowest = min(x.run.lowest, W(min(int64(x.far), int64(x.run.sum)+int64(s.lowest))))
		x.run.sum += s.sum
		switch {
		case s.weight == 0:
		case s.few >= x.from && s.few < x.to:
			x.meet(s.few, s.weight)
		case s.few < x.from == (of.side == 0): // it stays on the side
			x.run.sum += s.weight
		}
	}
	x.end(begin, of.side, of.pair)
}

// magnify makes the strips of a side from bins, at the end of the interval where it is smaller.
func (t *histogramsOf[W]) magnify(side int, floor int64) {
	t.position()
	for a := 1; a < len(t.counts); a++ {
		for b := range a {
			na, nb := t.counts[a], t.counts[b]
			if side == 1 {
				na, nb = t.of.classes[a]-na, t.of.classes[b]-nb
			}
			if na+nb <= floor {
				continue
			}
			t.sign[a], t.sign[b] = 1, -1
			for i := range t.columns {
				c := &t.columns[i]
				t.makeStrip(c, side, pair{a, b}, t.boundBins(c, pair{a, b}, side == 1, na, nb), floor)
			}
			t.sign[a], t.sign[b] = 0, 0
		}
	}
}

// makeStrip makes the strip of a column if one of its bins is above floor.
func (t *histogramsOf[W]) makeStrip(c *column, side int, p pair, bins []bin, floor int64) {
	for len(bins) > 0 && bins[len(bins)-1].right <= floor {
		bins = bins[:len(bins)-1]
	}
	if len(bins) == 0 {
		return
	}
	x := t.closeUps[0]
	t.sortFew(c, x)
	begin, sum := len(x.steps), W(0) // of all in front of a bin but the few
	x.newRun()
	for u, b := range bins {
		if b.right > floor {
			x.run.sum += W(b.before) - sum
			sum = W(b.before) + t.magnifyBin(x, c, u, side)
			continue
		}
		for i := t.heads[u]; i >= 0; i = t.nexts[i] {
			if w := t.signed(t.order[int(x.from)+int(i)]); w != 0 {
				x.meet(x.from+W(i), w)
			}
		}
	}
	x.end(begin, side, p)
}

// signed returns the weight of an item with the sign of its class.
func (t *histogramsOf[W]) signed(e entry) W {
	w := W(t.sign[e.Key()&(1<<t.table.bits-1)])
	if len(t.weight) > 0 {
		w *= t.weight[e.Number()]
	}
	return w
}

// sortFew lists the few of each bin of a column.
func (t *histogramsOf[W]) sortFew(c *column, x *closeUp[W]) {
	t.heads = slices.Grow(t.heads[:0], len(c.ends))[:len(c.ends)]
	for u := range t.heads {
		t.heads[u] = -1
	}
	few := t.order[x.from:x.to]
	t.nexts = slices.Grow(t.nexts[:0], len(few))[:len(few)]
	for i, e := range few {
		u := c.binOf(int(t.rows[int(e.Number())*len(t.inOrder)+c.row]))
		t.nexts[i], t.heads[u] = t.heads[u], int32(i)
	}
}

// magnifyBin appends the items of a bin, and returns the sum of all but the few.
func (t *histogramsOf[W]) magnifyBin(x *closeUp[W], c *column, u, side int) W {
	from, to := c.span(u)
	t.near.walked += int64(to - from)
	list, useful := c.list[from:to], c.useful[from:to]
	first, count := int32(0), int64(x.from) // of the positions that stay on the side
	if side == 1 {
		first, count = int32(x.to), int64(len(t.order))-int64(x.to)
	}
	r, far, sum := x.run, x.far, W(0)
	fewFirst, fewCount := int32(x.from), int64(x.to)-int64(x.from)
	for j, e := range list {
		w, position := t.signed(e), t.positions[e.Number()]
		there := w & W(sideOf(position, first, count))
		r.sum += there
		sum += there
		if w&W(sideOf(position, fewFirst, fewCount)) != 0 {
			x.run = r
			x.meet(position, w)
			r = x.run
		}
		is := W(useful[j])
		r.highest, r.lowest = max(r.highest, r.sum&is-far&^is), min(r.lowest, r.sum&is+far&^is)
	}
	x.run = r
	return sum
}

// walkStrips raises what stumps on both sides get right, with so many items on the left.
func (t *histogramsOf[W]) walkStrips(items int) {
	best := &t.near.best
	for _, s := range t.closeUps[t.near.level-1].strips {
		na, nb, isRight := t.near.counts[s.pair.a], t.near.counts[s.pair.b], -int64(s.side)
		if isRight < 0 {
			na, nb = t.of.classes[s.pair.a]-na, t.of.classes[s.pair.b]-nb
		}
		y, highest, lowest := int64(0), int64(0), int64(0)
		for i := range s.steps {
			x := &s.steps[i]
			highest, lowest = max(highest, y+int64(x.highest)), min(lowest, y+int64(x.lowest))
			y += int64(x.sum) + int64(x.weight)&((int64(x.few)-int64(items))>>63^isRight)
		}
		best[s.side] = max(best[s.side], highest+nb, na-lowest)
	}
}
