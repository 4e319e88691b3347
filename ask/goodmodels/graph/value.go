package graph

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/parallel"
	"parcorels/rulelist/separation"
)

// V(u) is the least cost of a model of the points u: an end, or a split with a model on both sides. Every end costs
// P and what it gets wrong, also the default of a list: base has P less for lists. A set of points belongs to the graph if
// it has room for V.
//
// V(u) = min(end(u), min over s of V(s∩u) + V(u∖s)); of a list the side of s∩u is an end. All of the
// following is about V alone, not about paths, so what costs no less may be left out: a rule of a list that
// gains at most P (the deletion argument), a split with one side that costs nothing, and any s of which a
// lower bound says that it is no better than what is known.
//
// The bound of a side is the larger of
//
//   - its end or, if less, 2P: either it ends, or there are two ends;
//   - of a list P and the weights of the inequalities that s leaves alone (below), for all s at once.
//
// A set that costs nothing plays no part: V depends on the points that cost something.

// frame is the work space of value at one depth.
type frame struct {
	u         []uint64 // costWords
	alive     []uint64 // inequalities, all points of which are left
	sum       int64    // of their weights
	left      bitvec.Program
	counts    *costs.Counts // of the columns in u
	hit, zero []int64       // weights that a column touches
	list      []candidate
	order     []int32 // places in list: numbers are sorted by code that is there
}

// candidate is a split with lower bounds of both sides together, and of the side with the antecedent.
type candidate struct {
	bound, first int64
	column       int32
}

func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		n := padded(w.matrix)
		f := &frame{
			u: make([]uint64, w.costWords), alive: make([]uint64, w.weights.words),
			counts: w.table.NewCounts(n), hit: make([]int64, n), zero: make([]int64, n),
		}
		w.frames = append(w.frames, f)
	}
	return w.frames[depth]
}

// lay makes the first frame of a set, with all that is counted of it.
func (w *worker) lay(set []uint64) *frame {
	f := w.frame(0)
	copy(f.u, set)
	w.weights.within(f)
	w.weigh(f)
	w.count(f, w.matrix.Blocks())
	return f
}

// weigh finds what all points of a frame gain, and returns what the best end costs.
func (w *worker) weigh(f *frame) (end int64) {
	x := f.counts
	x.Total = w.gain(x.All, f.u)
	return w.Price + w.unit*(x.Total-slices.Max(x.All))
}

// count finds the gains of the columns of the first blocks.
func (w *worker) count(f *frame, blocks int) {
	w.weights.count(f, blocks)
	f.counts.Count(f.u, func(prog *bitvec.Program, g1, g0 []int64) bool {
		w.matrix.Count(prog, 0, blocks, g1, g0)
		return true
	})
}

// way is a split, and what its sides cost at least.
type way struct{ wrong, gain, first, second int64 }

func (w *worker) way(f *frame, s int) (y way) {
	x := f.counts.Column(s)
	y.wrong, y.gain = x.Errors, x.Cost-x.Errors
	if y.first = w.Price + w.unit*y.wrong; w.Trees {
		y.first = min(y.first, 2*w.Price)
	}
	y.second = w.Price + max(min(w.Price, w.unit*x.Stop), w.weights.bound(f.sum-f.hit[s]))
	return y
}

// side makes the frame of one side of a split, and returns its key.
func (w *worker) side(depth int, f *frame, s int, with bool, level int32) bitvec.Key {
	child, without := w.frame(depth), 1
	if with {
		without = 0
	}
	key := w.costHash.AndNotHash(child.u, f.u, w.outside[without][s])
	w.weights.leave(child, f, s)
	return leveled(key, level)
}

// value returns V of the set of w.frame(depth) and true if it is at most room, and else a lower
// bound above room. The frame has u, alive and sum; key is that of u and the level, how many splits may follow.
func (w *worker) value(depth int, level int32, key bitvec.Key, room int64) (int64, bool) {
	f, trees, unit, price, weights := w.frames[depth], w.Trees, w.unit, w.Price, w.weights
	end := w.weigh(f)
	if end <= 2*price || level == 0 {
		return end, end <= room
	}
	if room < 2*price {
		return 2 * price, false
	}
	if b := w.memo.Find(key); b != 0 {
		if v := b.value(); b.exact() || v > room {
			return v, v <= room
		}
	}
	if low := price + weights.bound(f.sum); low > room {
		return low, false
	}
	w.nodes++
	if w.nodes%256 == 0 {
		w.seen.Store(w.nodes)
		if w.halted() {
			return room + 1, false // the attempt is given up, and the memo is not told
		}
	}
	best, low, idle := end, int64(none), price
	if trees {
		idle = 0
	}
	w.count(f, w.liveBlocks)
	f.list, f.order = f.list[:0], f.order[:0]
	for s := range w.live {
		x := f.counts.Column(s)
		if unit*(x.Cost-x.Errors) <= idle {
			continue
		}
		with, without := price+unit*x.Errors, price+unit*x.Stop
		best = min(best, with+without)
		first, second := with, without
		if trees {
			first = min(with, 2*price)
		}
		if without > 2*price {
			second = price + max(price, weights.bound(f.sum-f.hit[s]))
		} else if first == with {
			continue // both sides end
		}
		b := first + second
		if b > room || b >= best {
			low = min(low, b)
			continue
		}
		f.order = append(f.order, int32(len(f.list)))
		f.list = append(f.list, candidate{b, first, int32(s)})
	}
	slices.SortFunc(f.order, func(a, b int32) int { return cmp.Or(cmp.Compare(f.list[a].bound, f.list[b].bound), int(a-b)) })
	next := below(level)
	for _, i := range f.order {
		c := f.list[i]
		limit := min(best-1, room)
		if c.bound > limit {
			low = min(low, c.bound)
			break // and so are those behind it
		}
		with, ok := c.first, true
		if trees {
			if !splits(f.u, w.columns[c.column]) {
				continue
			}
			second := c.bound - c.first
			if with, ok = w.value(depth+1, next, w.side(depth+1, f, int(c.column), true, next), limit-second); !ok {
				low = min(low, with+second)
			}
		}
		if ok {
			var without int64
			without, ok = w.value(depth+1, next, w.side(depth+1, f, int(c.column), false, next), limit-with)
			if ok {
				best = with + without
			} else {
				low = min(low, with+without)
			}
		}
		if w.stopped.Load() {
			return room + 1, false
		}
	}
	v := min(best, low)
	w.claim = newBound(v, v == best)
	if w.forgot.offer(w.memo, key, &w.claim) {
		w.stopped.Store(true)
	}
	return v, v == best && v <= room
}

// bound is what is known of the least completion V(u) of a set: a lower bound, or V itself.
// A bound is of V, not of a question asked of it, so it serves for any room.
//
// Between two, the exact one is smaller in the order of the map, then the larger one.
type bound uint64

func newBound(value int64, exact bool) bound {
	b := bound(value)<<2 | 1
	if exact {
		b |= 2
	}
	return b
}

func (b bound) value() int64 { return int64(b >> 2) }
func (b bound) exact() bool  { return b&2 != 0 }

// Against implements parallel.Claim.
func (b bound) Against(held bound) parallel.Verdict {
	switch {
	case held.exact():
		return parallel.Loses
	case b.exact() || b > held:
		return parallel.Wins
	}
	return parallel.Loses
}

// memo maps sets of points that cost something to what is known of them. Two sets share a
// key with probability about 2^-128.
type memo = parallel.KeyMap[bound]

// forgetting counts what one goroutine could not remember, as the memo was full. Without a memo V is
// found again and again, and the time may grow exponentially with the depth. So an attempt ends after it
// forgot some times of what it remembers.
type forgetting int64

const (
	forgetTimes = 8       // of what the memo holds, so many may be forgotten
	forgetFree  = 1 << 14 // and so many besides: a tenth of a second
)

// offer tells a memo of V, and reports whether too much was forgotten since the attempt began.
func (f *forgetting) offer(m *memo, key bitvec.Key, b *bound) (tooMuch bool) {
	if outcome, _ := m.Offer(key, *b, b); outcome != parallel.Full {
		return false
	}
	*f++
	return *f%256 == 0 && int64(*f) > forgetFree+forgetTimes*m.Entries()
}

// The separation bound with fixed weights. For every set Q of points left that holds two
// labels, a completion mispredicts a point of Q or has a rule that is pure on it
// (rulelist/separation/argument.go). Give the sets Q weights y(Q) ≥ 0 of which
//
//   - no point bears more than what any class but its label costs there, and
//   - no rule (s,q) bears more than its price, over all Q that it is pure on.
//
// Then V(u) is at least the sum of y over the sets within u, for every u: a completion pays
// for each such Q at least once, and what is paid for is paid once. That a rule which is not in
// live has no capacity does no harm: it gains at most P, and bears no more than it gains, as
// each Q that it is pure on has a point of its gain.
//
// A linear program proposes the weights. They are rounded to quanta, 1<<quantumBits of
// which are the price of a rule, and made to fit by integers.
type weights struct {
	price  int64
	sets   [][]separation.Point
	y      []int64 // quanta
	total  int64
	words  int        // of a set of inequalities
	all    []uint64   // inequalities
	touch  [][]uint64 // of each column, the inequalities that it touches
	planes *bitvec.Planes
	matrix *bitvec.Matrix // of each column, the inequalities that it touches
}

const quantumBits = 12

// proposer is a linear program that goes on where more work is allowed.
type proposer struct {
	p    *separation.Problem
	root *separation.Root
}

// pairEntries bounds the work of finding its first sets: some tenths of a second.
const pairEntries = 1 << 26

func newProposer(l *layout, workers int) *proposer {
	if l.live == 0 || l.Trees {
		return &proposer{}
	}
	columns := make([][]uint64, l.live)
	for c := range columns {
		columns[c] = l.columns[c][:l.costWords]
	}
	total := int64(0)
	for _, c := range l.table.Costs {
		total += c
	}
	p := separation.New(columns, l.table, separation.Prices{Error: l.unit, Rule: l.Price}, total)
	return &proposer{p, p.NewRoot(pairEntries, workers)}
}

// propose solves the linear program for lists within a threshold, until so many entries of it
// were touched, or goOn says no. It returns sets with weights in quanta, heaviest first.
func (x *proposer) propose(price, threshold, entries int64, goOn func() bool) (sets [][]separation.Point, y []int64) {
	if x.root == nil {
		return nil, nil
	}
	x.root.Solve(x.p.Value(threshold, 0)+1, separation.Effort{Work: entries, GoOn: goOn})
	chosen := slices.Clone(x.root.Weights)
	slices.SortStableFunc(chosen, func(a, b separation.Weight) int { return cmp.Compare(b.Y, a.Y) })
	scaled := float64(x.p.Value(price, 0))
	for _, w := range chosen {
		if n := int64(float64(w.Y) / scaled * (1 << quantumBits)); n > 0 {
			sets = append(sets, x.root.Pool.Set(w.Set))
			y = append(y, n)
		}
	}
	return sets, y
}

// newWeights lowers what a program proposed until all of it fits.
func newWeights(l *layout, sets [][]separation.Point, y []int64) *weights {
	w := &weights{price: l.Price}
	spare := make([]int64, len(l.table.Own)) // by place, quanta that the point bears yet
	for e, c := range l.table.Own {
		hi, lo := bits.Mul64(uint64(c*l.unit), 1<<quantumBits)
		spare[e] = none
		if hi < uint64(l.Price) {
			quanta, _ := bits.Div64(hi, lo, uint64(l.Price))
			spare[e] = int64(min(quanta, none))
		}
	}
	rules := slices.Repeat([]int64{1 << quantumBits}, l.classes*l.live)
	for i, set := range sets {
		n := y[i]
		for _, e := range set {
			n = min(n, spare[e])
		}
		pure := pureRules(l, set)
		for _, r := range pure {
			n = min(n, rules[r])
		}
		if n <= 0 {
			continue
		}
		for _, e := range set {
			spare[e] -= n
		}
		for _, r := range pure {
			rules[r] -= n
		}
		w.sets, w.y, w.total = append(w.sets, set), append(w.y, n), w.total+n
	}
	w.lay(l.columns)
	return w
}

// pureRules returns the rules classes·column + label that are pure on a set of places.
func pureRules(l *layout, set []separation.Point) (pure []int32) {
	for c, column := range l.columns[:l.live] {
		held := -1 // the label of all members with the column; −2: there are several
		for _, e := range set {
			if column[e/64]>>(e%64)&1 == 1 {
				switch label := int(l.table.ByWord[e/64]); held {
				case -1, label:
					held = label
				default:
					held = -2
				}
			}
		}
		if held >= 0 {
			pure = append(pure, int32(l.classes*c+held))
		}
	}
	return pure
}

// lay makes the matrix of what columns touch.
func (w *weights) lay(columns [][]uint64) {
	w.words = (len(w.sets) + 63) / 64
	w.all = firstPoints(len(w.sets), w.words)
	costs := make([]int64, 64*w.words)
	copy(costs, w.y)
	w.planes = bitvec.NewPlanes(costs, w.words)
	w.matrix = bitvec.NewMatrix(len(columns), w.words)
	for c, column := range columns {
		touched := make([]uint64, w.words)
		for i, set := range w.sets {
			if slices.ContainsFunc(set, func(e separation.Point) bool { return column[e/64]>>(e%64)&1 == 1 }) {
				touched[i/64] |= 1 << (i % 64)
			}
		}
		w.touch = append(w.touch, touched)
		w.matrix.Set(c, touched)
	}
}

// bound returns what inequalities of so many quanta cost at least, beyond P.
func (w *weights) bound(quanta int64) int64 {
	hi, lo := bits.Mul64(uint64(quanta), uint64(w.price))
	lo, carry := bits.Add64(lo, 1<<quantumBits-1, 0)
	return int64((hi+carry)<<(64-quantumBits) | lo>>quantumBits)
}

// count finds the weight that each column of the first blocks touches.
func (w *weights) count(f *frame, blocks int) {
	if w.words == 0 {
		return
	}
	w.planes.Compile(&f.left, f.alive)
	w.matrix.Count(&f.left, 0, blocks, f.hit, f.zero)
}

// leave makes what is alive in a child.
func (w *weights) leave(child, f *frame, column int) {
	bitvec.AndNot(child.alive, f.alive, w.touch[column])
	child.sum = f.sum - f.hit[column]
}

// within finds what is alive in any set of points.
func (w *weights) within(f *frame) {
	copy(f.alive, w.all)
	f.sum = w.total
	for i, set := range w.sets {
		for _, e := range set {
			if f.u[e/64]>>(e%64)&1 == 0 {
				f.alive[i/64] &^= 1 << (i % 64)
				f.sum -= w.y[i]
				break
			}
		}
	}
}
