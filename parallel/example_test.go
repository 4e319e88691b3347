package parallel_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parcorels/bitvec"
	"parcorels/parallel"
)

// partition is a whole client of the engine. It divides numbers into two heaps
// whose sums differ as little as can be: a node says in which heap the first few
// numbers lie, its children where the next one goes.
type partition struct {
	numbers   []int64
	rest      []int64 // sums of the numbers from each place on
	run       *parallel.Run
	queue     *parallel.Queue[id]
	known     *parallel.KeyMap[difference]
	budget    parallel.Budget
	incumbent parallel.Incumbent[division]

	mu    sync.Mutex
	nodes []node
}

type id uint32 // index into partition.nodes

// node is a beginning: how many numbers are placed, and how far the heaps differ.
type node struct {
	placed     int
	difference int64
}

// difference is a value of the map: one more than what a node differs by.
type difference uint64

// division is a solution. The smaller difference is better.
type division struct{ difference int64 }

func (d division) Better(than *division) bool { return d.difference < than.difference }

func newPartition(numbers []int64, workers int) *partition {
	p := &partition{numbers: numbers, rest: make([]int64, len(numbers)+1)}
	for i := len(numbers) - 1; i >= 0; i-- {
		p.rest[i] = p.rest[i+1] + numbers[i]
	}
	p.incumbent.Offer(&division{p.rest[0]})
	p.run = parallel.NewRun(parallel.Limits{Workers: workers, Start: time.Now()})
	p.queue = parallel.NewQueue[id](p.run, parallel.NewLevels(0, p.rest[0]), 0, p.budget.Reserve)
	p.known = parallel.NewKeyMap[difference](&p.budget)
	p.queue.Worker(0).Push(0, []parallel.Entry[id]{p.entry(node{})})
	return p
}

// bound is the least that a node's heaps can differ by in the end.
func (p *partition) bound(n node) int64 { return max(0, n.difference-p.rest[n.placed]) }

func (p *partition) entry(n node) parallel.Entry[id] {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nodes = append(p.nodes, n)
	deepFirst := uint32(len(p.numbers) - n.placed)
	return parallel.Entry[id]{Node: id(len(p.nodes) - 1), Bucket: deepFirst, Bound: p.bound(n)}
}

func (p *partition) node(i id) node {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nodes[i]
}

// work is what each worker does.
func (p *partition) work(i int) {
	w := p.queue.Worker(i)
	for next, ok := w.Next(parallel.Nothing); ok; next, ok = w.Next(parallel.Nothing) {
		n := p.node(next)
		if p.bound(n) < p.incumbent.Load().difference {
			if !p.run.MayExpand() {
				return
			}
			children := p.expand(n)
			if w.Push(n.placed+1, children) < len(children) {
				panic("a budget without a limit refuses memory")
			}
		}
		w.Finished(p.bound(n))
	}
}

func (p *partition) expand(n node) (children []parallel.Entry[id]) {
	if n.placed == len(p.numbers) {
		p.incumbent.Offer(&division{n.difference})
		return nil
	}
	more := p.numbers[n.placed]
	for _, d := range []int64{n.difference + more, max(n.difference-more, more-n.difference)} {
		if child := (node{n.placed + 1, d}); p.isNew(child) {
			children = append(children, p.entry(child))
		}
	}
	return children
}

// isNew reports whether no worker has met a node with as many numbers placed and
// the same difference.
func (p *partition) isNew(n node) bool {
	key := bitvec.Key{Hi: uint64(n.placed+1) * 0x9e3779b97f4a7c15, Lo: uint64(n.difference+1) * 0xbf58476d1ce4e5b9}
	outcome, _ := p.known.Offer(key, difference(n.difference+1), first{})
	return outcome != parallel.Refused
}

// first is the claim of the first to come.
type first struct{}

func (first) Against(difference) parallel.Verdict { return parallel.Loses }

// A search in full: make the structures, put the root into the queue, run the
// workers, and ask how it ended.
func Example() {
	p := newPartition([]int64{771, 121, 281, 854, 885, 734, 486, 1003, 83, 62}, 4)
	p.run.Do(context.Background(), parallel.Watch{}, p.work)
	fmt.Println(p.queue.Status(), p.incumbent.Load().difference)
	// Output: optimal 0
}

// TestLimits ends runs in each of the ways that there are.
func TestLimits(t *testing.T) {
	numbers := make([]int64, 30)
	for i := range numbers {
		numbers[i] = int64(1 + i*i*7919%100_003)
	}
	numbers[0] = 1 << 22 // no difference of 0, so that there is something to prove
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		limits parallel.Limits
		ctx    context.Context
		want   parallel.Status
	}{
		{parallel.Limits{Workers: 3, Nodes: 50}, t.Context(), parallel.NodeLimit},
		{parallel.Limits{Workers: 3, Time: time.Nanosecond}, t.Context(), parallel.TimeLimit},
		{parallel.Limits{Workers: 3}, cancelled, parallel.Interrupted},
	} {
		p := newPartition(numbers, 3)
		c.limits.Start = time.Now()
		p.run = parallel.NewRun(c.limits)
		p.queue = parallel.NewQueue[id](p.run, parallel.Levels{}, 0, p.budget.Reserve)
		p.queue.Worker(0).Push(0, []parallel.Entry[id]{p.entry(node{})})
		var looks atomic.Int32
		watch := parallel.Watch{ProgressEvery: time.Hour, OnProgress: func() { looks.Add(1) }}
		p.run.Do(c.ctx, watch, func(i int) {
			if c.want != parallel.NodeLimit {
				<-p.run.Done()
			}
			p.work(i)
		})
		if got := p.queue.Status(); got != c.want || p.run.End() != c.want || looks.Load() != 0 {
			t.Errorf("ended with %v, %v after %d looks; want %v", got, p.run.End(), looks.Load(), c.want)
		}
		if bound, open := p.queue.BestBound(); !open || bound > p.incumbent.Load().difference {
			t.Errorf("%v: best bound %d, %v", c.want, bound, open)
		}
	}
}

// TestStandStill asks for pauses all the time: while the workers stand still
// nothing changes, and the search ends all the same.
func TestStandStill(t *testing.T) {
	numbers := make([]int64, 24)
	for i := range numbers {
		numbers[i] = int64(1 + i*i*7919%10_007)
	}
	p := newPartition(numbers, 4)
	pauses, still := 0, true
	watch := parallel.Watch{PauseEvery: time.Millisecond, OnPause: func(resume func() bool) {
		pauses++
		before := p.queue.Made()
		time.Sleep(10 * time.Microsecond)
		still = still && p.queue.Made() == before
		resume()
	}}
	p.run.Do(t.Context(), watch, p.work)
	if !still || p.queue.Status() != parallel.Optimal {
		t.Errorf("%d pauses, nothing changed in them: %v; ended with %v", pauses, still, p.queue.Status())
	}
	t.Logf("%d pauses", pauses)
}
