package parallel

import "sync/atomic"

// counters are written by one worker and read by whoever reports or asks
// whether the search has ended. Each worker's lie on cache lines of their own.
//
// Termination: inserted counts open prefixes made, finished those whose
// expansion has ended, and a worker adds the children of a prefix to inserted
// before it adds the prefix to finished. A reader sums every worker's finished
// first, up to a moment t, and then every inserted. Counters only grow, so
// Σinserted − Σfinished as read is at least the number of open prefixes at t;
// when it is zero nothing was open at t, and nothing can be made any more.
type counters struct {
	_           [64]byte
	inserted    atomic.Int64
	finished    atomic.Int64
	expanded    atomic.Int64
	evaluations atomic.Int64
	hits        atomic.Int64
	dominated   atomic.Int64
	closed      atomic.Int64
	levels      levelCounts
	_           [64]byte
}

// add increments a counter that only the caller writes.
func add(c *atomic.Int64, n int64) { c.Store(c.Load() + n) }

// outstanding returns an upper bound on the open prefixes at some moment
// during the call, exact when nobody is working; zero proves the end.
func outstanding(all []*counters) int64 {
	var finished, inserted int64
	for _, c := range all {
		finished += c.finished.Load()
		interleave()
	}
	for _, c := range all {
		inserted += c.inserted.Load()
	}
	return inserted - finished
}
