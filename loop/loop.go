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

// Team calls lead with a function that calls bodies as ParallelWith does, in up to so many goroutines. These stay until lead
// returns, and look for the next call without a lock: calls may take some microseconds. Where one gets no core, others do its rounds.
func Team(workers int, lead func(each func(n int, body func(i int)))) {
	var now atomic.Pointer[call]
	var group sync.WaitGroup
	over := &call{}
	for range workers - 1 {
		group.Go(func() {
			for last := now.Load(); last != over; last = now.Load() {
				last.work()
				wait(func() bool { return now.Load() != last })
			}
		})
	}
	lead(func(n int, body func(i int)) {
		c := &call{n: int64(n), body: body}
		now.Store(c)
		c.work()
		wait(func() bool { return c.done.Load() == c.n })
	})
	now.Store(over)
	group.Wait()
}

// call is rounds of a body, of which some are begun and some done.
type call struct {
	n           int64
	body        func(i int)
	begun, done atomic.Int64
}

func (c *call) work() {
	for c != nil {
		i := c.begun.Add(1) - 1
		if i >= c.n {
			return
		}
		c.body(int(i))
		c.done.Add(1)
	}
}

// wait looks for something that comes soon, and then now and then, so that others have the core.
func wait(come func() bool) {
	for tries := 0; !come(); tries++ {
		if runtime.Gosched(); tries > 1000 {
			time.Sleep(20 * time.Microsecond)
		}
	}
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
