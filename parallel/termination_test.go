package parallel

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/trie"
)

// forest is a search over a made-up tree: the queue, the counters, the levels,
// the parking of idle workers and the nodes are those of a real search, only
// what lies below a prefix is drawn from a hash of its columns. So its size
// and its smallest objective are known, whatever the workers do.
type forest struct {
	shape shape
	s     *search

	prefixes int64 // in the whole tree
	least    int64 // smallest objective
	done     atomic.Int64
	stopAt   int64 // stop after so many prefixes; 0: never
}

type shape struct {
	name     string
	seed     uint64
	depth    int
	children func(hash uint64, depth int) int
	often    int   // times as many rounds as the others
	prune    bool  // by the incumbent
	room     int64 // bytes beyond what the structures take at the start; −1: no limit
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
			return 5000 // more than the first chunk of nodes and the first slab of the queue
		}
		return int(h % 2)
	}},
	{name: "little memory", depth: 9, room: 2 * slabBytes, children: func(h uint64, _ int) int { return 2 + int(h%2) }},
	{name: "no memory", depth: 8, room: 0, prune: true, children: func(h uint64, _ int) int { return 2 + int(h%2) }},
}

// newForest makes the tree and the structures of a search over it.
func newForest(t *testing.T, sh shape, workers int) *forest {
	f := &forest{shape: sh, s: newBareSearch(t, workers)}
	f.least = f.s.p.rootCost() + 1000*f.s.p.price // the empty list
	f.walk(nil, f.s.p.rootCost())
	s := f.s
	s.incumbent = incumbent{}
	s.incumbent.offer(&solution{objective: f.s.p.rootCost() + 1000*f.s.p.price})
	s.ranker = newRanker(s.p, LowerBound, s.incumbent.load())
	s.leveller = newLeveller(s.p, s.incumbent.load())
	if sh.seed%2 == 1 { // bounds above the first incumbent's objective share the top level
		s.leveller = newLeveller(s.p, &solution{objective: f.least})
	}
	if sh.room >= 0 {
		s.budget.limit = s.budget.used.Load() + sh.room
	}
	root := s.arena.Node(trie.Root)
	root.Cost, root.Bound = s.p.rootCost(), s.p.rootCost()+s.p.price
	add(&s.counters[0].levels.inserted[s.leveller.level(root.Bound)], 1)
	add(&s.counters[0].inserted, 1)
	s.shards[0].push([]entry{{trie.Root, 0}})
	return f
}

// newBareSearch builds the shared structures for the smallest of problems.
func newBareSearch(t testing.TB, workers int) *search {
	t.Helper()
	column := bitset.New(4).Set(0).Set(1)
	in, err := instance.New([]*bitset.BitSet{column}, bitset.New(4).Set(0).Set(1).Set(2), nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Lambda: ratio.Ratio{Num: 1, Den: 100}, Workers: workers}
	p, err := newProblem(in, o)
	if err != nil {
		t.Fatal(err)
	}
	for len(p.names) < 1<<16 { // columns that exist in name alone
		p.names = append(p.names, uint16(len(p.names)))
	}
	s := &search{p: p, o: o}
	s.incumbent.offer(&solution{objective: p.emptyObjective()})
	if !s.build() {
		t.Fatal("the structures do not fit into no limit")
	}
	return s
}

// hash identifies a prefix.
func (f *forest) hash(prefix []uint16) uint64 {
	h := f.shape.seed + 1
	for _, col := range prefix {
		h = scatter(h ^ uint64(col) + 1)
	}
	return h
}

// child draws the i-th child of a prefix: its cost rises by a rule's price and
// sometimes more, and its list is never cheaper than that.
func (f *forest) child(h uint64, cost int64, i int) (col uint16, c, objective int64) {
	x := scatter(h + uint64(i)*0x9e3779b97f4a7c15)
	c = cost + f.s.p.price + int64(x>>32%4)*int64(x>>40%60)
	return uint16(i), c, c + int64(x>>48%2000)
}

func (f *forest) children(h uint64, depth int) int {
	if depth >= f.shape.depth {
		return 0
	}
	return f.shape.children(h, depth)
}

// walk counts the tree.
func (f *forest) walk(prefix []uint16, cost int64) {
	f.prefixes++
	h := f.hash(prefix)
	for i := range f.children(h, len(prefix)) {
		col, c, objective := f.child(h, cost, i)
		f.least = min(f.least, objective)
		f.walk(append(prefix[:len(prefix):len(prefix)], col), c)
	}
}

// run searches the tree.
func (f *forest) run() {
	s := f.s
	var wg sync.WaitGroup
	for i := range s.o.Workers {
		wg.Go(func() {
			w := newWorker(s, i)
			for id, ok := w.next(); ok && f.process(w, id); id, ok = w.next() {
			}
		})
	}
	wg.Wait()
}

// process is worker.process with the made-up tree in the place of counts.
func (f *forest) process(w *worker, id trie.ID) bool {
	w.trie.Pin()
	defer w.trie.Unpin()
	n := w.s.arena.Node(id)
	bound := n.Bound
	if !f.shape.prune || w.wanted(bound, int(n.Depth)) {
		fr := w.frame(0)
		fr.id, fr.rooted, fr.depth, fr.cost = id, true, int(n.Depth), n.Cost
		fr.prefix = w.s.path(id, fr.prefix)
		if !f.expand(w, 0) {
			return false
		}
	}
	w.finish(id, bound, bound%2 == 0)
	return true
}

// expand makes the children of a frame's prefix and searches below those that
// find no memory.
func (f *forest) expand(w *worker, level int) bool {
	fr := w.frame(level)
	if n := f.done.Add(1); n == f.stopAt {
		w.s.halt(timeUp)
	}
	fr.children = fr.children[:0]
	h := f.hash(fr.prefix)
	for i := range f.children(h, fr.depth) {
		if w.s.stop.Load() != running {
			return false
		}
		col, cost, objective := f.child(h, fr.cost, i)
		w.s.incumbent.offer(&solution{objective: objective, list: append(append([]uint16(nil), fr.prefix...), col)})
		c := child{col: int(col), cost: cost, objective: objective}
		if w.adopt(fr, &c) {
			w.enqueue(fr, &c)
		} else {
			fr.children = append(fr.children, c)
		}
	}
	if h%4 == 0 {
		runtime.Gosched()
	}
	w.flush(fr)
	for i := range fr.children {
		if !f.expandBelow(w, level, &fr.children[i]) {
			return false
		}
	}
	fr.children = fr.children[:0]
	return true
}

func (f *forest) expandBelow(w *worker, level int, c *child) bool {
	fr, below := w.frame(level), w.frame(level+1)
	bound, queued := c.cost+w.s.p.price, c.owned
	if !f.shape.prune || !w.s.incumbent.load().beaten(bound, fr.depth+2) {
		w.adopt(fr, c)
		below.id, below.rooted, below.depth, below.cost = c.id, c.owned, fr.depth+1, c.cost
		below.prefix = append(append(below.prefix[:0], fr.prefix...), uint16(c.col))
		if !f.expand(w, level+1) {
			return false
		}
	}
	switch {
	case queued:
		w.finish(c.id, bound, false)
	case c.owned:
		w.trie.Release(c.id)
	}
	return true
}

// watch reads the best bound while the search runs, as progress does: it never
// falls, and never exceeds the smallest objective.
func (f *forest) watch(t *testing.T, over <-chan struct{}) {
	last := int64(math.MinInt64)
	for {
		bound, open := f.s.leveller.bestBound(f.s.counters)
		best := f.s.incumbent.load().objective // after the bound: what is not open any more has been offered
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

// guard ends the process when a test hangs, which no deadline inside the
// search's own goroutines can be trusted to do.
func guard(t *testing.T) {
	timer := time.AfterFunc(2*time.Minute, func() {
		panic(fmt.Sprintf("%s hangs: a prefix or a wake-up was lost", t.Name()))
	})
	t.Cleanup(func() { timer.Stop() })
}

func (f *forest) runWatched(t *testing.T) {
	guard(t)
	over := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { f.watch(t, over) })
	f.run()
	close(over)
	wg.Wait()
}

// TestTermination: searches end, not before everything is done, and the best
// bound is sound and monotone all the way.
func TestTermination(t *testing.T) {
	seeds := 40
	if testing.Short() {
		seeds = 3
	}
	for _, sh := range shapes {
		t.Run(sh.name, func(t *testing.T) {
			for seed := range seeds * max(1, sh.often) {
				sh.seed = uint64(seed)
				f := newForest(t, sh, []int{1, 2, 3, 8}[seed%4])
				f.runWatched(t)
				f.checkEnd(t)
				if t.Failed() {
					t.Fatalf("seed %d, %d workers, %d prefixes", seed, f.s.o.Workers, f.prefixes)
				}
			}
		})
	}
}

// checkEnd: nothing is open, nothing was left out or done twice.
func (f *forest) checkEnd(t *testing.T) {
	t.Helper()
	s := f.s
	if got := s.stop.Load(); got != finished {
		t.Errorf("the search stopped for reason %d", got)
	}
	if got := f.done.Load(); !f.shape.prune && got != f.prefixes {
		t.Errorf("%d prefixes were expanded, want %d", got, f.prefixes)
	}
	if got := s.incumbent.load().objective; got != f.least {
		t.Errorf("the best objective found is %d, want %d", got, f.least)
	}
	if n := outstanding(s.counters); n != 0 {
		t.Errorf("%d prefixes are outstanding at the end", n)
	}
	if bound, open := s.leveller.bestBound(s.counters); open {
		t.Errorf("something with bound %d is open at the end", bound)
	}
	for i, sd := range s.shards {
		if sd.size.Load() != 0 || sd.best.Load() != noBucket {
			t.Errorf("shard %d holds %d prefixes at the end", i, sd.size.Load())
		}
	}
}

// TestStopping stops searches on the way: every worker comes back, and what
// is proven then holds.
func TestStopping(t *testing.T) {
	seeds := 40
	if testing.Short() {
		seeds = 3
	}
	for _, sh := range shapes {
		t.Run(sh.name, func(t *testing.T) {
			for seed := range seeds * max(1, sh.often) {
				sh.seed = uint64(seed)
				f := newForest(t, sh, []int{1, 2, 3, 8}[seed%4])
				f.stopAt = 1 + f.prefixes*int64(seed%seeds)/int64(2*seeds)
				f.runWatched(t)
				bound, open := f.s.leveller.bestBound(f.s.counters)
				if open != (outstanding(f.s.counters) > 0) {
					t.Errorf("levels say %v, counters that %d are outstanding", open, outstanding(f.s.counters))
				}
				if best := f.s.incumbent.load().objective; best > f.least && (!open || bound > f.least) {
					t.Errorf("stopped with %d, bound %d (%v); %d can be had", best, bound, open, f.least)
				}
				if t.Failed() {
					t.Fatalf("seed %d, %d workers, %d prefixes, stopped after %d", seed, f.s.o.Workers, f.prefixes, f.stopAt)
				}
			}
		})
	}
}

// TestParkedWorkersAreWoken: with work for all of them in one shard, no worker
// stays parked while prefixes wait. Each holds on to its first prefix until
// every other has one, which hangs if somebody is not woken.
func TestParkedWorkersAreWoken(t *testing.T) {
	guard(t)
	const workers = 8
	for range 50 {
		s := newBareSearch(t, workers)
		add(&s.counters[0].inserted, 1) // somebody is busy and has not pushed yet
		var together, ended sync.WaitGroup
		together.Add(workers - 1)
		for i := 1; i < workers; i++ {
			ended.Go(func() {
				w := newWorker(s, i)
				if _, ok := w.next(); !ok {
					t.Error("the search ended with a prefix open")
				}
				together.Done()
				together.Wait()
			})
		}
		for s.idle.waiting.Load() < workers-1 {
			runtime.Gosched()
		}
		w := newWorker(s, 0)
		h := w.trie
		h.Pin()
		f := w.frame(0)
		f.id, f.rooted = trie.Root, true
		for i := range 16 * workers {
			c := child{col: i}
			w.adopt(f, &c)
			w.enqueue(f, &c)
		}
		w.flush(f)
		h.Unpin()
		ended.Wait()
	}
}

// TestCountedBeforeQueued: prefixes are counted as open before anybody can take
// them, or one could be finished, and the end declared, before it was counted.
// The queue asks for memory in the middle of a push.
func TestCountedBeforeQueued(t *testing.T) {
	s := newBareSearch(t, 1)
	w := newWorker(s, 0)
	asked := false
	w.shard.free, w.shard.reserve = 0, func(int64) bool {
		asked = true
		if n := outstanding(s.counters); n != 5 {
			t.Errorf("%d prefixes are counted while 5 are being queued", n)
		}
		if _, open := s.leveller.bestBound(s.counters); !open {
			t.Error("the levels do not count prefixes that are being queued")
		}
		return true
	}
	h := w.trie
	h.Pin()
	f := w.frame(0)
	f.id, f.rooted = trie.Root, true
	for i := range 5 {
		c := child{col: i}
		w.adopt(f, &c)
		w.enqueue(f, &c)
	}
	w.flush(f)
	h.Unpin()
	if !asked {
		t.Error("the queue did not ask for memory")
	}
}
