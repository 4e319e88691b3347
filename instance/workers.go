package instance

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workSamples is how many samples are worth a worker.
const workSamples = 1 << 12

// workersFor returns how many workers share the work of so many samples.
func workersFor(samples int) int {
	return max(1, min(runtime.GOMAXPROCS(0), samples/workSamples))
}

// inParallel does the steps from 0 to n-1, in any order. Each worker has a function of
// its own for them.
func inParallel(workers, n int, newWorker func() func(int)) {
	var next atomic.Int64
	work := func() {
		do := newWorker()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var group sync.WaitGroup
	for range min(workers, n) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}
