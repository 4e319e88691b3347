package graph

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/parallel"
)

// Trees. A good tree has any classes in its leaves and splits that leave samples on both sides;
// two leaves of one class side by side are one leaf. A state is a set of points with the number of
// splits that may follow on a path. V of it is the least cost of a tree for the set, and
// its room the most that a part of a good tree may cost there: that of the root is the threshold, and a
// split that leaves S₁ and S₀ gives S₁ the room of S less V(S₀). A state's room is the largest that any
// split above gives it. Splits make smaller sets, so from large sets to small every room is known in
// time (cf. TreeFARMS: Xin et al., NeurIPS 2022).

// treeState is a set of points that a good tree splits or makes a leaf of.
type treeState struct {
	set    []uint64
	level  int32 // splits that may follow; −1: no limit
	room   int64
	value  int64
	leaves []int64 // by class, the cost
	splits []split // by column
}

// treeBuilder is a build of trees.
type treeBuilder struct {
	p         *Problem
	threshold int64 // beyond base
	base      int64
	states    []treeState
	nodes     int64
	complete  bool

	ctx     context.Context
	options Options
	start   time.Time
	end     time.Time // of the attempt at hand; zero: none
	looked  time.Time
	words   int
	samples []uint64         // the points that are no ghosts
	planes  []*bitvec.Planes // by class, what predicting it loses
	matrix  *bitvec.Matrix
	hash    *bitvec.Hasher
	memo    *memo
	budget  *parallel.Budget
	claim   bound
	forgot  forgetting
	frames  []*treeFrame
	known   map[bitvec.Key]int32
	bySize  [][]int32
	bytes   int64 // about the memory of the states
	stopped bool
}

type treeFrame struct {
	prog  bitvec.Program
	lost  [][]int64 // by class and column, what predicting the class loses on the side with it
	spare []int64
	all   []int64
	ways  []treeWay
	sides [2][]uint64
}

type treeWay struct {
	bound  int64
	column int32
	low    [2]int64 // of the sides without and with the antecedent
}

// BuildTrees finds all good trees whose objective is at most threshold. If a limit does not allow
// that, it finds those within a smaller threshold, as Build does. The memo has half of the memory
// allowed, the states the other. It works in one goroutine.
func BuildTrees(ctx context.Context, p *Problem, threshold int64, o Options) (*Set, error) {
	b, err := newTreeBuilder(ctx, p, threshold, o)
	if err != nil {
		return nil, err
	}
	t, err := b.largest(threshold - b.base)
	if err == nil && o.Proof != nil {
		err = b.prove(o.Proof)
	}
	return t, err
}

func newTreeBuilder(ctx context.Context, p *Problem, threshold int64, o Options) (*treeBuilder, error) {
	b := &treeBuilder{p: p, ctx: ctx, options: o, start: time.Now(), words: (p.Points + 63) / 64}
	b.looked = b.start
	b.samples = firstPoints(p.Points-p.Ghosts, b.words)
	net := make([][]int64, len(p.Loss))
	for c := range net {
		net[c] = make([]int64, 64*b.words)
	}
	total := p.Price
	for i := range p.Points {
		_, low, high := p.label(i)
		b.base += low
		for c, l := range p.Loss {
			net[c][i] = l[i] - low
		}
		if total += high - low; total > mostObjective || threshold > mostObjective || p.Price <= 0 {
			return nil, ErrScale
		}
	}
	for c := range net {
		b.planes = append(b.planes, bitvec.NewPlanes(net[c], b.words))
	}
	b.matrix = bitvec.NewMatrix(len(p.Columns), b.words)
	for k, c := range p.Columns {
		b.matrix.Set(k, c)
	}
	b.hash = bitvec.NewHasher(b.words)
	b.budget = &parallel.Budget{Limit: (o.Memory + 1) / 2}
	b.budget.Take(parallel.KeyMapBytes)
	b.memo = parallel.NewKeyMap[bound](b.budget)
	return b, nil
}

// largest builds the graph for the largest threshold up to the one asked for that the limits allow,
// of those that halving finds.
func (b *treeBuilder) largest(asked int64) (*Set, error) {
	if b.attempt(asked) == nil {
		b.complete = true
		return b.finish(), nil
	}
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	b.begin()
	b.share()
	all, level := b.root()
	least, ok := b.value(0, all, level, asked)
	if !ok || b.halted() {
		return nil, ErrLimit
	}
	for slack := (asked - least) / 2; ; slack /= 2 {
		if b.attempt(least+slack) == nil {
			return b.finish(), nil
		}
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
		if slack == 0 {
			return nil, ErrLimit
		}
	}
}

// attempt is build within half of the time that is left.
func (b *treeBuilder) attempt(threshold int64) error {
	b.share()
	return b.build(threshold)
}

// share allows what follows half of the time that is left.
func (b *treeBuilder) share() {
	if b.options.Time > 0 {
		b.end = time.Now().Add((b.options.Time - time.Since(b.start)) / 2)
	}
}

func (b *treeBuilder) halted() bool {
	if !b.stopped && (b.ctx.Err() != nil || !b.end.IsZero() && time.Now().After(b.end) ||
		b.options.Memory > 0 && b.bytes > b.options.Memory/2) {
		b.stopped = true
	}
	return b.stopped
}

// build makes the graph for a threshold beyond base.
func (b *treeBuilder) build(threshold int64) error {
	b.threshold = threshold
	b.begin()
	all, level := b.root()
	v, ok := b.value(0, all, level, threshold)
	if b.halted() {
		return ErrLimit
	}
	if !ok {
		return nil // no tree
	}
	b.reach(all, level, v, threshold)
	for _, states := range slices.Backward(b.bySize) {
		for _, i := range states {
			b.expand(i)
			if b.halted() || b.options.States > 0 && len(b.states) > b.options.States {
				return ErrLimit
			}
		}
		b.look()
	}
	return nil
}

// begin makes the graph one without states.
func (b *treeBuilder) begin() {
	b.stopped, b.states, b.bytes, b.forgot = false, nil, 0, 0
	b.known, b.bySize = map[bitvec.Key]int32{}, make([][]int32, b.p.Points+1)
}

// root is the set of all points, and the splits that may follow.
func (b *treeBuilder) root() (all []uint64, level int32) {
	all = firstPoints(b.p.Points, b.words)
	if b.p.Depth == 0 {
		return all, -1
	}
	return all, int32(b.p.Depth)
}

func (b *treeBuilder) look() {
	every := b.options.Every
	if every <= 0 {
		every = time.Second
	}
	if now := time.Now(); b.options.Progress != nil && now.Sub(b.looked) >= every {
		b.looked = now
		b.options.Progress(Progress{Elapsed: now.Sub(b.start), States: len(b.states), Nodes: b.nodes})
	}
}

// keyOf is the key of a set with the splits that may follow.
func (b *treeBuilder) keyOf(set []uint64, level int32) bitvec.Key {
	k := b.hash.Hash(set)
	k.Hi ^= scramble(uint64(level + 2))
	return k
}

// reach makes a state, or gives it more room.
func (b *treeBuilder) reach(set []uint64, level int32, v, room int64) int32 {
	key := b.keyOf(set, level)
	i, ok := b.known[key]
	if !ok {
		i = int32(len(b.states))
		b.known[key] = i
		b.states = append(b.states, treeState{set: slices.Clone(set), level: level, value: v})
		n := size(set)
		b.bySize[n] = append(b.bySize[n], i)
		b.bytes += int64(unsafe.Sizeof(treeState{})) + 8*int64(b.words+len(b.planes)) + 48 // with its places
	}
	b.states[i].room = max(b.states[i].room, room)
	return i
}

func (b *treeBuilder) frame(depth int) *treeFrame {
	for len(b.frames) <= depth {
		n := padded(b.matrix)
		f := &treeFrame{spare: make([]int64, n), all: make([]int64, len(b.planes))}
		for range b.planes {
			f.lost = append(f.lost, make([]int64, n))
		}
		for q := range f.sides {
			f.sides[q] = make([]uint64, b.words)
		}
		b.frames = append(b.frames, f)
	}
	return b.frames[depth]
}

// count finds the ways to split a set, with bounds, and returns the cost of a leaf.
func (b *treeBuilder) count(f *treeFrame, set []uint64) (leaf int64) {
	leaf = none
	for c, p := range b.planes {
		f.all[c], _ = p.Cost(set)
		leaf = min(leaf, b.p.Price+f.all[c])
	}
	return leaf
}

func (b *treeBuilder) countSplits(f *treeFrame, set []uint64) {
	for c, p := range b.planes {
		p.Compile(&f.prog, set)
		b.matrix.Count(&f.prog, 0, b.matrix.Blocks(), f.lost[c], f.spare)
	}
	f.ways = f.ways[:0]
	for k := range b.p.Columns {
		with, without := int64(none), int64(none)
		for c := range b.planes {
			with, without = min(with, f.lost[c][k]), min(without, f.all[c]-f.lost[c][k])
		}
		w := treeWay{column: int32(k), low: [2]int64{b.p.Price + min(without, b.p.Price), b.p.Price + min(with, b.p.Price)}}
		w.bound = w.low[0] + w.low[1]
		f.ways = append(f.ways, w)
	}
}

// split splits a set, and reports whether both sides have samples.
func (f *treeFrame) split(set, column, samples []uint64) bool {
	var in, out uint64
	for i, w := range set {
		f.sides[1][i], f.sides[0][i] = w&column[i], w&^column[i]
		in |= f.sides[1][i] & samples[i]
		out |= f.sides[0][i] & samples[i]
	}
	return in != 0 && out != 0
}

// value returns V of a set and true if it is at most room, and else a lower bound above room.
func (b *treeBuilder) value(depth int, set []uint64, level int32, room int64) (int64, bool) {
	f := b.frame(depth)
	leaf := b.count(f, set)
	if leaf <= 2*b.p.Price || level == 0 {
		return leaf, leaf <= room
	}
	if low := min(leaf, 2*b.p.Price); low > room {
		return low, false
	}
	key := b.keyOf(set, level)
	if x := b.memo.Find(key); x != 0 {
		if v := x.value(); x.exact() || v > room {
			return v, v <= room
		}
	}
	if b.nodes++; b.nodes%256 == 0 && b.halted() {
		return room + 1, false
	}
	b.countSplits(f, set)
	slices.SortFunc(f.ways, func(x, y treeWay) int { return cmp.Or(cmp.Compare(x.bound, y.bound), int(x.column-y.column)) })
	best, low := leaf, int64(none)
	next := max(level-1, -1)
	for _, w := range f.ways {
		limit := min(best-1, room)
		if w.bound > limit {
			low = min(low, w.bound)
			break
		}
		if !f.split(set, b.p.Columns[w.column], b.samples) {
			continue
		}
		with, ok := b.value(depth+1, f.sides[1], next, limit-w.low[0])
		if b.stopped {
			return room + 1, false
		}
		if !ok {
			low = min(low, with+w.low[0])
			continue
		}
		without, ok := b.value(depth+1, f.sides[0], next, limit-with)
		if b.stopped {
			return room + 1, false
		}
		if ok {
			best = with + without
		} else {
			low = min(low, with+without)
		}
	}
	v := min(best, low)
	b.claim = newBound(v, v == best)
	b.stopped = b.stopped || b.forgot.offer(b.memo, key, &b.claim)
	return v, v == best && v <= room
}

// expand finds the leaves and splits of a state, of which the room is known.
func (b *treeBuilder) expand(i int32) {
	s := b.states[i]
	f := b.frame(0)
	b.count(f, s.set)
	for _, lost := range f.all {
		s.leaves = append(s.leaves, b.p.Price+lost)
	}
	next := max(s.level-1, -1)
	if s.level != 0 && 2*b.p.Price <= s.room {
		b.countSplits(f, s.set)
		for _, w := range f.ways {
			if w.bound > s.room || !f.split(s.set, b.p.Columns[w.column], b.samples) {
				continue
			}
			with, ok := b.value(1, f.sides[1], next, s.room-w.low[0])
			if !ok {
				continue
			}
			without, ok := b.value(1, f.sides[0], next, s.room-with)
			if !ok {
				continue
			}
			s.splits = append(s.splits, split{w.column, b.reach(f.sides[1], next, with, s.room-without),
				b.reach(f.sides[0], next, without, s.room-with)})
		}
	}
	b.bytes += int64(len(s.splits)) * int64(unsafe.Sizeof(split{}))
	b.states[i].leaves, b.states[i].splits = s.leaves, s.splits
}

// antecedents are those of each column.
func (b *treeBuilder) antecedents() (list [][]int) {
	for k := range b.p.Columns {
		list = append(list, []int{k})
	}
	return list
}

// bySizes returns the states from the largest sets to the smallest.
func (b *treeBuilder) bySizes() []int32 {
	return bySize(len(b.states), func(i int) []uint64 { return b.states[i].set })
}

// empty is the set without states.
func (b *treeBuilder) empty() *Set {
	s := &Set{price: b.p.Price, threshold: b.threshold, base: b.base, classes: len(b.p.Loss), numbers: b.p.Points,
		antecedents: b.antecedents(), Complete: b.complete}
	for i := range 64 * b.words {
		s.point = append(s.point, int32(i))
	}
	return s
}

// finish makes the set of a whole graph.
func (b *treeBuilder) finish() *Set {
	return b.empty().of(b.bySizes(), func(i int32) state {
		return state{set: b.states[i].set, ends: b.states[i].leaves, splits: slices.Clone(b.states[i].splits)}
	})
}
