package separation

import (
	"runtime"
	"sync/atomic"
	"testing"

	"parcorels/internal/testing/cases"
)

// TestHelperPoolSharesEachPieceOnce gives out many small pieces, with pauses and without, and
// asks that each item was done once, by a pool of any size, and that no goroutine is left.
func TestHelperPoolSharesEachPieceOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, goroutines := range []int{1, 2, 4} {
		c := newHelperPool(goroutines)
		if c.size() != goroutines {
			t.Fatalf("a pool of %d has %d", goroutines, c.size())
		}
		before := runtime.NumGoroutine()
		for round := range 3 {
			for n := range 200 {
				done := make([]atomic.Int32, n)
				c.share(n, func(k int) { done[k].Add(1) })
				for k := range done {
					if x := done[k].Load(); x != 1 {
						t.Fatalf("%d goroutines, round %d: item %d of %d was done %d times", goroutines, round, k, n, x)
					}
				}
				if n%64 == 0 {
					runtime.Gosched()
				}
			}
			c.dismiss()
			wait(func() bool { return runtime.NumGoroutine() <= before })
		}
	}
}

// TestHelperPoolWakesUp waits until all helpers sleep, and then asks that each of them helps.
func TestHelperPoolWakesUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	c := newHelperPool(3)
	defer c.dismiss()
	for range 3 {
		var inside atomic.Int32
		all := func() bool { return inside.Load() == 2 }
		c.together(func() { cases.Until(all) }, func() { inside.Add(1); wait(all) })
		if n := inside.Load(); n != 2 {
			t.Errorf("%d helpers came", n)
		}
		cases.Until(func() bool { return c.asleep.Load() >= 2 })
	}
}
