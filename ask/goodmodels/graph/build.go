package graph

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/parallel"
)

// T7. States are taken in the order of d(u), the least cost of a prefix that reaches u. If a
// child of u by an edge of cost c is dropped only when d(u) + c + V(child) exceeds the
// threshold, then after the pass every u with d(u) + V(u) within it is there with its exact d,
// and the completions of u that stay within it are all paths of the graph (by induction on the
// path).
//
// An edge costs P at least. So states whose d differ by less than P cannot lower one another's
// d: all with d in [D, D+P), D the least that is open, are expanded side by side, and the graph
// is the same for any number of workers.
//
// An edge stands for rules of all labels: where that of the cheapest label is part of no good list,
// none is. Beside the bounds of V that value.go lists, an edge (u,s) is dropped by support with slack: to delete
// the rule from a list costs at most g(s∩u), what it gains, and saves P, so a list by way of it costs
// d(u) + V(u) + P − g(s∩u) at least.

// Options limit a build. The zero value has no limits and takes all cores.
type Options struct {
	Workers  int
	States   int            // the most states; 0: no limit
	Memory   int64          // bytes of states and memo; 0: no limit
	Time     time.Duration  // 0: no limit
	Proof    *Proof         // where a proof that none is missing goes; nil: none is written
	Progress func(Progress) // called from one goroutine; nil: never
	Every    time.Duration  // between two calls of Progress; 0: a second
}

// Progress is a look at a build.
type Progress struct {
	Elapsed time.Duration
	States  int   // of the graph so far
	Open    int   // of these, not expanded
	Nodes   int64 // sets that had to be bounded by counting
}

// ErrLimit reports that a limit did not allow even the lists that are as good as the optimum.
var ErrLimit = errors.New("a limit on time, memory or states does not allow even all lists as good as the optimum: allow more, or a " +
	"larger λ")

// builder is a build of lists.
type builder struct {
	*layout
	threshold int64    // beyond base
	sets      []uint64 // words of each state
	d         []int64  // of each state, the least cost of a prefix
	v         []int64  // and of a completion
	last      []int64  // of each state and class, what a default costs there
	edges     []edge
	from, to  []int32 // where the edges of a state begin and end; −1 where it was not expanded
	known     map[bitvec.Key]int32

	weights    *weights
	proposer   *proposer
	stage      int   // of the weights
	mostNodes  int64 // after which the next stage is due; 0: never
	liveBlocks int
	memo       *memo
	costHash   *bitvec.Hasher
	hash       *bitvec.Hasher
	budget     *parallel.Budget
	options    Options
	start      time.Time
	states     atomic.Int64 // for others to read, as is open
	open       atomic.Int64
	ctx        context.Context
	stopped    atomic.Bool
	workers    []*worker
}

// edge is rules that lead from one state to another.
type edge struct{ child, column int32 }

// worker is one goroutine's part of a build.
type worker struct {
	*builder
	frames []*frame
	claim  bound
	forgot forgetting
	nodes  int64
	seen   atomic.Int64 // nodes, for others to read
}

// BuildLists finds all plain rule lists whose objective is at most threshold. If a limit does not allow
// that, it finds those within a smaller threshold (limit.go), which Set.Threshold tells.
func BuildLists(ctx context.Context, p *Problem, threshold int64, o Options) (*Set, error) {
	b, err := newBuilder(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if threshold > mostObjective {
		return nil, ErrScale
	}
	defer b.report()()
	s, err := b.largest(threshold - b.base)
	if err == nil && o.Proof != nil {
		err = b.prove(o.Proof)
	}
	return s, err
}

func newBuilder(ctx context.Context, p *Problem, o Options) (*builder, error) {
	l, err := newLayout(p)
	if err != nil {
		return nil, err
	}
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	b := &builder{layout: l, options: o, start: time.Now(), ctx: ctx}
	b.liveBlocks = (l.live + bitvec.Lanes - 1) / bitvec.Lanes
	b.budget = &parallel.Budget{Limit: (o.Memory + 1) / 2}
	b.budget.Take(parallel.KeyMapBytes)
	b.memo = parallel.NewKeyMap[bound](b.budget)
	b.costHash, b.hash = bitvec.NewHasher(l.costWords), bitvec.NewHasher(l.words)
	b.proposer = newProposer(l, o.Workers)
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

// build makes the graph for a threshold beyond base.
func (b *builder) build(threshold int64) error {
	b.threshold = threshold
	b.stopped.Store(false)
	b.known = map[bitvec.Key]int32{}
	b.sets, b.d, b.v, b.last, b.from, b.to, b.edges = nil, nil, nil, nil, nil, nil, nil
	for _, w := range b.workers {
		w.frames, w.forgot = nil, 0
	}
	w := b.workers[0]
	f := w.frame(0)
	copy(f.u, b.all)
	b.weights.within(f)
	v, ok := w.value(0, b.costHash.Hash(f.u), b.threshold)
	if ok {
		b.d[b.add(b.all, b.hash.Hash(b.all), v, b.losses(nil, b.all))] = 0
	}
	open := make([]int32, len(b.d))
	for len(open) > 0 && !b.halted() {
		least := b.d[slices.MinFunc(open, func(i, j int32) int { return cmp.Compare(b.d[i], b.d[j]) })]
		var now, later []int32
		for _, i := range open {
			if b.d[i] < least+b.Price {
				now = append(now, i)
			} else {
				later = append(later, i)
			}
		}
		before := len(b.d)
		for chunk := range slices.Chunk(now, mostAtOnce) {
			if b.halted() {
				break
			}
			b.merge(b.expandAll(chunk))
			if o := b.options; o.States > 0 && len(b.d) > o.States || o.Memory > 0 && b.bytes() > o.Memory/2 {
				return ErrLimit
			}
			b.states.Store(int64(len(b.d)))
			b.open.Store(int64(len(later) + len(b.d) - before))
		}
		open = later
		for i := before; i < len(b.d); i++ {
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

// add makes a state.
func (b *builder) add(set []uint64, key bitvec.Key, v int64, last []int64) int32 {
	i := int32(len(b.d))
	b.known[key] = i
	b.sets, b.last = append(b.sets, set...), append(b.last, last...)
	b.d, b.v = append(b.d, none), append(b.v, v)
	b.from, b.to = append(b.from, -1), append(b.to, -1)
	return i
}

// bytes is about the memory of the graph. The memo has the other half of what is allowed. A full
// one makes a build slower, and then ends the attempt.
func (b *builder) bytes() int64 {
	const state = 2*8 + 2*4 + 40 // with its place in the map
	return int64(len(b.d))*(8*int64(b.words+b.classes)+state) + int64(len(b.edges))*int64(unsafe.Sizeof(edge{}))
}

// report tells of progress from a goroutine of its own, until the returned function is called: a level of
// the graph may take long.
func (b *builder) report() (end func()) {
	if b.options.Progress == nil {
		return func() {}
	}
	every := b.options.Every
	if every <= 0 {
		every = time.Second
	}
	tick, done := time.NewTicker(every), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				b.options.Progress(Progress{Elapsed: time.Since(b.start), States: int(b.states.Load()), Open: int(b.open.Load()),
					Nodes: b.nodes()})
			}
		}
	})
	return func() {
		tick.Stop()
		close(done)
		group.Wait()
	}
}

// found is what a column makes of a state: a child.
type found struct {
	from, column int32
	cost         int64 // of the cheapest rule
	v            int64 // of the child
	key          bitvec.Key
	set, last    int // where its words, and what defaults cost there, begin
}

// block is what one worker found of some states.
type block struct {
	found []found
	words []uint64
	last  []int64
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

// expand finds the children of a state.
func (w *worker) expand(state int32, out *block) {
	d, v := w.d[state], w.v[state]
	set := w.sets[int(state)*w.words : (int(state)+1)*w.words]
	f := w.frame(0)
	copy(f.u, set)
	w.weights.within(f)
	w.weigh(f)
	w.count(f, w.matrix.Blocks())
	slack := w.threshold - d - v
	for s, column := range w.columns {
		wrong, gain, after := f.column(s)
		cost := w.Price + w.unit*wrong
		room := w.threshold - d - cost
		if room < max(min(w.Price, w.unit*after), v-cost, w.weights.bound(f.sum-f.hit[s])) || w.Price-w.unit*gain > slack ||
			!w.splits(set, column) {
			continue
		}
		child := w.frame(1)
		key := w.costHash.AndNotHash(child.u, f.u, column)
		w.weights.leave(child, f, s)
		value, ok := w.value(1, key, room)
		if w.stopped.Load() {
			return
		}
		if !ok {
			continue
		}
		x := found{from: state, column: int32(s), cost: cost, v: value, set: len(out.words), last: len(out.last)}
		for q := range w.classes {
			out.last = append(out.last, w.unit*(f.most-f.all[q]-wrong-gain+f.gain[q][s]))
		}
		out.words = append(out.words, set...)
		x.key = w.hash.AndNotHash(out.words[x.set:], set, column)
		out.found = append(out.found, x)
	}
}

// merge adds what was found to the graph.
func (b *builder) merge(blocks []block) {
	for i := range blocks {
		for j := range blocks[i].found {
			x := &blocks[i].found[j]
			child, ok := b.known[x.key]
			if !ok {
				child = b.add(blocks[i].words[x.set:x.set+b.words], x.key, x.v, blocks[i].last[x.last:x.last+b.classes])
			}
			if b.from[x.from] < 0 {
				b.from[x.from] = int32(len(b.edges))
			}
			b.edges = append(b.edges, edge{child, x.column})
			b.d[child] = min(b.d[child], b.d[x.from]+x.cost)
			b.to[x.from] = int32(len(b.edges))
		}
		blocks[i] = block{}
	}
}

// points returns the points of a state, and defaults what predicting each class for all of them costs.
func (b *builder) points(state int32) []uint64 {
	return b.sets[int(state)*b.words : (int(state)+1)*b.words]
}

func (b *builder) defaults(state int32) []int64 {
	return b.last[int(state)*b.classes : (int(state)+1)*b.classes]
}

// out returns the edges of a state.
func (b *builder) out(state int32) (list []split) {
	for _, e := range b.edges[max(b.from[state], 0):max(b.to[state], 0)] {
		list = append(list, split{e.column, rule, e.child})
	}
	return list
}

// bySizes returns the states from the largest sets to the smallest.
func (b *builder) bySizes() []int32 {
	return bySize(len(b.d), func(i int) []uint64 { return b.points(int32(i)) })
}

// empty is a set of lists without states, for a threshold beyond base.
func (l *layout) empty(threshold int64) *Set {
	return &Set{lists: true, price: l.Price, threshold: threshold, base: l.base, classes: l.classes, numbers: l.Points, point: l.point,
		antecedents: l.antecedents, Complete: true}
}

// finish makes the set of a whole graph.
func (b *builder) finish() *Set {
	return b.empty(b.threshold).of(b.bySizes(), func(i int32) state {
		return state{set: b.points(i), ends: b.defaults(i), splits: b.out(i)}
	})
}
