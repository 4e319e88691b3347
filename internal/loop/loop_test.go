package loop

import (
	"sync/atomic"
	"testing"
)

// TestParallel asks that each round is made once, by no more goroutines than allowed.
func TestParallel(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2, 7} {
		for _, n := range []int{0, 1, 2, 1000} {
			made := make([]atomic.Int32, n)
			var bodies atomic.Int32
			ParallelWith(workers, n, func() func(int) {
				bodies.Add(1)
				return func(i int) { made[i].Add(1) }
			})
			for i := range made {
				if x := made[i].Load(); x != 1 {
					t.Errorf("%d workers: round %d of %d was made %d times", workers, i, n, x)
				}
			}
			if x := int(bodies.Load()); x != min(workers, n) {
				t.Errorf("%d workers, %d rounds: %d goroutines", workers, n, x)
			}
		}
	}
}
