package loop

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Pool is goroutines that share pieces of work, one piece after the other.
//
// Waking a sleeping core takes longer than many a piece. So a helper that has nothing
// to do looks for the next piece for some time before it sleeps. The leader begins a
// piece alone: a helper that is late takes part in what is left, and one that comes
// after the end does nothing. So the leader does not wait for a helper without a core.
//
// A nil Pool is one goroutine.
type Pool struct {
	helpers int // goroutines beside the leader
	work    func()
	word    atomic.Uint64 // pieces begun, whether the last one is open, helpers inside
	_       [64]byte
	asleep  atomic.Int32
	wake    chan struct{}
	started bool
	over    bool
	left    sync.WaitGroup
}

const (
	poolOpen   = 1 << 31
	poolPiece  = 1 << 32
	poolInside = poolOpen - 1
	idleRounds = 1 << 18 // looks for the next piece before a helper sleeps
	spinRounds = 1 << 19 // looks of wait before it sleeps
)

// NewPool returns a pool of up to so many goroutines.
func NewPool(goroutines int) *Pool {
	if n := min(goroutines, runtime.GOMAXPROCS(0)) - 1; n > 0 {
		return &Pool{helpers: n, wake: make(chan struct{}, n)}
	}
	return nil
}

// Size returns how many goroutines there may be.
func (c *Pool) Size() int {
	if c == nil {
		return 1
	}
	return 1 + c.helpers
}

// Together calls lead, and meanwhile help in all goroutines that are free. It returns when
// all of these have.
func (c *Pool) Together(lead, help func()) {
	if c == nil {
		lead()
		return
	}
	c.begin(help)
	lead()
	c.word.And(^uint64(poolOpen))
	Wait(func() bool { return c.word.Load()&poolInside == 0 })
}

// Share calls do for 0 to n-1.
func (c *Pool) Share(n int, do func(int)) {
	if n < 2 {
		c = nil
	}
	var next atomic.Int32
	work := func() {
		for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
			do(k)
		}
	}
	c.Together(work, work)
}

// begin opens a piece of work.
func (c *Pool) begin(help func()) {
	c.work = help
	c.word.Store(c.word.Load()&^(poolPiece-1) + poolPiece | poolOpen)
	if !c.started {
		c.started = true
		for range c.helpers {
			c.left.Go(c.attend)
		}
	}
	for range c.asleep.Swap(0) {
		select {
		case c.wake <- struct{}{}:
		default: // as many as there are helpers have been told
		}
	}
}

// attend helps with one piece after the other.
func (c *Pool) attend() {
	var seen uint64
	for {
		word := c.next(seen)
		seen = word / poolPiece
		for ; word/poolPiece == seen && word&poolOpen != 0; word = c.word.Load() {
			if c.word.CompareAndSwap(word, word+1) {
				if c.over {
					return
				}
				c.work()
				c.word.Add(^uint64(0))
				break
			}
		}
	}
}

// next waits for a piece after one.
func (c *Pool) next(seen uint64) uint64 {
	for {
		for range idleRounds {
			if word := c.word.Load(); word/poolPiece != seen {
				return word
			}
		}
		c.asleep.Add(1)
		if word := c.word.Load(); word/poolPiece != seen {
			return word // a late call to wake up then does no harm
		}
		<-c.wake
	}
}

// Dismiss ends the goroutines. The pool may be used again.
func (c *Pool) Dismiss() {
	if c == nil || !c.started {
		return
	}
	c.over = true
	c.begin(nil)
	c.left.Wait()
	c.started, c.over = false, false
	c.word.Store(0)
}

// Wait looks until it is done, and sleeps between looks if that takes long. It reports whether it slept.
func Wait(done func() bool) bool {
	for range spinRounds {
		if done() {
			return false
		}
	}
	for !done() { // another one has lost its core: let it have this one
		time.Sleep(10 * time.Microsecond)
	}
	return true
}
