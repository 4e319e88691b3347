package framing

import (
	"cmp"
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"parcorels/loop"
)

// Options says how to check. The verdict does not depend on it.
type Options struct {
	Workers  int            // goroutines; 0: all that GOMAXPROCS allows
	Progress func(Progress) // called by one goroutine, never after the check has ended; nil: never
	Every    time.Duration  // between two calls of Progress; 0: a second
}

// Progress tells how far a check has come.
type Progress struct {
	Elapsed time.Duration
	Records int64 // of the proof, read so far
	Checked int64 // prefixes or sets that were checked: in the end fewer than Of if a prefix of theirs was found dominated later
	Of      int64 // prefixes that a proof about rule lists says were expanded; 0 until it has been read, and for other families
	Final   bool  // whether it is the last of a check that has come to an end
}

// Counts are what Progress tells of.
type Counts struct{ Records, Checked, Of atomic.Int64 }

// Watch reports counts, if anybody wants to know, until the returned function is called.
func (o Options) Watch(c *Counts) (end func()) {
	if o.Progress == nil {
		return func() {}
	}
	start := time.Now()
	return loop.Every(o.Every, func(final bool) {
		o.Progress(Progress{time.Since(start), c.Records.Load(), c.Checked.Load(), c.Of.Load(), final})
	})
}

// Goroutines returns how many there are to be.
func (o Options) Goroutines() int { return cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)) }

// First calls check for 0 to n−1 by the workers, each with a check of its own, until ctx ends. It returns the first number for
// which check was false, n for none.
func (o Options) First(ctx context.Context, n int, newCheck func() func(i int) bool) int {
	var first atomic.Int64
	first.Store(int64(n))
	loop.ParallelWith(o.Goroutines(), n, func() func(int) {
		check := newCheck()
		return func(i int) {
			if int64(i) > first.Load() || ctx.Err() != nil || check(i) {
				return
			}
			for x := first.Load(); int64(i) < x && !first.CompareAndSwap(x, int64(i)); x = first.Load() {
			}
		}
	})
	return int(first.Load())
}
