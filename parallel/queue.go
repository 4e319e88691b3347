package parallel

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
	"unsafe"

	"parcorels/loop/interleave"
)

// Queue holds the open nodes of a search: a shard for each worker, the counts
// that tell how many nodes are open and what the best bound is, and what parks
// workers that find nothing. Nodes come in and out through its Workers.
type Queue[N Node] struct {
	run      *Run
	levels   Levels
	margin   int64
	shards   []*shard[N]
	counters []*counters
	workers  []*Worker[N]
	parking  parking
}

// QueueBytes is the memory of a queue's part for one worker at the start.
const QueueBytes = int64(unsafe.Sizeof(shard[uint32]{})) + slabBytes + int64(unsafe.Sizeof(counters{}))

// NewQueue returns the queue of a run, without nodes. A worker takes from
// another's shard when the best bucket there is more than margin lower than in
// its own. The queue asks reserve before it takes more memory than QueueBytes
// for each worker.
func NewQueue[N Node](r *Run, l Levels, margin int, reserve func(bytes int64) bool) *Queue[N] {
	n := r.limits.Workers
	q := &Queue[N]{run: r, levels: l, margin: int64(margin), parking: parking{tokens: make(chan struct{}, n)}}
	for i := range n {
		q.shards = append(q.shards, newShard[N](reserve))
		q.counters = append(q.counters, new(counters))
		q.workers = append(q.workers, &Worker[N]{
			q: q, run: r, index: i, shard: q.shards[i], counters: q.counters[i],
			batch: make([]N, 0, popMost), random: rand.NewPCG(uint64(i), 1),
		})
	}
	return q
}

// Worker returns the part of the queue that one goroutine writes to. Before the
// run starts, any goroutine may fill it.
func (q *Queue[N]) Worker(i int) *Worker[N] { return q.workers[i] }

// Open returns an upper bound on the open nodes, exact when nobody works; zero
// proves that nothing is open.
func (q *Queue[N]) Open() int64 { return outstanding(q.counters) }

// BestBound returns a lower bound on whatever lies below an open node, and
// false if no node is open. It never falls while workers run.
func (q *Queue[N]) BestBound() (int64, bool) { return q.levels.bestBound(q.counters) }

// Status returns how the run ended: Optimal if no node is open, also when a
// limit was reached in the same moment.
func (q *Queue[N]) Status() Status {
	if q.Open() == 0 {
		return Optimal
	}
	if why := q.run.End(); why == TimeLimit || why == NodeLimit || why == Stalled {
		return why
	}
	return Interrupted
}

// Made returns how many nodes were counted as open so far.
func (q *Queue[N]) Made() (n int64) {
	for _, c := range q.counters {
		n += c.inserted.Load()
	}
	return n
}

// Deepest returns the greatest depth of a node so far.
func (q *Queue[N]) Deepest() (depth int) {
	for _, c := range q.counters {
		depth = max(depth, int(c.deepest.Load()))
	}
	return depth
}

// Parked returns how long a worker had nothing to take.
func (q *Queue[N]) Parked(worker int) time.Duration {
	return time.Duration(q.counters[worker].parked.Load())
}

// Shrink takes free memory out of every shard, so that each has room for n
// chunks more before it asks for memory. It brings about in a test what a small
// budget does on a large problem. No worker may run.
func (q *Queue[N]) Shrink(n int) {
	for _, s := range q.shards {
		s.shrink(n)
	}
}

// The best bound: the smallest lower bound of any open node, whether it is
// queued, in a worker's hands or being expanded.
//
// Bounds are rounded down to levels. Per level, workers count the nodes that
// they made and that they finished, as in run.go, so for one level
// (Σinserted, read after Σfinished) − Σfinished is at least the number open at
// a moment during the reading. The reader goes through the levels from the
// lowest up and stops at the first that is not certainly empty. That is sound
// although the levels are read at different moments: a child's bound is at
// least its parent's, so once all levels below k are empty they stay empty,
// and level k, seen empty after them, stays empty as well. For the same reason
// the best bound never falls.

const levelCount = 2048

type levelCounts struct {
	inserted [levelCount]atomic.Int64
	finished [levelCount]atomic.Int64
}

// Levels rounds lower bounds down to levels between two objectives. The zero
// value has a level for each bound from 0 on; the top level takes the rest.
type Levels struct {
	root int64
	step int64 // bounds per level, less one
}

// NewLevels returns levels between the root's bound and the first incumbent's
// objective. Bounds above the latter share the top level.
func NewLevels(root, first int64) Levels {
	return Levels{root, max(0, first-root) / (levelCount - 1)}
}

func (l Levels) level(bound int64) int {
	return int(min(max(0, (bound-l.root)/(l.step+1)), levelCount-1))
}

// bound returns the smallest bound that rounds to a level.
func (l Levels) bound(level int) int64 { return l.root + int64(level)*(l.step+1) }

// bestBound returns a lower bound on whatever lies below an open node, and
// false if no node is open.
func (l Levels) bestBound(all []*counters) (int64, bool) {
	for i := range levelCount {
		var finished, inserted int64
		for _, c := range all {
			finished += c.levels.finished[i].Load()
		}
		interleave.Here()
		for _, c := range all {
			inserted += c.levels.inserted[i].Load()
		}
		if inserted != finished {
			return l.bound(i), true
		}
	}
	return 0, false
}
