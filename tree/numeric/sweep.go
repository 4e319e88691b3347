package numeric

import (
	"slices"
	"sort"

	"parcorels/tree/price"
)

// A sweep: the trees that split on one column first.
//
// Cells are sought one after the other. The first place of each is looked at, as far as what is
// known of the cell leaves it open and the place before does not bound it.

// move takes items over until so many are on the left, beginning with what is there, with
// none, or with all.
func (t *twoLevel) move(items int) {
	if n := len(t.order); 2*(n-items) < items-t.moved {
		t.moved = n
		copy(t.counts, t.of.classes)
		t.fill()
	} else if 2*items < t.moved-items {
		t.begun()
	}
	if items > t.moved {
		t.count(t.order[t.moved:items], 1)
	} else {
		t.count(t.order[items:t.moved], -1)
	}
	t.moved = items
}

// sweep looks for a tree whose value is below the budget and that splits on the column of a
// lane first. Unless stop is nil it ends at the smallest place of such a tree, which is then found,
// without making it the budget, or once stop says so.
func (t *twoLevel) sweep(lane int32, stop func() bool) (found bool) {
	c := &t.columns[lane]
	known := t.firstsOf(c.at)
	if t.arrange(c); len(t.places) < 3 {
		for q := range known {
			known[q] = price.Far
		}
		return false
	}
	t.positioned, t.near.level = false, 0
	t.begun()
	t.findCells(c)
	inOrder := stop != nil
	z := zone{c.at, stop}
	last := len(t.places) - 1
	if c.at == t.best.column && !inOrder { // a good tree early bounds the others
		t.look(1+sort.Search(last-2, func(i int) bool { return t.table.rank(t.order[t.places[1+i]]) >= t.best.rank }), &z)
	}
	a, open, before := end{place: 0, left: t.Price, right: t.whole}, true, 0 // before: the cell of a
	for q := range t.lows {
		from, to := t.starts[q], t.starts[q+1]
		t.lows[q] = price.Far
		if from == to {
			continue
		}
		if known[q] >= t.budget && !inOrder {
			t.lows[q] = known[q]
			if open {
				t.close(a, from, before, &z)
			}
			open = false
			continue
		}
		p := from
		if open {
			if p = max(p, t.after(a)); p >= to {
				continue
			}
		}
		b, hit := t.look(p, &z)
		t.lows[q] = b.left + b.right
		if open {
			if t.low = price.Far; t.between(a, b, &z) {
				return true
			}
			for x := before; x < q || x == q && p > from; x++ {
				t.lows[x] = min(t.lows[x], t.low)
			}
		}
		if hit && inOrder && t.take(p, &z) {
			return true
		}
		a, open, before = b, true, q
	}
	if open {
		t.low = price.Far
		if t.between(a, end{place: last, left: t.whole, right: t.Price}, &z) {
			return true
		}
		for x := before; x < len(t.lows); x++ {
			t.lows[x] = min(t.lows[x], t.low)
		}
	}
	next := price.Far // of the cell behind, which has the first place behind this one
	for q, low := range slices.Backward(t.lows) {
		known[q] = max(known[q], t.budget, min(low, next))
		if t.starts[q] < t.starts[q+1] {
			next = low
		}
	}
	return t.found.place > 0 && t.found.column == c.at
}

// close looks for places behind one and in front of another, in the cells from one on.
func (t *twoLevel) close(a end, to, from int, z *zone) {
	if a.place == to-1 {
		return
	}
	if t.low = t.budget; t.after(a) < to {
		b, _ := t.look(to-1, z)
		t.low = b.left + b.right
		t.between(a, b, z)
	}
	for x := from; x < len(t.lows) && t.starts[x] < to; x++ {
		t.lows[x] = min(t.lows[x], t.low)
	}
}

// findCells finds the places in each cell.
func (t *twoLevel) findCells(c *column) {
	t.starts = t.starts[:0]
	at, last := 1, len(t.places)-1
	for q := range t.cellCount {
		rank := c.cells[q]
		at += sort.Search(last-at, func(i int) bool { return t.table.rank(t.order[t.places[at+i]]) >= rank })
		t.starts = append(t.starts, at)
	}
	t.starts = append(t.starts, last)
}

// A set with two levels left: the unit of work.
//
// For each column g the items are taken over from the right side to the left in the order of
// g. Both sides are then solved by a stump or a leaf. A histogram of the left side for each
// class, of few bins a column, bounds from below what any stump on either side errs
// (set.go). It is looked at only at some places of g, the checkpoints; those between are
// bounded by what is known of the places around them (interval.go), and looked at where that
// does not do. Where the bounds of both sides stay below the budget the best bins are walked
// item by item (refine.go), so that the value is exact.
//
// # Bins
//
// A boundary between two neighbouring ranks is useful for a last split unless both have
// items of one and the same class. Bins end at useful boundaries. A column of at most
// maxBins of them has a bin for each, whose bound is exact; of more, a bin has about as many
// items as any other.

// solve returns the value of the best tree of two levels of the view if that is below
// budget, and a lower bound of at least budget otherwise. Known are lower bounds of the trees
// that split on each cell first (firsts.go), nil for none; t.firsts has better ones afterwards. The
// choice is that of the best tree, if the value is its.
func (t *twoLevel) solve(budget int64, known []int64) (int64, choice) {
	t.know(known)
	leaf := t.One(t.of.weight - slices.Max(t.of.classes))
	t.found = choice{}
	t.budget = min(budget, leaf)
	if t.budget <= 2*t.Price {
		return min(leaf, 2*t.Price), choice{leaf: true}
	}
	if low := t.atLeast(); low >= t.budget {
		return min(leaf, low), choice{leaf: true}
	}
	t.worker.countSet()
	least := t.least // by column
	if at := slices.IndexFunc(t.used, func(l int32) bool { return t.columns[l].at == t.best.column }); at >= 0 {
		lane := t.used[at]
		copy(t.used[1:at+1], t.used)
		t.used[0] = lane
	}
	for _, lane := range t.used {
		if !t.run.Running() {
			break
		}
		if h := t.columns[lane].at; least[h] < t.budget {
			t.sweep(lane, nil)
			least[h] = slices.Min(t.firstsOf(h))
		}
	}
	if t.found.place > 0 {
		return t.budget, t.found
	}
	return min(leaf, max(t.budget, slices.Min(least))), choice{leaf: true}
}

// zone is a sweep.
type zone struct {
	column int
	stop   func() bool // what is found means nothing then; nil unless places are to be found in order
}

// look returns bounds at a place, which are exact if their sum is below the budget. That is
// then the new budget, unless the places are to be found in order.
func (t *twoLevel) look(place int, z *zone) (e end, hit bool) {
	var left, right int64
	if t.near.level > 0 {
		left, right = t.nearby(place)
	} else {
		t.move(int(t.places[place]))
		t.roughly = t.rounds
		left, right = t.bounds()
		if t.roughly = false; t.rounds && left+right < t.budget {
			left, right = t.bounds()
		}
		if left+right < t.budget {
			t.near.walked = 0
			t.detail()
			left, right = t.exactly(&t.sides[0]), t.exactly(&t.sides[1])
			t.near.paid(&t.near.look)
		}
	}
	if hit = left+right < t.budget; hit && z.stop == nil {
		t.take(place, z)
		if t.budget = left + right; t.common != nil && t.run.Running() {
			t.common.take(t.budget, t.found)
		}
	}
	if t.common != nil {
		t.budget = min(t.budget, t.common.value.Load())
	}
	return end{place: place, left: left, right: right}, hit
}

func (t *twoLevel) take(place int, z *zone) bool {
	t.best = split{z.column, t.table.rank(t.order[t.places[place]])}
	t.found = choice{column: z.column, place: int(t.places[place])}
	return true
}

// between looks for places between two. It ends at the first one in order, if that is asked for.
func (t *twoLevel) between(a, b end, z *zone) bool {
	if !t.run.Running() || z.stop != nil && z.stop() { // what is found means nothing
		return true
	}
	bound, first, last := boundBetween(t.weightBetween(a.place, b.place), a, b, t.Unit), 1, 0
	if bound < t.budget {
		first, last = t.openPlaces(a, b)
	}
	if first > last { // bounds leave no place open
		if b.place-a.place > 1 {
			t.low = min(t.low, bound)
		}
		return false
	}
	level := t.near.level
	if t.worthwhile(a, b, first, last) {
		t.approach(a, b)
	}
	middle := (first + last) / 2
	m, hit := t.look(middle, z)
	t.low = min(t.low, m.left+m.right)
	found := t.between(a, m, z) || hit && z.stop != nil && t.take(middle, z) || t.between(m, b, z)
	t.near.level = level
	return found
}

// after returns the first place behind a that a's bounds leave open.
func (t *twoLevel) after(a end) int {
	first, _ := t.openPlaces(a, end{place: len(t.places) - 1})
	return first
}

// openPlaces is the function of that name with the places of the sweep.
func (t *twoLevel) openPlaces(a, b end) (first, last int) {
	if t.plain {
		return openPlaces(t.places, a, b, t.budget, t.Unit)
	}
	return openPlaces(t.weights, a, b, t.budget, t.Unit)
}

// weightBetween returns the weight between two places.
func (t *twoLevel) weightBetween(a, b int) int64 {
	if t.plain {
		return int64(t.places[b] - t.places[a])
	}
	return t.weights[b] - t.weights[a]
}

// take takes a tree if its value is smaller.
func (b *bestOfTwo) take(value int64, c choice) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if value < b.value.Load() {
		b.value.Store(value)
		b.choice = c
	}
}
