package numeric

import (
	"cmp"
	"math"
	"slices"

	"parcorels/tree/price"
)

// A set with two levels left: the unit of work.
//
// For each column g the items are taken over from the right side to the left in the order of
// g. Both sides are then solved by a stump or a leaf. A histogram of the left side for each
// class, of few bins a column, bounds from below what any stump on either side errs
// (scan.go). It is looked at only at some places of g, the checkpoints; those between are
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

// twoLevel is the memory of a worker for sets with two levels left.
type twoLevel struct {
	*worker
	set    *set
	n      int   // its items
	serial int64 // of the node whose set it is

	columns    []column // those that part the set, by lane; lane.at < 0 fills a group up
	used       []int32  // lanes of columns
	groups     []group
	rows       []uint16 // by item, len(used) each: where it counts in a histogram
	cells      int      // of a histogram
	histograms          // of what

	member  []int8 // by number: −1 if it is in the view
	sidesOf [2]view
	shown   int // side that member tells from the other
	of      view

	made              []column
	sums, rest, in    []int64 // see refine.go
	maxBins, maxCells int
	hint              int     // column that was best in the last set
	firsts            []int64 // by column: lower bound of trees that split on it first

	// Of a sweep.
	open       []bin
	inFront    []int64 // of several classes, weights in front of each bin
	bounded    []bool  // by group: bins have bounds
	order      []entry // items of the view in the order of the first column
	positioned bool    // items know their positions in it
	places     []int32
	weights    []int64 // in front of each place, unless each item weighs 1
	moved      int     // items on the left
	counts     []int64 // weight on the left by class
	sides      [2]side
	budget     int64
	low        int64 // lower bound of the trees of all places
	found      choice
	whole      int64 // lower bound of the whole view as a stump or a leaf
}

// side is what is known of one side at a place.
type side struct {
	most   int64   // weight of its heaviest class
	weight int64   // of it
	right  []int64 // by lane: no stump on the column gets more weight right
	exact  []bool  // by lane: and one does
	hint   int     // lane that was best
}

// solve returns the value of the best tree of two levels of the view if that is below
// budget, and a lower bound of at least budget otherwise. Known are lower bounds of the trees that
// split on each column first (firsts.go), nil for none; t.firsts has better ones afterwards. The
// choice is that of the best tree, if the value is its.
func (t *twoLevel) solve(budget int64, known []int64) (int64, choice) {
	leaf := t.One(t.of.weight - most(t.of.classes))
	for h := range t.firsts {
		t.firsts[h] = price.Far // of a column that does not part the set
	}
	for _, lane := range t.used {
		h := t.columns[lane].at
		t.firsts[h] = 2 * t.Price
		if known != nil {
			t.firsts[h] = known[h]
		}
	}
	t.found = choice{}
	t.budget = min(budget, leaf)
	if t.budget <= 2*t.Price {
		return min(leaf, 2*t.Price), choice{leaf: true}
	}
	t.worker.countSet()
	if known == nil { // the column that was best in the last view
		at := max(0, slices.IndexFunc(t.used, func(l int32) bool { return t.columns[l].at == t.hint }))
		t.used[0], t.used[at] = t.used[at], t.used[0]
	} else {
		slices.SortStableFunc(t.used, func(a, b int32) int { return cmp.Compare(known[t.columns[a].at], known[t.columns[b].at]) })
	}
	for _, lane := range t.used {
		if !t.run.Running() {
			break
		}
		bound := &t.firsts[t.columns[lane].at]
		if *bound < t.budget {
			t.sweep(lane, false)
			*bound = max(*bound, t.low, t.budget)
		}
	}
	if t.found.place > 0 {
		t.hint = t.found.column
		return t.budget, t.found
	}
	return min(leaf, max(t.budget, slices.Min(t.firsts))), choice{leaf: true}
}

// move takes items over until so many are on the left.
func (t *twoLevel) move(items int) {
	if items > t.moved {
		t.count(t.order[t.moved:items], 1)
	} else {
		t.count(t.order[items:t.moved], -1)
	}
	t.moved = items
}

// sweep looks for a tree whose value is below the budget and that splits on the column of a
// lane first. With inOrder it ends at the smallest place of such a tree, which is then found,
// without making it the budget.
func (t *twoLevel) sweep(lane int32, inOrder bool) (found bool) {
	c := &t.columns[lane]
	t.low = price.Far
	if t.arrange(c); len(t.places) < 3 {
		return false
	}
	t.positioned, t.moved = false, 0
	clear(t.counts)
	t.clear()
	z := zone{inOrder: inOrder, column: c.at}
	step := int32(max(1, t.of.items/t.maxCells))
	last := len(t.places) - 1
	a := end{place: 0, left: t.Price, right: t.whole}
	for a.place < last {
		b := t.after(a)
		for b < last && t.places[b] < t.places[a.place]+step {
			b++
		}
		to, hit := end{place: last, left: t.whole, right: t.Price}, false
		if b < last {
			to, hit = t.look(b, &z)
		}
		if t.between(a, to, &z) || hit && inOrder && t.take(b, &z) {
			return true
		}
		a = to
	}
	return t.found.place > 0 && t.found.column == c.at
}

// end is a place with lower bounds of both sides.
type end struct {
	place       int
	left, right int64
	firsts      *firsts // nil if nothing is known
}

// zone is a sweep.
type zone struct {
	inOrder bool
	column  int
}

// look returns bounds at a place, which are exact if their sum is below the budget. That is
// then the new budget, unless the places are to be found in order.
func (t *twoLevel) look(place int, z *zone) (e end, hit bool) {
	t.move(int(t.places[place]))
	left, right := t.bounds()
	if left+right < t.budget {
		left, right = t.exactly(&t.sides[0]), t.exactly(&t.sides[1])
	}
	t.low = min(t.low, left+right)
	if hit = left+right < t.budget; hit && !z.inOrder {
		t.take(place, z)
		t.budget = left + right
	}
	return end{place: place, left: left, right: right}, hit
}

func (t *twoLevel) take(place int, z *zone) bool {
	t.found = choice{column: z.column, place: int(t.places[place])}
	return true
}

// between looks for places between two. It ends at the first one in order, if that is asked for.
func (t *twoLevel) between(a, b end, z *zone) bool {
	first, last := t.openBetween(a, b)
	if first > last {
		if b.place-a.place > 1 {
			t.low = min(t.low, lowBetween(t.weightBetween(a.place, b.place), a, b, t.Unit))
		}
		return false
	}
	middle := (first + last) / 2
	m, hit := t.look(middle, z)
	return t.between(a, m, z) || hit && z.inOrder && t.take(middle, z) || t.between(m, b, z)
}

// after returns the first place behind a that a's bounds leave open.
func (t *twoLevel) after(a end) int {
	skip := int64(math.MinInt64)
	if over := a.left + a.right - t.budget; over >= 0 {
		skip = over / t.Unit
	}
	p := a.place + 1
	for p < len(t.places)-1 && t.weightBetween(a.place, p) <= skip {
		p++
	}
	return p
}

// openBetween returns the first and the last place between two that bounds leave open.
func (t *twoLevel) openBetween(a, b end) (first, last int) {
	if a.left+b.right >= t.budget || b.left+a.right-t.Unit*t.weightBetween(a.place, b.place) >= t.budget {
		return 1, 0
	}
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
