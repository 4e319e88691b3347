// Package loop runs the rounds of a loop in several goroutines. Begin with [Parallel].
//
//	loop.Parallel(len(columns), func(i int) { fill(columns[i]) })
package loop

import (
	"runtime"
	"sync"
	"sync/atomic"
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
