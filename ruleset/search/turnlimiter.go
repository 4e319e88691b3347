package search

import (
	"sync"
	"sync/atomic"
	"time"
)

// This file lets two sets be learned side by side by a number of workers.
//
// The set by local search and the one by exact subproblems ask their questions one after
// the other, and each question leaves workers idle: what lays its points out is one
// worker's, and the last climbs and branches are. So both are learned at once, and who
// waits for one leaves its turn to the other. All answers are unique, so it does not
// matter who asks first.
//
// Under a time limit the set by local search comes first: it is what the limit leaves.

// turnLimiter lets so many goroutines compute at a time, and keeps memory that one
// subproblem leaves to the next.
type turnLimiter struct {
	slots   chan struct{} // has one element for each goroutine that computes
	waiting atomic.Int32  // goroutines that wait for a turn
	walkers store
}

// newTurnLimiter returns some workers, of which the caller is one.
func newTurnLimiter(workers int) *turnLimiter {
	c := &turnLimiter{slots: make(chan struct{}, workers)}
	c.begin()
	return c
}

// workers is how many may compute at a time.
func (c *turnLimiter) workers() int { return cap(c.slots) }

// begin waits for a turn, and end gives it back to who has waited longest.
func (c *turnLimiter) begin() {
	c.waiting.Add(1)
	c.slots <- struct{}{}
	c.waiting.Add(-1)
}

func (c *turnLimiter) end() { <-c.slots }

// yieldEvery is how many rules a worker looks at before it asks whether another one waits.
const yieldEvery = 1 << 6

// yield lets others who wait have the turn of a worker that searches, up to a quarter of
// the time. So the set by local search, which asks in short pieces, is there soon if the
// search is stopped, and still there is something of it left to do where workers wait.
func (w *walker) yield() {
	if w.turns.waiting.Load() == 0 {
		return
	}
	now := time.Now()
	if now.Sub(w.since) < w.least {
		return
	}
	w.turns.end()
	w.turns.begin()
	w.since = time.Now()
	w.least = 3 * w.since.Sub(now)
}

// without calls f, which waits for others, while the caller computes nothing.
func (c *turnLimiter) without(f func()) {
	c.end()
	f()
	c.begin()
}

// store has walkers that are not in use. Unlike those of a sync.Pool, they are not lost when
// garbage is collected.
type store struct {
	mu   sync.Mutex
	free []*walker
}

// take returns a walker as it was put back, or a new one.
func (s *store) take() *walker {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free) - 1
	if n < 0 {
		return new(walker)
	}
	w := s.free[n]
	s.free = s.free[:n]
	return w
}

func (s *store) put(w *walker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, w)
}
