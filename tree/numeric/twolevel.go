package numeric

import "slices"

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
	first, last := t.openBetween(a, b)
	if first > last {
		if b.place-a.place > 1 {
			t.low = min(t.low, boundBetween(t.weightBetween(a.place, b.place), a, b, t.Unit))
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

// openBetween returns the first and the last place between two that bounds leave open.
func (t *twoLevel) openBetween(a, b end) (first, last int) {
	if boundBetween(t.weightBetween(a.place, b.place), a, b, t.Unit) >= t.budget {
		return 1, 0
	}
	return t.openPlaces(a, b)
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
