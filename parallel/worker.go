package parallel

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"parcorels/internal/invariants"
	"parcorels/loop/interleave"
)

// Worker is one goroutine's part of a queue: its shard, the nodes in its hands
// and its counts.
type Worker[N Node] struct {
	q        *Queue[N]
	run      *Run
	index    int
	shard    *shard[N]
	counters *counters
	batch    []N // taken, not yet processed; the last is next
	random   *rand.PCG
}

// popMost is how many nodes are taken from a shard at a time.
const popMost = 8

// Push counts nodes of one depth as open and queues them. It returns how many
// it queued: fewer than all when the memory budget is spent. The others are
// open nonetheless, in the caller's hands.
//
// They are counted before anybody else can see them: one could be finished, and
// the end declared, before it was counted.
func (w *Worker[N]) Push(depth int, es []Entry[N]) int {
	for i := range es {
		add(&w.counters.levels.inserted[w.q.levels.level(es[i].Bound)], 1)
	}
	add(&w.counters.inserted, int64(len(es)))
	if len(es) > 0 {
		w.counters.made(depth)
	}
	return w.Queue(es)
}

// Opened counts a node as open that the caller keeps.
func (w *Worker[N]) Opened(depth int, bound int64) {
	add(&w.counters.levels.inserted[w.q.levels.level(bound)], 1)
	add(&w.counters.inserted, 1)
	w.counters.made(depth)
}

// Queue queues nodes that are counted as open, and returns how many there was
// memory for.
func (w *Worker[N]) Queue(es []Entry[N]) int {
	n := w.shard.push(es)
	if n > 0 {
		w.q.parking.wake()
	}
	return n
}

// Finished counts a node as no longer open. Its children are counted before.
func (w *Worker[N]) Finished(bound int64) {
	if invariants.On && w.q.Open() <= 0 { // a node is open while a worker has it in its hands
		panic("parallel: more nodes were finished than made")
	}
	add(&w.counters.levels.finished[w.q.levels.level(bound)], 1)
	add(&w.counters.finished, 1)
}

// Keep puts an open node into the worker's hands, as if it had been taken.
func (w *Worker[N]) Keep(node N) { w.batch = append(w.batch, node) }

// Next returns an open node to process, or false when the run has ended. The
// worker stands still through a pause meanwhile. When every shard is empty Next
// calls whenEmpty, which may Keep a node from elsewhere, or process one, and
// reports whether it did either.
func (w *Worker[N]) Next(whenEmpty func() bool) (N, bool) {
	if !w.run.Paused() {
		return 0, false
	}
	for len(w.batch) == 0 {
		if !w.take() && !whenEmpty() && !w.park() || !w.run.Paused() {
			return 0, false
		}
	}
	node := w.batch[len(w.batch)-1]
	w.batch = w.batch[:len(w.batch)-1]
	return node, true
}

// Nothing is what Next calls for a search that keeps no nodes outside the queue.
func Nothing() bool { return false }

// Peek returns the node that Next will return, if that is known already,
// so that its memory can be prefetched.
func (w *Worker[N]) Peek() (N, bool) {
	if n := len(w.batch); n > 0 {
		return w.batch[n-1], true
	}
	return 0, false
}

// take fills the batch from the worker's own shard, from another one that is
// clearly better, or, when that is empty, from any. It reports false if all are
// empty.
func (w *Worker[N]) take() bool {
	shards := w.q.shards
	from := w.shard
	other := shards[w.random.Uint64()%uint64(len(shards))]
	if other.best.Load()+w.q.margin < from.best.Load() {
		from = other
	}
	if w.takeFrom(from) {
		return true
	}
	for i := range shards {
		if w.takeFrom(shards[(w.index+i)%len(shards)]) {
			return true
		}
	}
	return false
}

// takeFrom takes a batch: small enough to leave something for the others.
func (w *Worker[N]) takeFrom(s *shard[N]) bool {
	size := s.size.Load()
	if size == 0 {
		return false
	}
	most := min(max(1, size/int64(2*len(w.q.shards))), popMost)
	w.batch = s.pop(w.batch, int(most))
	// The batch is processed from its end.
	for i, j := 0, len(w.batch)-1; i < j; i, j = i+1, j-1 {
		w.batch[i], w.batch[j] = w.batch[j], w.batch[i]
	}
	if s.size.Load() > 0 {
		w.q.parking.wake()
	}
	return len(w.batch) > 0
}

// parking is where workers wait that find every shard empty.
//
// No wake-up is lost: a worker adds itself to waiting before it looks at the
// shards a last time, and a pusher publishes the size of its shard before it
// reads waiting; so one of the two sees the other. A pusher wakes one worker,
// whatever it pushed; the worker that takes from a shard and leaves something there
// wakes the next, so nobody stays parked while nodes wait. A worker that takes
// nodes into its hands is never parked with them. The last node is finished by
// some worker which then, finding nothing, asks how many are open, sees zero
// (run.go) and ends the run for everyone.
type parking struct {
	waiting atomic.Int32
	_       [60]byte
	tokens  chan struct{}
}

// wake lets one parked worker look again.
func (p *parking) wake() {
	if p.waiting.Load() == 0 {
		return
	}
	select {
	case p.tokens <- struct{}{}:
	default: // as many tokens as workers are under way already
	}
}

// park waits until there may be something to take. It reports false when the
// run has ended.
func (w *Worker[N]) park() bool {
	p := &w.q.parking
	p.waiting.Add(1)
	interleave.Here()
	defer p.waiting.Add(-1)
	for _, s := range w.q.shards {
		if s.size.Load() > 0 {
			return true
		}
	}
	if w.q.Open() == 0 {
		w.run.Halt(Optimal)
		return false
	}
	interleave.Here()
	start := time.Now()
	w.run.Leave()
	defer func() {
		w.run.Enter()
		add(&w.counters.parked, int64(time.Since(start)))
	}()
	select {
	case <-p.tokens:
		return true
	case <-w.run.done:
		return false
	}
}
