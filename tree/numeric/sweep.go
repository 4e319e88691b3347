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
