package numeric

import "math/bits"

// part counts both sides of the place behind the first items of a column. The smaller one is
// counted, the other has the rest.
func (t *twoLevel) part(column, place int) {
	list := t.set.lists[column]
	smaller, side := list[:place], 0
	if 2*place > t.n {
		smaller, side = list[place:], 1
	}
	a, b := &t.sidesOf[side], &t.sidesOf[1-side]
	a.items, b.items = len(smaller), t.n-len(smaller)
	t.countSide(smaller, side)
	copy(a.classes, t.counts)
	a.weight, b.weight = 0, t.set.weight
	for c, x := range a.classes {
		b.classes[c] = t.set.classes[c] - x
		a.weight += x
		b.weight -= x
	}
	for p, e := range list {
		t.member[e.Number()] = int8((p - place) >> (bits.UintSize - 1)) // the left side
	}
	t.shown = 0
}

// show makes a side of the place the view.
func (t *twoLevel) show(side int) {
	if side != t.shown {
		for i, x := range t.member {
			t.member[i] = ^x
		}
		t.shown = side
	}
	t.of = t.sidesOf[side]
	t.showSide(side)
	t.ready()
}

// showAll makes all of the set the view.
func (t *twoLevel) showAll() {
	for i := range t.member {
		t.member[i] = -1
	}
	t.shown = 0
	t.of = view{t.set.classes, t.set.weight, t.n}
	t.showSide(-1)
	t.ready()
}

// ready bounds the view as a whole.
func (t *twoLevel) ready() {
	t.found, t.moved = choice{}, 0
	clear(t.counts)
	t.clear()
	_, t.whole = t.bounds()
}

// arrange lists the items of the view in the order of a column, with the places of that. It has no
// branch that depends on the items.
func (t *twoLevel) arrange(c *column) {
	order, member, count := t.order[:t.n], t.member, 0
	for _, e := range c.list {
		order[count] = e
		count -= int(member[e.Number()])
	}
	order = order[:count]
	places, place, shift := t.places[:count+1], 1, t.table.bits&31
	places[0] = 0
	before := order[0].Key() >> shift
	for i, e := range order {
		rank := e.Key() >> shift
		places[place] = int32(i)
		place -= int(different(rank, before))
		before = rank
	}
	places[place] = int32(count)
	t.order, t.places = order, places[:place+1]
	t.weights = t.weights[:0]
	if t.plain {
		return
	}
	sum, from := int64(0), int32(0)
	for _, p := range t.places {
		for _, e := range t.order[from:p] {
			sum += t.weightOf(t.set, e)
		}
		from = p
		t.weights = append(t.weights, sum)
	}
}
