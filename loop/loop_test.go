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

// TestParts asks that parts are of that size, but for the last, and that each number is in one.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		const size = 64
		seen := make([]atomic.Int32, n)
		Parts(n, size, func(first, last int) {
			if first%size != 0 || last != min(first+size, n) {
				t.Errorf("a part from %d to %d of %d", first, last, n)
			}
			for i := first; i < last; i++ {
				seen[i].Add(1)
			}
		})
		for i := range seen {
			if x := seen[i].Load(); x != 1 {
				t.Errorf("%d of %d is in %d parts", i, n, x)
			}
		}
	}
}

// TestTeam asks that each round of each call is made once, before the call returns, with and without rounds.
func TestTeam(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{0, 1, 2, 7} {
		Team(workers, func(each func(n int, body func(i int))) {
			for call := range 200 {
				n := call % 17
				made := make([]atomic.Int32, n)
				each(n, func(i int) { made[i].Add(1) })
				for i := range made {
					if k := made[i].Load(); k != 1 {
						t.Errorf("%d workers, call %d of %d rounds: round %d was made %d times", workers, call, n, i, k)
					}
				}
			}
		})
	}
}
