// Package loop runs the rounds of a loop in several goroutines. Begin with [Parallel].
//
//	loop.Parallel(len(columns), func(i int) { fill(columns[i]) })
package loop

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Parallel calls body for 0 to n-1, in any order, on all processors, and waits until all
// calls have returned.
func Parallel(n int, body func(i int)) {
	ParallelWith(runtime.GOMAXPROCS(0), n, func() func(int) { return body })
}

// Parts calls body for parts of 0 to n-1, of so many each, in any order, on all processors.
func Parts(n, size int, body func(first, last int)) {
	Parallel((n+size-1)/size, func(part int) { body(part*size, min((part+1)*size, n)) })
}

// ParallelWith is Parallel in up to so many goroutines, with a body for each, which newBody
// makes there: for bodies with buffers.
func ParallelWith(workers, n int, newBody func() func(i int)) {
	var next atomic.Int64
	work := func() {
		body := newBody()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			body(i)
		}
	}
	var group sync.WaitGroup
	for range min(workers, n) - 1 {
		group.Go(work)
	}
	if n > 0 {
		work()
	}
	group.Wait()
}

// Every calls tell from a goroutine of its own, once in a time (0: a second), until the returned function is called. That
// has it called for the last time, as final, and waits for that.
func Every(often time.Duration, tell func(final bool)) (end func()) {
	var group sync.WaitGroup
	over := make(chan struct{})
	group.Go(func() {
		tick := time.NewTicker(cmp.Or(max(often, 0), time.Second))
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				tell(false)
			case <-over:
				tell(true)
				return
			}
		}
	})
	return func() {
		close(over)
		group.Wait()
	}
}
