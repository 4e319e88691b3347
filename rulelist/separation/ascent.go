package separation

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
)

// Dual ascent: a bound of a prefix without a linear program.
//
// The sets of the root's pool are gone through once, and the weight of each is
// raised as far as its points and the rules that are pure on it allow. So no load
// exceeds its cost, nothing is subtracted, and the bound is the sum of the weights.
// That each set is taken as far as it goes is greedy, but the order comes from the
// root's LP: first each set up to its weight there, then by the values v that the
// variables of its inequality have there, cheapest first (dual ascent as for facility
// location: Erlenkotter, Operations Research 1978). On noisy tables the
// bound is some 85% of the LP's, for a hundredth of the time.
//
// Weights are counted in quanta. The least cost of a point is a whole number of them, as most points have that cost: rounded
// down to a power of two it was 6 quanta for 6.25, and each point bore 4% less than it could. HELOC's 118 single conditions,
// λ = .005, took 904,722 prefixes with that and take 740,576. A rule's price has 64 to 512. The loads
// of all rules are bitvec.Counters: to raise a set by a quantum adds 1 to the counters of a mask
// of rules. They begin so that a rule that can bear no more overflows, and is full.
//
// Among thousands of sets, a prefix leaves some hundreds whole. Masks of the sets that each
// column touches tell which: those of the prefix's columns are taken out. A set with a point that bears no more is
// met and left: to take it out when that point is full takes as long.

const (
	leastQuanta = 64 // in a rule's price
	mostQuanta  = 512
	mostSets    = 1 << 14
)

// plan is what the ascents of all prefixes share.
type plan struct {
	p       *Problem
	quantum int64 // weight of one
	depth   int   // bits of a counter
	start   uint  // a counter where a rule bears nothing

	cost []int32 // by point, quanta

	// Masks have a bit for each rule that the root has left, so that fewer make them short.
	rules packing
	count int // of rules
	words int // of a mask

	// The sets, in the order in which they are raised, with what they have in the
	// pool: a prefix goes through all of them.
	sets      []int32
	first     []int32 // quanta of each in the root's LP
	begun     []int32 // those with any, by place
	from      []int32 // of each set, where its points begin
	point     []Point
	ends      [][2]Point // of each set, its first point and its last
	pure      []uint64   // a mask for each set
	columnsOf []uint64   // by set, the columns with a point of it, as a mask of counters

	// Masks have a bit for each set, by place.
	setWords int
	setsOf   []uint64 // by column, the sets with a point that it captures
	setsPure []uint64 // by rule, the sets that it is pure on
}

// evenPrice is what a rule adds to the order beside its v, in prices of a rule: of
// sets with the same v, that with the fewest pure rules is first.
const evenPrice = 0.001

func (r *Root) newPlan() *plan {
	p := r.P
	a := &plan{p: p}
	least := p.rule
	for _, c := range p.cost {
		if c > 0 {
			least = min(least, p.Scale*p.unit*c)
		}
	}
	a.quantum = max(least, p.rule/mostQuanta)
	for a.quantum > 1 && p.rule/a.quantum < leastQuanta {
		a.quantum /= 2
	}
	quanta := p.rule / a.quantum
	a.depth = bits.Len64(uint64(quanta))
	a.start = 1<<a.depth - uint(quanta)
	a.cost = make([]int32, len(p.cost))
	for e := range a.cost {
		a.cost[e] = int32(min(p.pointCost(Point(e))/a.quantum, 1<<30))
	}
	a.rules, a.count = newPacking(r.Context.Live)
	a.words = bitvec.CounterWords(a.count)
	a.sets = r.order()
	a.sets = a.sets[:min(len(a.sets), mostSets)]
	a.pure = make([]uint64, a.words*len(a.sets))
	pure := make([][]uint64, p.labels)
	for i, k := range a.sets {
		first := int32(r.y[k]*float64(quanta) + 0.5)
		if a.first = append(a.first, first); first > 0 {
			a.begun = append(a.begun, int32(i))
		}
		a.from = append(a.from, int32(len(a.point)))
		set := r.Pool.Set(k)
		a.point, a.ends = append(a.point, set...), append(a.ends, [2]Point{set[0], set[len(set)-1]})
		for q := range pure {
			pure[q] = r.Pool.pureOn(k, q)
		}
		a.rules.pack(a.pure[i*a.words:][:a.words], pure)
	}
	a.from = append(a.from, int32(len(a.point)))
	a.turn()
	return a
}

// order returns the sets of the pool in the order in which ascents raise them.
func (r *Root) order() []int32 {
	sets, shares := r.everySet(), r.s.shares(r.P, r.s.bestV)
	price := make([]float64, len(sets))
	for k := range price {
		price[k] = r.leftSide(int32(k), &shares, r.Context, evenPrice)
	}
	slices.SortStableFunc(sets, func(k, l int32) int { return cmp.Compare(price[k], price[l]) })
	return sets
}

// turn finds the sets that each column touches, and those that each rule is pure on.
func (a *plan) turn() {
	a.setWords = (len(a.sets) + 63) / 64
	a.setsOf = make([]uint64, len(a.p.Columns)*a.setWords)
	a.setsPure = make([]uint64, a.count*a.setWords)
	n := bitvec.CounterWords(len(a.p.Columns))
	a.columnsOf = make([]uint64, n*len(a.sets))
	for i := range a.sets {
		any := a.columnsOf[i*n:][:n]
		for _, e := range a.point[a.from[i]:a.from[i+1]] {
			bitvec.Or(any[:a.p.width], any, a.p.row(e))
		}
		a.mark(a.setsOf, any, i)
		a.mark(a.setsPure, a.pure[i*a.words:][:a.words], i)
	}
}

// mark notes a set in the rows of a mask's bits.
func (a *plan) mark(rows, mask []uint64, set int) {
	for at := range bitvec.Members(mask) {
		rows[at*a.setWords+set/64] |= 1 << (set % 64)
	}
}

// used is how many words of a mask have rules.
func (a *plan) used() int { return (a.count + 63) / 64 }

// ascent is one at a time, of a node.
type ascent struct {
	*plan
	value  int64    // quanta of all sets
	live   []uint64 // rules
	full   []uint64 // those that bear no more
	loads  bitvec.Counters
	spare  []int32         // by point, quanta that it bears yet
	open   []uint64        // the sets that may be raised yet, or have a point that bears no more
	y      []int32         // of each set, by place, quanta
	raised []int32         // the sets with any, by place
	touch  bitvec.Counters // of columns, the quanta of the sets that each touches
	masks  [2][]uint64     // of columns, for touches; the last is empty, as no count of touches is full
	work   int64           // words of masks looked at
}

func newAscent(a *plan) ascent {
	n, columns := a.words, bitvec.CounterWords(len(a.p.Columns))
	return ascent{
		plan: a, open: make([]uint64, a.setWords), live: make([]uint64, n), full: make([]uint64, n),
		spare: make([]int32, len(a.cost)), y: make([]int32, len(a.sets)),
		masks: [2][]uint64{make([]uint64, columns), make([]uint64, columns)},
	}
}

// run bounds the context of a prefix of columns, and stops as soon as the bound exceeds
// most quanta.
func (a *ascent) run(c *Context, prefix []Column, most int64) {
	a.begin(c, prefix)
	for _, i := range a.begun {
		if a.open[i/64]>>(i%64)&1 == 1 {
			a.raise(i, a.first[i])
		}
	}
	for i := 0; i < len(a.open) && a.value <= most; i++ {
		for m := a.borne(i); m != 0 && a.value <= most; {
			bit := bits.TrailingZeros64(m)
			a.raise(int32(i*64+bit), 1<<30)
			m &= a.open[i] & (^uint64(1) << bit) // a raise closes sets
		}
	}
}

// borne returns the open sets of a word whose ends bear more. On HELOC three of four have one that does not, in no order
// that a processor could predict. So nothing branches here.
func (a *ascent) borne(word int) (some uint64) {
	for m := a.open[word]; m != 0; m &= m - 1 {
		bit := bits.TrailingZeros64(m)
		e := &a.ends[word*64+bit]
		some |= uint64(uint32((a.spare[e[0]]-1)|(a.spare[e[1]]-1))>>31^1) << bit
	}
	a.work += int64(bits.OnesCount64(a.open[word] &^ some))
	return some
}

func (a *ascent) begin(c *Context, prefix []Column) {
	a.rules.pack(a.live, c.Live)
	clear(a.full)
	a.loads.Start(a.count, a.depth, a.start)
	copy(a.spare, a.cost) // a set with a point that is not left is not open
	for _, i := range a.raised {
		a.y[i] = 0
	}
	a.raised, a.value = a.raised[:0], 0
	for i := range a.open {
		a.open[i] = ^uint64(0)
	}
	if last := len(a.sets) % 64; last != 0 {
		a.open[len(a.open)-1] = 1<<last - 1
	}
	for _, col := range prefix {
		bitvec.AndNot(a.open, a.open, a.setsOf[int(col)*a.setWords:][:a.setWords])
	}
	a.work += int64(a.used()*(a.depth+16) + (len(prefix)+2)*a.setWords)
}

// raise raises the weight of an open set by so many quanta, if its points and rules
// bear them, or else by as many as they do.
func (a *ascent) raise(i, most int32) {
	pure := a.pure[a.words*int(i):][:a.words]
	points := a.point[a.from[i]:a.from[i+1]]
	for _, e := range points {
		most = min(most, a.spare[e])
	}
	if most == 0 {
		a.work++
		return
	}
	a.work += int64(a.used())/4 + 6
	n := int32(a.loads.Raise(pure, a.live, a.full, uint32(most)))
	if n == 0 {
		a.closeFull(pure)
		return
	}
	a.work += int64(a.used())*2 + 16
	for _, e := range points {
		a.spare[e] -= n
	}
	if a.y[i] == 0 {
		a.raised = append(a.raised, i)
	}
	a.y[i] += n
	a.value += int64(n)
}

// closeFull closes the sets of a full rule that keeps a set from being raised, so that it keeps
// no more of them. Most full rules never do. (votes from 1/500 takes 3.3 s with it, 4.4 without.)
func (a *ascent) closeFull(pure []uint64) {
	for rule := range bitvec.Common(a.full, pure) {
		bitvec.AndNot(a.open, a.open, a.setsPure[rule*a.setWords:][:a.setWords])
		a.work += int64(a.setWords) / 4
		return
	}
}

// weights appends the weights to w.
func (a *ascent) weights(w []Weight) []Weight {
	for _, i := range a.raised {
		w = append(w, Weight{a.sets[i], int64(a.y[i]) * a.quantum})
	}
	return w
}

// touches counts for each column the quanta of the sets that it touches. It reports
// false if there are too many.
func (a *ascent) touches(c *Context) bool {
	if a.value >= mostTouched {
		return false
	}
	live, full := a.masks[0], a.masks[1]
	copy(live, c.Live[0])
	for _, more := range c.Live[1:] {
		bitvec.Or(live[:len(more)], live[:len(more)], more)
	}
	a.touch.Start(len(a.p.Columns), bits.Len64(uint64(a.value|1)), 0)
	for _, k := range a.raised {
		a.touch.Raise(a.columnsOf[int(k)*len(live):][:len(live)], live, full, uint32(a.y[k]))
		a.work += int64(2*a.p.width) + 4
	}
	return true
}

// mostTouched bounds the counters of columns.
const mostTouched = 1 << 30

// touched returns what touches counted for a column.
func (a *ascent) touched(col int) int64 { return a.touch.Value(col) }
