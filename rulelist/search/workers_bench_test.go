//go:build unix && !race

package search

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// BenchmarkWorkers shows what a prefix costs, in CPU time of all processors, when
// several workers share one search, and beside it when as many searches of one
// worker run side by side. The second is what the machine can do; what the first
// takes more is traffic between the workers, and should stay below a tenth. All
// searches expand as many prefixes: a prefix costs more where the key map is larger.
func BenchmarkWorkers(b *testing.B) {
	in := monk2(b)
	const nodes = 20_000 // a worker
	o := Options{Lambda: ratio.Ratio{Num: 1, Den: 100}}
	search := func(b *testing.B, workers, share int) int64 {
		o := o
		o.Workers, o.Nodes = workers, int64(nodes*share)
		r, err := Solve(context.Background(), in, o)
		if err != nil {
			b.Error(err)
		}
		return r.Stats.Expanded
	}
	for _, without := range []problem.Prunings{0, problem.Similar} {
		o.Without = problem.Incumbent | problem.Separation | without
		for workers := 1; workers <= runtime.NumCPU(); workers *= 2 {
			b.Run(fmt.Sprintf("together/without=%v/%d", without, workers), func(b *testing.B) {
				perPrefix(b, func() int64 { return search(b, workers, workers) })
			})
			b.Run(fmt.Sprintf("sideBySide/without=%v/%d", without, workers), func(b *testing.B) {
				perPrefix(b, func() (expanded int64) {
					counts := make([]int64, workers)
					var wg sync.WaitGroup
					for i := range counts {
						wg.Go(func() { counts[i] = search(b, 1, workers) })
					}
					wg.Wait()
					for _, n := range counts {
						expanded += n
					}
					return expanded
				})
			})
		}
	}
}

// perPrefix reports the CPU time and the time of a prefix.
func perPrefix(b *testing.B, search func() (expanded int64)) {
	var expanded int64
	start := processorTime()
	for range b.N {
		expanded += search()
	}
	cpu := processorTime() - start
	b.ReportMetric(float64(cpu.Nanoseconds())/1e3/float64(expanded), "cpu-µs/prefix")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e3/float64(expanded), "µs/prefix")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what this process has used of all processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
