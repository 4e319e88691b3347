package parallel

import (
	"sync/atomic"
	"time"
	"unsafe"

	"parcorels/internal/prefetch"
	"parcorels/trie"
)

// idleness parks workers that find every shard empty.
//
// No wake-up is lost: a worker adds itself to waiting before it looks at the
// shards a last time, and a pusher publishes the size of its shard before it
// reads waiting; so one of the two sees the other. A pusher wakes one worker,
// whatever it pushed; whoever takes from a shard and leaves something there
// wakes the next, so nobody stays parked while prefixes wait. A worker that
// takes prefixes into its hands is never parked with them. The last prefix is
// finished by some worker which then, finding nothing, asks outstanding, sees
// zero (see counters) and closes done for everyone.
type idleness struct {
	waiting atomic.Int32
	_       [60]byte
	tokens  chan struct{}
	done    chan struct{}
}

func newIdleness(workers int) *idleness {
	return &idleness{tokens: make(chan struct{}, workers), done: make(chan struct{})}
}

// wake lets one parked worker look again.
func (i *idleness) wake() {
	if i.waiting.Load() == 0 {
		return
	}
	select {
	case i.tokens <- struct{}{}:
	default: // as many tokens as workers are under way already
	}
}

// next returns a prefix to process, or false when the search has ended or was
// stopped.
func (w *worker) next() (trie.ID, bool) {
	if w.stopped() {
		return 0, false
	}
	for len(w.batch) == 0 {
		if !w.take() && !w.expandLoose() && !w.park() || w.stopped() {
			return 0, false
		}
	}
	id := w.batch[len(w.batch)-1]
	w.batch = w.batch[:len(w.batch)-1]
	if n := len(w.batch); n > 0 { // the next one's node comes meanwhile
		prefetch.Line(unsafe.Pointer(w.s.arena.Node(w.batch[n-1])))
	}
	return id, true
}

// take fills the batch from the worker's own shard, from another one that is
// more than a level of the lower bound better, or, when that is empty, from
// any. It reports false if all are empty.
func (w *worker) take() bool {
	shards := w.s.shards
	from := w.shard
	other := shards[w.random.Uint64()%uint64(len(shards))]
	if other.best.Load()+finest < from.best.Load() {
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
func (w *worker) takeFrom(s *shard) bool {
	size := s.size.Load()
	if size == 0 {
		return false
	}
	most := min(max(1, size/int64(2*len(w.s.shards))), popMost)
	w.batch = s.pop(w.batch, int(most))
	// The batch is processed from its end.
	for i, j := 0, len(w.batch)-1; i < j; i, j = i+1, j-1 {
		w.batch[i], w.batch[j] = w.batch[j], w.batch[i]
	}
	if s.size.Load() > 0 {
		w.s.idle.wake()
	}
	return len(w.batch) > 0
}

// park waits until there may be something to take. It reports false when the
// search has ended or was stopped.
func (w *worker) park() bool {
	idle := w.s.idle
	idle.waiting.Add(1)
	interleave()
	defer idle.waiting.Add(-1)
	for _, s := range w.s.shards {
		if s.size.Load() > 0 {
			return true
		}
	}
	if outstanding(w.s.counters) == 0 {
		w.s.halt(finished)
		return false
	}
	interleave()
	start := time.Now()
	w.s.pause.leave()
	defer func() {
		w.s.pause.enter()
		add(&w.counters.parked, int64(time.Since(start)))
	}()
	select {
	case <-idle.tokens:
		return true
	case <-idle.done:
		return false
	}
}
