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
	queued      [lengths]atomic.Int64 // prefixes that this worker queued less those that it finished, by length
	longest     atomic.Int64          // of the prefixes queued
	parked      atomic.Int64          // nanoseconds without anything to take
	_           [64]byte
}

// lengths is how many lengths are told apart; the last stands for all beyond.
const lengths = 32

// queue counts n prefixes of a length that are queued, or if n is negative
// finished.
func (c *counters) queue(length int, n int64) {
	add(&c.queued[min(length, lengths-1)], n)
	if n > 0 && int64(length) > c.longest.Load() {
		c.longest.Store(int64(length))
	}
}

// queuedByLength sums the workers' counts.
func queuedByLength(all []*counters) []int64 {
	sums := make([]int64, lengths)
	for _, c := range all {
		for i := range sums {
			sums[i] += c.queued[i].Load()
		}
	}
	n := lengths
	for n > 0 && sums[n-1] <= 0 {
		n--
	}
	return sums[:n]
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
