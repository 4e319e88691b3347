package loop

import (
	"runtime"
	"sync/atomic"
	"testing"

	"parcorels/internal/testing/cases"
)

// TestPoolSharesEachPieceOnce gives out many small pieces, with pauses and without, and
// asks that each item was done once, by a pool of any size, and that no goroutine is left.
func TestPoolSharesEachPieceOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, goroutines := range []int{1, 2, 4} {
		c := NewPool(goroutines)
		if c.Size() != goroutines {
			t.Fatalf("a pool of %d has %d", goroutines, c.Size())
		}
		before := runtime.NumGoroutine()
		for round := range 3 {
			for n := range 200 {
				done := make([]atomic.Int32, n)
				c.Share(n, func(k int) { done[k].Add(1) })
				for k := range done {
					if x := done[k].Load(); x != 1 {
						t.Fatalf("%d goroutines, round %d: item %d of %d was done %d times", goroutines, round, k, n, x)
					}
				}
				if n%64 == 0 {
					runtime.Gosched()
				}
			}
			c.Dismiss()
			Wait(func() bool { return runtime.NumGoroutine() <= before })
		}
	}
}

// TestPoolWakesUp waits until all helpers sleep, and then asks that each of them helps.
func TestPoolWakesUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	c := NewPool(3)
	defer c.Dismiss()
	for range 3 {
		var inside atomic.Int32
		all := func() bool { return inside.Load() == 2 }
		c.Together(func() { cases.Until(all) }, func() { inside.Add(1); Wait(all) })
		if n := inside.Load(); n != 2 {
			t.Errorf("%d helpers came", n)
		}
		cases.Until(func() bool { return c.asleep.Load() >= 2 })
	}
}
