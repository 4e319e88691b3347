package parallel

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"parcorels/internal/testing/cases"
)

// forest is a small client of the engine: it searches a made-up tree for its
// smallest objective. The tree below a node is drawn from a hash, so that the
// tree's size and its smallest objective are known, whatever the workers do.
type forest struct {
	shape     shape
	run       *Run
	queue     *Queue[node]
	budget    Budget
	incumbent Incumbent[number]

	mu    sync.Mutex
	trees []*tree // by node

	nodes  int64 // in the whole tree
	least  int64 // smallest objective
	done   atomic.Int64
	stopAt int64 // stop after so many nodes; 0: never
}

// tree is a node of the search.
type tree struct {
	hash      uint64
	depth     int
	cost      int64
	objective int64
}

// The search's bounds: the root's, and that of the first incumbent.
const (
	rootBound = 100
	price     = 100
	firstBest = rootBound + 1000*price
)

func (t *tree) bound() int64 { return t.cost + price }

type shape struct {
	name     string
	seed     uint64
	depth    int
	children func(hash uint64, depth int) int
	often    int   // times as many rounds as the others
	prune    bool  // by the incumbent
	room     int64 // bytes beyond what the queue takes at the start; −1: no limit
}

var shapes = []shape{
	{name: "chain", depth: 300, room: -1, children: func(uint64, int) int { return 1 }},
	{name: "pairs", depth: 11, room: -1, children: func(uint64, int) int { return 2 }},
	{name: "star", depth: 2, room: -1, children: func(_ uint64, depth int) int { return 900 - 899*depth }},
	{name: "critical", depth: 60, room: -1, children: func(h uint64, depth int) int { return int(h%3) + max(0, 4-depth) }},
	{name: "bursts", depth: 40, room: -1, children: func(h uint64, depth int) int {
		if depth == 0 || h%80 == 0 {
			return 100 / (depth + 1)
		}
		return int(h>>8) % 3 / 2 * 2
	}},
	{name: "pruned", depth: 9, room: -1, prune: true, children: func(h uint64, _ int) int { return int(h % 6) }},
	{name: "tiny", depth: 3, often: 10, room: -1, children: func(h uint64, _ int) int { return int(h % 4) }},
	{name: "crowd", depth: 2, room: 0, children: func(h uint64, depth int) int {
		if depth == 0 {
			return 5000 // more than the first slab of the queue
		}
		return int(h % 2)
	}},
	{name: "little memory", depth: 9, room: 2 * slabBytes, children: func(h uint64, _ int) int { return 2 + int(h%2) }},
	{name: "no memory", depth: 8, room: 0, prune: true, children: func(h uint64, _ int) int { return 2 + int(h%2) }},
}

// newForest makes the tree and the structures of a search over it.
func newForest(sh shape, workers int) *forest {
	f := &forest{shape: sh, least: firstBest}
	root := &tree{hash: scatter(sh.seed + 1)}
	f.walk(root)
	best := number(firstBest)
	f.incumbent.Offer(&best)
	first := int64(firstBest)
	if sh.seed%2 == 1 { // bounds above the first incumbent's objective share the top level
		first = f.least
	}
	f.run = NewRun(Limits{Workers: workers})
	if sh.room >= 0 {
		f.budget.Limit = max(sh.room, 1)
	}
	f.queue = NewQueue[node](f.run, NewLevels(rootBound, first), 32, f.budget.Reserve)
	if sh.room == 0 {
		f.queue.Shrink(3)
	}
	f.queue.Worker(0).Push(0, []Entry[node]{f.entry(root)})
	return f
}

// entry gives a tree a node.
func (f *forest) entry(t *tree) Entry[node] {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trees = append(f.trees, t)
	return Entry[node]{Node: node(len(f.trees) - 1), Bucket: uint32(t.cost/price) % Buckets, Bound: t.bound()}
}

func (f *forest) tree(n node) *tree {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.trees[n]
}

// child draws the i-th child of a node: its cost rises by a price and sometimes
// more, and its objective is never less than that.
func (t *tree) child(i int) *tree {
	x := scatter(t.hash + uint64(i)*0x9e3779b97f4a7c15)
	cost := t.cost + price + int64(x>>32%4)*int64(x>>40%60)
	return &tree{hash: scatter(t.hash ^ uint64(i) + 1), depth: t.depth + 1, cost: cost, objective: cost + int64(x>>48%2000)}
}

func (f *forest) children(t *tree) int {
	if t.depth >= f.shape.depth {
		return 0
	}
	return f.shape.children(t.hash, t.depth)
}

// walk counts the tree.
func (f *forest) walk(t *tree) {
	f.nodes++
	for i := range f.children(t) {
		c := t.child(i)
		f.least = min(f.least, c.objective)
		f.walk(c)
	}
}

// search lets a worker process what it finds.
func (f *forest) search(i int) {
	w := f.queue.Worker(i)
	for n, ok := w.Next(Nothing); ok; n, ok = w.Next(Nothing) {
		t := f.tree(n)
		if f.wanted(t) && !f.expand(w, t) {
			return
		}
		w.Finished(t.bound())
	}
}

func (f *forest) wanted(t *tree) bool {
	return !f.shape.prune || t.bound() < int64(*f.incumbent.Load())
}

// expand makes the children of a node, and searches below those that the queue
// has no memory for. It reports false if the run has ended: then the node, and
// children that it does not tell of, stay open.
func (f *forest) expand(w *Worker[node], t *tree) bool {
	if n := f.done.Add(1); n == f.stopAt {
		f.run.Halt(TimeLimit)
	}
	var entries []Entry[node]
	for i := range f.children(t) {
		if !f.run.Running() {
			return false
		}
		c := t.child(i)
		objective := number(c.objective)
		f.incumbent.Offer(&objective)
		entries = append(entries, f.entry(c))
	}
	if t.hash%4 == 0 {
		runtime.Gosched()
	}
	for _, e := range entries[w.Push(t.depth+1, entries):] {
		if c := f.tree(e.Node); f.wanted(c) && !f.expand(w, c) {
			return false
		}
		w.Finished(e.Bound)
	}
	return true
}

// watch reads the best bound while the search runs, as progress does: it never
// falls, and never exceeds the smallest objective.
func (f *forest) watch(t *testing.T, over <-chan struct{}) {
	last := int64(math.MinInt64)
	for {
		bound, open := f.queue.BestBound()
		best := int64(*f.incumbent.Load()) // after the bound: what is not open any more has been offered
		if !open || best < bound {
			bound = best
		}
		if bound > f.least {
			t.Errorf("the best bound is %d, %d can be had", bound, f.least)
			return
		}
		if bound < last {
			t.Errorf("the best bound fell from %d to %d", last, bound)
			return
		}
		last = bound
		select {
		case <-over:
			return
		default:
			runtime.Gosched()
		}
	}
}

func (f *forest) runWatched(t *testing.T) {
	over := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { f.watch(t, over) })
	f.run.Do(t.Context(), Watch{}, f.search)
	close(over)
	wg.Wait()
}

// eachForest searches forests of all shapes, which prepare sees first, with a part of 1, and checks how the search ended.
func eachForest(t *testing.T, prepare func(f *forest, part float64), check func(t *testing.T, f *forest)) {
	seeds := 40
	if !cases.All() {
		seeds = 3
	}
	for _, sh := range shapes {
		t.Run(sh.name, func(t *testing.T) {
			for seed := range seeds * max(1, sh.often) {
				sh.seed = uint64(seed)
				f := newForest(sh, []int{1, 2, 3, 8}[seed%4])
				prepare(f, float64(seed%seeds)/float64(seeds))
				f.runWatched(t)
				if check(t, f); t.Failed() {
					t.Fatalf("seed %d, %d workers, %d nodes, to be stopped after %d", seed, f.run.Workers(), f.nodes, f.stopAt)
				}
			}
		})
	}
}

// TestTermination: searches end, not before everything is done, and the best
// bound is sound and monotone all the way.
func TestTermination(t *testing.T) {
	eachForest(t, func(*forest, float64) {}, func(t *testing.T, f *forest) { f.checkEnd(t) })
}

// checkEnd: nothing is open, nothing was left out or done twice.
func (f *forest) checkEnd(t *testing.T) {
	t.Helper()
	if got := f.run.End(); got != Optimal || f.queue.Status() != Optimal {
		t.Errorf("the search ended with %v", got)
	}
	if got := f.done.Load(); !f.shape.prune && got != f.nodes {
		t.Errorf("%d nodes were expanded, want %d", got, f.nodes)
	}
	if got := int64(*f.incumbent.Load()); got != f.least {
		t.Errorf("the best objective found is %d, want %d", got, f.least)
	}
	if n := f.queue.Open(); n != 0 {
		t.Errorf("%d nodes are outstanding at the end", n)
	}
	if bound, open := f.queue.BestBound(); open {
		t.Errorf("something with bound %d is open at the end", bound)
	}
	for i, sd := range f.queue.shards {
		if sd.size.Load() != 0 || sd.best.Load() != noBucket {
			t.Errorf("shard %d holds %d nodes at the end", i, sd.size.Load())
		}
	}
}

// TestStopping stops searches on the way: every worker comes back, and what
// is proven then holds.
func TestStopping(t *testing.T) {
	eachForest(t, func(f *forest, part float64) { f.stopAt = 1 + int64(part*float64(f.nodes)/2) }, func(t *testing.T, f *forest) {
		bound, open := f.queue.BestBound()
		if open != (f.queue.Open() > 0) {
			t.Errorf("levels say %v, counters that %d are outstanding", open, f.queue.Open())
		}
		if best := int64(*f.incumbent.Load()); best > f.least && (!open || bound > f.least) {
			t.Errorf("stopped with %d, bound %d (%v); %d can be had", best, bound, open, f.least)
		}
	})
}

// TestParkedWorkersAreWoken: with work for all of them in one shard, no worker
// stays parked while nodes wait. Each holds on to its first node until every
// other has one, which hangs if somebody is not woken.
func TestParkedWorkersAreWoken(t *testing.T) {
	const workers = 8
	for range 50 {
		q := newTestQueue(workers, Levels{})
		q.Worker(0).Opened(0, 0) // somebody is busy and has not pushed yet
		var together, ended sync.WaitGroup
		together.Add(workers - 1)
		for i := 1; i < workers; i++ {
			ended.Go(func() {
				if _, ok := q.Worker(i).Next(Nothing); !ok {
					t.Error("the search ended with a node open")
				}
				together.Done()
				together.Wait()
			})
		}
		for q.parking.waiting.Load() < workers-1 {
			runtime.Gosched()
		}
		entries := make([]Entry[node], 16*workers)
		for i := range entries {
			entries[i].Node = node(i)
		}
		q.Worker(0).Push(1, entries)
		ended.Wait()
	}
}

// TestCountedBeforeQueued: nodes are counted as open before anybody can take
// them, or one could be finished, and the end declared, before it was counted.
// The queue asks for memory in the middle of a push.
func TestCountedBeforeQueued(t *testing.T) {
	q := newTestQueue(1, Levels{})
	w := q.Worker(0)
	asked := false
	q.Shrink(0)
	w.shard.reserve = func(int64) bool {
		asked = true
		if n := q.Open(); n != 5 {
			t.Errorf("%d nodes are counted while 5 are being queued", n)
		}
		if _, open := q.BestBound(); !open {
			t.Error("the levels do not count nodes that are being queued")
		}
		return true
	}
	w.Push(1, make([]Entry[node], 5))
	if !asked {
		t.Error("the queue did not ask for memory")
	}
}
