package numeric

import (
	"cmp"
	"math"
	"slices"

	"parcorels/bitvec"
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

// lanes is how many columns a scan does side by side.
const lanes = bitvec.BinLanes

// group is up to lanes columns of about as many bins.
type group struct {
	base  int // in a histogram: bin b of lane l is at base + b·lanes + l
	bins  int
	exact bool // every bin has one block
	first int  // lane of its first column, among those of all groups
}

// twoLevel is the memory of a worker for sets with two levels left.
type twoLevel struct {
	*worker
	set *set
	n   int // items

	columns    []column // those that part the set, by lane; lane.at < 0 fills a group up
	used       []int32  // lanes of columns
	groups     []group
	rows       []uint16 // by item, len(used) each: where it counts in a histogram
	cells      int      // of a histogram
	histograms          // of what

	made              []column
	sums, rest, in    []int64 // see refine.go
	maxBins, maxCells int
	hint              int     // column that was best in the last set
	firsts            []int64 // by column: lower bound of trees that split on it first

	// Of a sweep.
	bins       []bin   // see refine.go
	open       []int32 // bins
	before     []int64
	order      []entry // items in the order of the first column
	positioned bool    // items know their positions in it
	places     []int32
	weights    []int64 // in front of each place, unless each item weighs 1
	moved      int     // items on the left
	counts     []int64 // weight on the left by class
	sides      [2]side
	budget     int64
	low        int64 // lower bound of the trees of all places
	found      choice
	whole      int64 // lower bound of the whole set as a stump or a leaf
}

// side is what is known of one side at a place.
type side struct {
	most   int64   // weight of its heaviest class
	weight int64   // of it
	right  []int64 // by lane: no stump on the column gets more weight right
	exact  []bool  // by lane: and one does
	hint   int     // lane that was best
}

// span returns the items of a bin.
func (c *column) span(bin int) (from, to int32) {
	if bin > 0 {
		from = c.ends[bin-1]
	}
	return from, c.ends[bin]
}

// column is a column of the set.
type column struct {
	at     int     // index in the table
	lane   int     //
	places []int32 // see worker.places
	ends   []int32 // of each bin, in items
	useful []int8  // by item: −1 if a useful boundary, or nothing, is behind it, else 0
	exact  bool
	list   []entry // of the set
	memory []int8  // of useful
}

// solveTwo returns the value of the best tree of two levels of a set if that is below
// budget, and a lower bound of at least budget otherwise. Known are lower bounds of the trees that
// split on each column first (firsts.go), nil for none; t.firsts has better ones afterwards.
func (t *twoLevel) solveTwo(s *set, budget int64, known []int64) int64 {
	leaf, _ := t.leafValue(s)
	s.best = choice{leaf: true}
	t.whole = t.Price
	for h := range t.firsts {
		t.firsts[h] = 2 * t.Price
	}
	copy(t.firsts, known)
	t.budget = min(budget, leaf)
	if t.budget <= 2*t.Price {
		return min(leaf, 2*t.Price)
	}
	if !t.begin(s) {
		return leaf
	}
	t.countSet()
	if known == nil { // the column that was best in the last set
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
		s.best = t.found
		t.hint = t.found.column
		return t.budget
	}
	return min(leaf, max(t.budget, slices.Min(t.firsts)))
}

// begin makes bins and rows of a set. It returns false if no column parts it.
func (t *twoLevel) begin(s *set) bool {
	t.set, t.n, t.found = s, s.size(), choice{}
	t.weigh()
	t.makeColumns()
	if len(t.used) == 0 {
		return false
	}
	t.makeRows()
	t.moved = 0
	clear(t.counts)
	t.clear()
	_, t.whole = t.bounds()
	return true
}

// makeColumns finds places, useful boundaries and bins of all columns that part the set, and
// puts columns of as many bins side by side.
func (t *twoLevel) makeColumns() {
	t.used = t.used[:0]
	made := t.made[:0]
	for h, list := range t.set.lists {
		if t.table.rank(list[0]) == t.table.rank(list[t.n-1]) {
			t.firsts[h] = price.Far
			continue
		}
		if len(made) == cap(made) {
			made = append(made, column{})
		} else {
			made = made[:len(made)+1]
		}
		c := &made[len(made)-1]
		c.at = h
		t.makeColumn(c, list)
	}
	t.made = made
	slices.SortStableFunc(made, func(a, b column) int {
		if a.exact != b.exact {
			if a.exact {
				return -1
			}
			return 1
		}
		return len(b.ends) - len(a.ends)
	})
	t.columns, t.groups, t.cells = t.columns[:0], t.groups[:0], 0
	for i := range made {
		c := made[i]
		last := len(t.groups) - 1
		if last < 0 || t.groups[last].exact != c.exact || len(t.columns) == t.groups[last].first+lanes {
			for last >= 0 && len(t.columns) < t.groups[last].first+lanes {
				t.columns = append(t.columns, column{at: -1})
			}
			t.groups = append(t.groups, group{base: t.cells, bins: len(c.ends), exact: c.exact, first: len(t.columns)})
			t.cells += len(c.ends) * lanes
		}
		c.lane = len(t.columns)
		t.used = append(t.used, int32(c.lane))
		t.columns = append(t.columns, c)
	}
	if len(t.groups) > 0 {
		for len(t.columns) < t.groups[len(t.groups)-1].first+lanes {
			t.columns = append(t.columns, column{at: -1})
		}
	}
	// Columns are searched in their own order.
	slices.SortFunc(t.used, func(a, b int32) int { return t.columns[a].at - t.columns[b].at })
}

// makeColumn finds places, useful boundaries and bins of a column. It has no branch that depends
// on the items, as their classes are as good as random.
func (t *twoLevel) makeColumn(c *column, list []entry) {
	n := len(list)
	c.list = list
	c.memory = slices.Grow(c.memory[:0], n+1)[:n+1]
	c.places = slices.Grow(c.places[:0], n+1)[:n+1]
	inFront, places := c.memory[:n], c.places // inFront[i]: −1 if a useful boundary is in front of item i
	shift, mask := t.table.bits&31, int32(1)<<t.table.bits-1
	// A group of equal ranks begins at start with class first, which is its smallest. Only
	// means the class of the group before, if that has no other; else −1.
	key := list[0].key()
	start, first, only, count := 0, key&mask, int32(-1), 0
	for i, e := range list {
		before := key
		key = e.key()
		is := different(key>>shift, before>>shift) // all bits where a group begins
		only ^= (only ^ (before&mask | different(before&mask, first))) & is
		first ^= (first ^ key&mask) & is
		start ^= (start ^ i) & int(is)
		places[count+1] = int32(i) // that the next group overwrites
		count -= int(is)
		inFront[i] = 0
		inFront[start] |= int8(different(key&mask, only))
	}
	places[0], places[count+1] = 0, int32(n)
	c.places = places[:count+2]
	inFront[0] = 0
	blocks := 1
	for _, x := range inFront {
		blocks -= int(x)
	}
	c.memory[n] = -1 // the end: a leaf, which is no better than what a walk begins with
	c.useful = c.memory[1:]
	t.makeBins(c, blocks)
}

// different returns −1 for two different numbers, and 0 for equal ones.
func different(a, b int32) int32 {
	x := a ^ b
	return (x | -x) >> 31
}

// makeBins makes the bins of a column of so many blocks.
func (t *twoLevel) makeBins(c *column, blocks int) {
	n := len(c.list)
	c.exact = blocks <= t.maxBins
	least := 1 // items of a bin
	if !c.exact {
		least = (n + t.maxBins - 1) / t.maxBins
	}
	for {
		c.ends = c.ends[:0]
		for from := 0; from < n; {
			to := min(from+least, n) - 1
			begin := to // of the block of item to
			for begin > from && c.useful[begin-1] == 0 {
				begin--
			}
			for c.useful[to] == 0 {
				to++
			}
			if to++; to-begin >= least && begin > from { // what is in front of a heavy block gets a bin
				c.ends = append(c.ends, int32(begin))
			}
			c.ends = append(c.ends, int32(to))
			from = to
		}
		if c.exact || len(c.ends) <= t.maxBins {
			return
		}
		least += least/4 + 1
	}
}

// makeRows says where each item counts, and counts all.
func (t *twoLevel) makeRows() {
	k := len(t.used)
	t.rows = slices.Grow(t.rows[:0], t.n*k)[:t.n*k]
	for j, lane := range t.used {
		c := &t.columns[lane]
		g := &t.groups[int(lane)/lanes]
		from := int32(0)
		for bin, end := range c.ends {
			at := uint16(g.base + bin*lanes + int(lane)%lanes)
			for _, e := range c.list[from:end] {
				t.rows[int(e.number())*k+j] = at
			}
			from = end
		}
	}
	t.countAll(t.set.lists[0])
	for s := range t.sides {
		x := &t.sides[s]
		x.right = slices.Grow(x.right[:0], len(t.columns))[:len(t.columns)]
		x.exact = slices.Grow(x.exact[:0], len(t.columns))[:len(t.columns)]
	}
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
	if len(c.places) < 3 {
		return false
	}
	t.order, t.places, t.positioned = c.list, c.places, false
	if !t.plain {
		t.weights = t.worker.weights(t.set, c.at, t.places, t.weights[:0])
	}
	t.moved = 0
	clear(t.counts)
	t.clear()
	t.low = price.Far
	z := zone{inOrder: inOrder, column: c.at}
	step := int32(max(1, t.n/t.maxCells))
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
