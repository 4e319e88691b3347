package parallel

import (
	"sync/atomic"
	"time"

	"parcorels/internal/testing/interleave"
)

// parking is where workers wait that find every shard empty.
//
// No wake-up is lost: a worker adds itself to waiting before it looks at the
// shards a last time, and a pusher publishes the size of its shard before it
// reads waiting; so one of the two sees the other. A pusher wakes one worker,
// whatever it pushed; the worker that takes from a shard and leaves something there
// wakes the next, so nobody stays parked while nodes wait. A worker that takes
// nodes into its hands is never parked with them. The last node is finished by
// some worker which then, finding nothing, asks how many are open, sees zero
// (counters.go) and ends the run for everyone.
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
