package parallel

import (
	"sync/atomic"

	"parcorels/internal/testing/interleave"
)

// counters are written by one worker and read by those that report or ask
// whether the search has ended. Each worker's lie on cache lines of their own.
//
// Termination: inserted counts open nodes made, finished those whose expansion
// has ended, and a worker adds the children of a node to inserted before it
// adds the node to finished. A reader sums every worker's finished first, up to
// a moment t, and then every inserted. Counters only grow, so Σinserted −
// Σfinished as read is at least the number of open nodes at t; when it is zero
// nothing was open at t, and nothing can be made any more.
type counters struct {
	_        [64]byte
	inserted atomic.Int64
	finished atomic.Int64
	levels   levelCounts
	deepest  atomic.Int64 // of the nodes made
	parked   atomic.Int64 // nanoseconds without anything to take
	_        [64]byte
}

// made notes that nodes of a depth were made.
func (c *counters) made(depth int) {
	if int64(depth) > c.deepest.Load() {
		c.deepest.Store(int64(depth))
	}
}

// add increments a counter that only the caller writes.
func add(c *atomic.Int64, n int64) { c.Store(c.Load() + n) }

// outstanding returns an upper bound on the open nodes at some moment during
// the call, exact when nobody is working; zero proves the end.
func outstanding(all []*counters) int64 {
	var finished, inserted int64
	for _, c := range all {
		finished += c.finished.Load()
		interleave.Here()
	}
	for _, c := range all {
		inserted += c.inserted.Load()
	}
	return inserted - finished
}
