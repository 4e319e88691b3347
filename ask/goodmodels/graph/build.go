package graph

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/parallel"
)

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

const (
	mostAtOnce = 1 << 14 // states between two merges
	blockSize  = 16      // states that a worker takes at a time
)

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
