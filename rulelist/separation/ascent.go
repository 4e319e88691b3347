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
// Weights are counted in quanta, of which a rule's price has 32 to 63. The loads
// of all rules are counters in bit planes, a plane having one bit of every rule's
// load: to raise a set by a quantum adds 1 to the counters of a mask of rules. They
// begin so that a rule that can bear no more overflows, and is full.
//
// Of thousands of sets a prefix leaves some hundreds whole. Masks of the sets that each
// column touches tell which: those of the prefix's columns are taken out, and so are the sets
// of each point that bears no more.

// leastQuanta is the least number of quanta in a rule's price.
const (
	leastQuanta = 32
	pointQuanta = 4
	mostQuanta  = 512
	mostSets    = 1 << 14
)

// plan is what the ascents of all prefixes share.
type plan struct {
	p     *Problem
	shift uint // a quantum is 1<<shift
	depth int  // planes of a counter
	start uint // a counter where a rule bears nothing

	cost []int32 // by point, quanta

	// Masks have a bit for each rule that the root has left, so that fewer make them short.
	rules []int32
	words int // of a mask

	// The sets, in the order in which they are raised, with what they have in the
	// pool: a prefix goes through all of them.
	sets  []int32
	first []int32 // quanta of each in the root's LP
	begun []int32 // those with any, by place
	from  []int32 // of each set, where its points begin
	point []Point
	pure  []uint64 // a mask for each set

	// Masks have a bit for each set, by place.
	setWords int
	setsOf   []uint64 // by column, the sets with a point that it captures
	begins   []int32  // of each point, where its sets begin in holds
	holds    []int32
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
	for p.rule>>a.shift >= 2*mostQuanta || p.rule>>a.shift >= 2*leastQuanta && least>>a.shift >= 2*pointQuanta {
		a.shift++
	}
	quanta := p.rule >> a.shift
	a.depth = bits.Len64(uint64(quanta))
	a.start = 1<<a.depth - uint(quanta)
	a.cost = make([]int32, len(p.cost))
	for e := range a.cost {
		a.cost[e] = int32(min(p.pointCost(Point(e))>>a.shift, 1<<30))
	}
	for rule := range p.rules() {
		if r.Context.IsLive(rule) {
			a.rules = append(a.rules, int32(rule))
		}
	}
	a.words = (len(a.rules) + 63) / 64
	a.sets = r.order()
	a.sets = a.sets[:min(len(a.sets), mostSets)]
	pure := make([][]uint64, p.labels)
	for i, k := range a.sets {
		first := int32(r.y[k]*float64(quanta) + 0.5)
		if a.first = append(a.first, first); first > 0 {
			a.begun = append(a.begun, int32(i))
		}
		a.from = append(a.from, int32(len(a.point)))
		a.point = append(a.point, r.Pool.Set(k)...)
		for q := range pure {
			pure[q] = r.Pool.pureOn(k, q)
		}
		a.pure = a.mask(a.pure, pure)
	}
	a.from = append(a.from, int32(len(a.point)))
	a.turn()
	return a
}

// order returns the sets of the pool in the order in which ascents raise them.
func (r *Root) order() []int32 {
	sets := r.everySet()
	if r.seeded {
		return sets
	}
	p := r.P
	v := [2][]float64{make([]float64, p.rules()), make([]float64, len(p.cost))}
	for i, name := range r.s.name {
		v[r.s.kind(i)][name] = r.s.bestV[i]
	}
	price := make([]float64, len(sets))
	for k := range price {
		price[k] = r.price(int32(k), v)
	}
	slices.SortStableFunc(sets, func(k, l int32) int { return cmp.Compare(price[k], price[l]) })
	return sets
}

// turn finds the sets of each point, and those that each column touches.
func (a *plan) turn() {
	a.setWords = (len(a.sets) + 63) / 64
	a.setsOf = make([]uint64, len(a.p.Columns)*a.setWords)
	a.begins = make([]int32, len(a.cost)+1)
	for _, e := range a.point {
		a.begins[e+1]++
	}
	for e := range a.cost {
		a.begins[e+1] += a.begins[e]
	}
	a.holds = make([]int32, len(a.point))
	next, any := slices.Clone(a.begins), make([]uint64, a.p.width)
	for i := range a.sets {
		clear(any)
		for _, e := range a.point[a.from[i]:a.from[i+1]] {
			a.holds[next[e]] = int32(i)
			next[e]++
			bitvec.Or(any, any, a.p.row(e))
		}
		for j, w := range any {
			for ; w != 0; w &= w - 1 {
				a.setsOf[(j*64+bits.TrailingZeros64(w))*a.setWords+i/64] |= 1 << (i % 64)
			}
		}
	}
}

// mask appends the mask of columns by label.
func (a *plan) mask(to []uint64, of [][]uint64) []uint64 {
	labels := uint32(len(of))
	for k, rule := range a.rules {
		if k%64 == 0 {
			to = append(to, 0)
		}
		col := uint32(rule) / labels
		to[len(to)-1] |= of[uint32(rule)%labels][col/64] >> (col % 64) & 1 << (k % 64)
	}
	return to
}

// price is the left side of a set's inequality for the values v of rules and points.
func (r *Root) price(k int32, v [2][]float64) (sum float64) {
	for q, live := range r.Context.Live {
		for i, w := range r.Pool.pureOn(k, q) {
			for m := w & live[i]; m != 0; m &= m - 1 {
				sum += evenPrice + v[0][r.P.labels*(i*64+bits.TrailingZeros64(m))+q]
			}
		}
	}
	for _, e := range r.Pool.Set(k) {
		sum += v[1][e]
	}
	return sum
}

// ascent is one at a time, of a node.
type ascent struct {
	*plan
	value  int64    // quanta of all sets
	live   []uint64 // rules
	full   []uint64 // those that bear no more
	loads  []uint64 // counters: depth planes of each word
	spare  []int32  // by point, quanta that it bears yet
	open   []uint64 // the sets of which every point bears yet
	y      []int32  // of each set, by place, quanta
	raised []int32  // the sets with any, by place
	held   []uint64 // live rules that are pure on the set at hand
	top    []uint64 // those with the largest counters
	touch  []uint64 // counters of columns: touchDepth planes of each word
	work   int64    // words of masks looked at
}

// touchDepth is the number of planes that count the quanta of the sets which a
// column touches.
const touchDepth = 16

func newAscent(a *plan) ascent {
	n := a.words
	return ascent{
		plan: a, open: make([]uint64, a.setWords), live: make([]uint64, n), held: make([]uint64, n), top: make([]uint64, n), full: make([]uint64, n), loads: make([]uint64, n*a.depth),
		spare: make([]int32, len(a.cost)), y: make([]int32, len(a.sets)), touch: make([]uint64, a.p.width*touchDepth),
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
	for i := range a.open {
		for m := a.open[i]; m != 0 && a.value <= most; {
			bit := bits.TrailingZeros64(m)
			a.raise(int32(i*64+bit), 1<<30)
			m = a.open[i] & (^uint64(1) << bit) // a raise closes sets
		}
	}
}

func (a *ascent) begin(c *Context, prefix []Column) {
	a.live = a.mask(a.live[:0], c.Live)
	clear(a.full)
	for b := range a.depth {
		bit := -uint64(a.start >> b & 1)
		for i := b; i < len(a.loads); i += a.depth {
			a.loads[i] = bit
		}
	}
	clear(a.spare)
	for i, w := range c.Left {
		for ; w != 0; w &= w - 1 {
			e := i*64 + bits.TrailingZeros64(w)
			a.spare[e] = a.cost[e]
		}
	}
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
	a.work += int64(len(a.loads) + len(a.rules) + (len(prefix)+2)*a.setWords)
}

// raise raises the weight of an open set by so many quanta, if its points and rules
// bear them, or else by as many as they do.
func (a *ascent) raise(i, most int32) {
	pure := a.pure[a.words*int(i):][:a.words]
	a.work += int64(len(pure)) + 4
	for j, full := range a.full[:len(pure)] {
		if pure[j]&full != 0 {
			return
		}
	}
	points := a.point[a.from[i]:a.from[i+1]]
	for _, e := range points {
		most = min(most, a.spare[e])
	}
	if most == 0 {
		return // a point's cost is below a quantum
	}
	n := a.addLoad(pure, most)
	for _, e := range points {
		if a.spare[e] -= n; a.spare[e] == 0 {
			a.close(e)
		}
	}
	if a.y[i] == 0 {
		a.raised = append(a.raised, i)
	}
	a.y[i] += n
	a.value += int64(n)
}

// close closes the sets of a point that bears no more.
func (a *ascent) close(e Point) {
	sets := a.holds[a.begins[e]:a.begins[e+1]]
	for _, i := range sets {
		a.open[i/64] &^= 1 << (i % 64)
	}
	a.work += int64(len(sets)) / 4
}

// addLoad adds to the loads of the live rules of a mask the largest number of quanta
// that keeps every load within its price, at most so many, and returns that number. None
// of the rules is full.
func (a *ascent) addLoad(pure []uint64, most int32) int32 {
	live, held := a.live[:len(pure)], a.held[:len(pure)]
	for i, m := range pure {
		held[i] = m & live[i]
	}
	n := min(most, a.left(held, most))
	for i, m := range held {
		if m != 0 {
			a.full[i] |= add(a.loads[i*a.depth:][:a.depth], m, uint64(n))
		}
	}
	a.work += int64(len(pure)) * 8
	return n
}

// left returns how many quanta the rules of a mask bear yet, or at least most: what is
// missing in the largest of their counters, which the planes tell from the top.
func (a *ascent) left(mask []uint64, most int32) int32 {
	copy(a.top, mask)
	left := int32(1)
	for b := a.depth - 1; b >= 0; b-- {
		some := uint64(0)
		for i, m := range a.top {
			some |= m & a.loads[i*a.depth+b]
		}
		if some == 0 {
			if left += 1 << b; left >= most {
				break
			}
			continue
		}
		for i := range a.top {
			a.top[i] &= a.loads[i*a.depth+b]
		}
	}
	return left
}

// add adds n quanta to the counters of a mask, given by planes, and returns those
// that overflow.
func add(planes []uint64, mask, n uint64) (carry uint64) {
	for j, x := range planes {
		if n|carry == 0 {
			break
		}
		m := mask & -(n & 1)
		planes[j] = x ^ m ^ carry
		carry = x&m | carry&(x^m)
		n >>= 1
	}
	return carry
}

// weights appends the weights to w.
func (a *ascent) weights(w []Weight) []Weight {
	for _, i := range a.raised {
		w = append(w, Weight{a.sets[i], int64(a.y[i]) << a.shift})
	}
	return w
}

// touches counts for each column the quanta of the sets that it touches. It reports
// false if there are too many.
func (a *ascent) touches(c *Context, any []uint64) bool {
	clear(a.touch)
	if a.value>>touchDepth != 0 {
		return false
	}
	for _, k := range a.raised {
		clear(any)
		for _, e := range a.point[a.from[k]:a.from[k+1]] {
			for i, x := range a.p.row(e) {
				any[i] |= x
			}
		}
		live := c.Live
		for i, m := range any {
			some := live[0][i] | live[1][i]
			for _, more := range live[2:] {
				some |= more[i]
			}
			a.count(i, m&some, uint32(a.y[k]))
		}
		a.work += int64(4 * len(any))
	}
	return true
}

// count adds n to the counters of a mask of columns of one word.
func (a *ascent) count(i int, mask uint64, n uint32) {
	planes := a.touch[i*touchDepth:][:touchDepth]
	for ; n != 0; n &= n - 1 {
		carry := mask
		for b := bits.TrailingZeros32(n); carry != 0; b++ {
			x := planes[b]
			planes[b] = x ^ carry
			carry &= x
		}
	}
}

// touched returns what touches counted for a column.
func (a *ascent) touched(col int) (n int64) {
	for b, x := range a.touch[col/64*touchDepth:][:touchDepth] {
		n |= int64(x>>(col%64)&1) << b
	}
	return n
}
