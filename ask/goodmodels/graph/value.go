package graph

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

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
		n := w.matrix.Blocks() * bitvec.Lanes // with those that fill the last block
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
	bitvec.AndNot(child.alive, f.alive, w.weights.touch[s])
	child.sum = f.sum - f.hit[s]
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

const forgetTimes = 8      // of what the memo holds, so many may be forgotten
const forgetFree = 1 << 14 // and so many besides: a tenth of a second

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
	w.all = make([]uint64, w.words)
	for i := range w.sets {
		w.all[i/64] |= 1 << (i % 64)
	}
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

// T7. The room of a state is the most that a part of a good model may cost there: that of all points is
// the threshold, and a split gives each side the room of the state less V of the other side. A state's room is
// the largest that any split gives it. States are taken in the order of rooms, the largest first. If a split
// is dropped only when V of both sides together exceeds the room, then after the pass every state that a good
// model reaches is there with its exact room, and the models of a state within its room are all of the
// graph (by induction on the path; cf. TreeFARMS: Xin et al., NeurIPS 2022).
//
// Each side costs P at least. So states whose rooms differ by less than P cannot raise one another's room:
// all with rooms in (R−P, R], R the largest that is open, are expanded side by side, and the graph
// is the same for any number of workers.
//
// A split of a list stands for rules of all labels: where that of the cheapest label is part of no good list,
// none is. Beside the bounds of V that value.go lists, such a split is dropped by support with slack: to delete
// the rule from a list costs at most g(s∩u), what it gains, and saves P, so a list by way of it costs
// V(u) + P − g(s∩u) at least.

// builder is a build.
type builder struct {
	*layout
	threshold int64 // beyond base
	graph     []grown
	splits    int // of them
	known     map[bitvec.Key]int32

	weights   *weights
	proposer  *proposer
	stage     int   // of the weights
	mostNodes int64 // after which the next stage is due; 0: never
	memo      *memo
	costHash  *bitvec.Hasher
	hash      *bitvec.Hasher
	budget    *parallel.Budget
	options   Options
	start     time.Time
	states    atomic.Int64 // for others to read, as is open
	open      atomic.Int64
	ctx       context.Context
	stopped   atomic.Bool
	workers   []*worker
}

// grown is a state of a graph that grows. Its value is V.
type grown struct {
	state
	level int32 // the splits that may follow on a path; −1: no limit
}

// worker is one goroutine's part of a build.
type worker struct {
	*builder
	frames []*frame
	claim  bound
	forgot forgetting
	nodes  int64
	seen   atomic.Int64 // nodes, for others to read
}

func newBuilder(ctx context.Context, p *Problem, o Options) (*builder, error) {
	l, err := newLayout(p)
	if err != nil {
		return nil, err
	}
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	b := &builder{layout: l, options: o, start: time.Now(), ctx: ctx}
	b.budget = &parallel.Budget{Limit: (o.Memory + 1) / 2}
	b.budget.Take(parallel.KeyMapBytes)
	b.memo = parallel.NewKeyMap[bound](b.budget)
	b.costHash, b.hash = bitvec.NewHasher(l.costWords), bitvec.NewHasher(l.words)
	if b.proposer = newProposer(l, o.Workers); b.proposer.root == nil {
		b.stage = len(stages) - 1
	}
	for range o.Workers {
		b.workers = append(b.workers, &worker{builder: b})
	}
	return b, nil
}

// halted reports whether a limit or the caller ended the attempt.
func (b *builder) halted() bool {
	if !b.stopped.Load() && b.ctx.Err() == nil && (b.mostNodes == 0 || b.nodes() < b.mostNodes) {
		return false
	}
	b.stopped.Store(true)
	return true
}

// least returns V of all points and true if it is at most room, and else a lower bound.
func (b *builder) least(room int64) (int64, bool) {
	b.stopped.Store(false)
	for _, w := range b.workers {
		w.frames, w.forgot = nil, 0
	}
	w := b.workers[0]
	f := w.frame(0)
	copy(f.u, b.all)
	b.weights.within(f)
	return w.value(0, b.root(), leveled(b.costHash.Hash(f.u), b.root()), room)
}

// root is how many splits may follow from all points.
func (b *builder) root() int32 {
	if b.Depth == 0 {
		return -1
	}
	return int32(b.Depth)
}

// build makes the graph for a threshold beyond base.
func (b *builder) build(threshold int64) error {
	b.threshold = threshold
	b.graph, b.splits, b.known = nil, 0, map[bitvec.Key]int32{}
	if v, ok := b.least(threshold); ok {
		b.reach(b.all, leveled(b.hash.Hash(b.all), b.root()), b.root(), v, b.ends(nil, b.all), threshold)
	}
	open := make([]int32, len(b.graph))
	for len(open) > 0 && !b.halted() {
		most := b.graph[slices.MaxFunc(open, func(i, j int32) int { return cmp.Compare(b.graph[i].room, b.graph[j].room) })].room
		var now, later []int32
		for _, i := range open {
			if b.graph[i].room > most-b.Price {
				now = append(now, i)
			} else {
				later = append(later, i)
			}
		}
		before := len(b.graph)
		for chunk := range slices.Chunk(now, mostAtOnce) {
			if b.halted() {
				break
			}
			b.merge(b.expandAll(chunk))
			if o := b.options; o.States > 0 && len(b.graph) > o.States || o.Memory > 0 && b.bytes() > o.Memory/2 {
				return ErrLimit
			}
			b.states.Store(int64(len(b.graph)))
			b.open.Store(int64(len(later) + len(b.graph) - before))
		}
		open = later
		for i := before; i < len(b.graph); i++ {
			open = append(open, int32(i))
		}
	}
	if b.halted() {
		return ErrLimit
	}
	return nil
}

// nodes is about how many sets were bounded by counting so far.
func (b *builder) nodes() (n int64) {
	for _, w := range b.workers {
		n += w.seen.Load()
	}
	return n
}

const mostAtOnce = 1 << 14 // states between two merges
const blockSize = 16       // states that a worker takes at a time

// leveled is the key of a set with the splits that may follow.
func leveled(k bitvec.Key, level int32) bitvec.Key {
	k.Hi ^= scramble(uint64(level + 2))
	return k
}

// reach makes a state, or gives it more room.
func (b *builder) reach(set []uint64, key bitvec.Key, level int32, v int64, ends []int64, room int64) int32 {
	i, ok := b.known[key]
	if !ok {
		i = int32(len(b.graph))
		b.known[key] = i
		b.graph = append(b.graph, grown{state{set: slices.Clone(set), ends: slices.Clone(ends), value: v}, level})
	}
	b.graph[i].room = max(b.graph[i].room, room)
	return i
}

// bytes is about the memory of the graph. The memo has the other half of what is allowed. A full
// one makes a build slower, and then ends the attempt.
func (b *builder) bytes() int64 {
	const inMap = 40
	return int64(len(b.graph))*(8*int64(b.words+b.classes)+int64(unsafe.Sizeof(grown{}))+inMap) +
		int64(b.splits)*int64(unsafe.Sizeof(split{}))
}

// found is a split of a state, with V of its sides: without the antecedent, then with it. A list has but the first.
type found struct {
	from, column int32
	v            [2]int64
	key          [2]bitvec.Key
}

// block is what one worker found of some states.
type block struct {
	found []found
	words []uint64
	ends  []int64
}

// expandAll expands states side by side; the order of what is found is that of the states.
func (b *builder) expandAll(states []int32) []block {
	blocks := make([]block, (len(states)+blockSize-1)/blockSize)
	var next atomic.Int64
	var group sync.WaitGroup
	work := func(w *worker) {
		for i := int(next.Add(1) - 1); i < len(blocks) && !b.halted(); i = int(next.Add(1) - 1) {
			for _, s := range states[i*blockSize : min((i+1)*blockSize, len(states))] {
				w.expand(s, &blocks[i])
			}
			w.seen.Store(w.nodes)
		}
	}
	for _, w := range b.workers[1:] {
		if len(blocks) > 1 {
			group.Go(func() { work(w) })
		}
	}
	work(b.workers[0])
	group.Wait()
	return blocks
}

// expand finds the splits of a state.
func (w *worker) expand(state int32, out *block) {
	of := &w.graph[state]
	room, v, level, set := of.room, of.value, of.level, of.set
	if level == 0 || room < 2*w.Price {
		return
	}
	f := w.lay(set)
	next := below(level)
	for s := range w.columns {
		y := w.way(f, s)
		if y.first+y.second > room || !w.Trees && v+w.Price-w.unit*y.gain > room || !splits(set[:w.realWords], w.columns[s]) {
			continue
		}
		with, ok := y.first, true
		if w.Trees {
			with, ok = w.value(1, next, w.side(1, f, s, true, next), room-y.second)
		}
		without := int64(0)
		if ok {
			without, ok = w.value(1, next, w.side(1, f, s, false, next), room-with)
		}
		if w.stopped.Load() {
			return
		}
		if !ok {
			continue
		}
		x := found{from: state, column: int32(s), v: [2]int64{without, with}}
		for side := range w.sides() {
			at := len(out.words)
			out.words = append(out.words, set...)
			x.key[side] = leveled(w.hash.AndNotHash(out.words[at:], set, w.outside[1-side][s]), next)
			for q := range w.classes {
				inside := y.wrong + y.gain - f.counts.Gains[q][s] // what predicting q costs where the antecedent holds
				if side == 0 {
					inside = f.counts.Total - f.counts.All[q] - inside
				}
				out.ends = append(out.ends, w.Price+w.unit*inside)
			}
		}
		out.found = append(out.found, x)
	}
}

// merge adds what was found to the graph.
func (b *builder) merge(blocks []block) {
	for i := range blocks {
		words, ends := blocks[i].words, blocks[i].ends
		for _, x := range blocks[i].found {
			of, child := b.graph[x.from], [2]int32{1: rule}
			for side := range b.sides() {
				child[side] = b.reach(words[:b.words], x.key[side], below(of.level), x.v[side], ends[:b.classes], of.room-x.v[1-side])
				words, ends = words[b.words:], ends[b.classes:]
			}
			b.graph[x.from].splits = append(of.splits, split{x.column, child[1], child[0]})
			b.splits++
		}
		blocks[i] = block{}
	}
}

// below is how many splits may follow behind one.
func below(level int32) int32 { return max(level-1, -1) }

// bySizes returns the states from the largest sets to the smallest.
func (b *builder) bySizes() []int32 {
	order, sizes := make([]int32, len(b.graph)), make([]int, len(b.graph))
	for i := range order {
		order[i], sizes[i] = int32(i), size(b.graph[i].set)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(sizes[j]-sizes[i], int(i-j)) })
	return order
}

// empty is a set of models without states, for a threshold beyond base.
func (l *layout) empty(threshold int64) *Set {
	return &Set{lists: !l.Trees, price: l.Price, threshold: threshold, base: l.base, classes: l.classes, numbers: l.Points, point: l.point,
		antecedents: l.antecedents, Complete: true}
}

// finish makes the set of a whole graph.
func (b *builder) finish() *Set {
	s := b.empty(b.threshold)
	order, name := b.bySizes(), make([]int32, len(b.graph))
	for at, i := range order {
		name[i] = int32(at)
	}
	for _, i := range order {
		of := b.graph[i].state
		of.splits = slices.Clone(of.splits)
		rename(of.splits, name)
		s.states = append(s.states, of)
	}
	s.settle()
	return s
}
