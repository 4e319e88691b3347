package parallel

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"parcorels/internal/testing/cases"
)

func TestBudget(t *testing.T) {
	b := Budget{Limit: 100}
	for _, step := range []struct {
		take int64
		want bool
	}{{60, true}, {41, false}, {40, true}, {1, false}, {-50, true}, {50, true}} {
		got := true
		if step.take < 0 {
			b.Release(-step.take)
		} else {
			got = b.Reserve(step.take)
		}
		if got != step.want {
			t.Errorf("%d: %v with %d of %d used", step.take, got, b.used.Load(), b.Limit)
		}
	}
	if b.used.Load() != 100 || b.peak.Load() != 100 {
		t.Errorf("used %d, peak %d, want 100", b.used.Load(), b.peak.Load())
	}
	var unlimited Budget
	if !unlimited.Reserve(1<<60) || unlimited.peak.Load() != 1<<60 {
		t.Error("no limit refuses, or keeps no books")
	}
}

// TestBudgetConcurrent: never more than the limit, never a refusal of what
// fits whatever others take, give back and ask for in vain.
func TestBudgetConcurrent(t *testing.T) {
	rounds := 200_000
	if !cases.All() {
		rounds = 20_000
	}
	const takers, each = 3, 10
	b := Budget{Limit: takers * each}
	var wg sync.WaitGroup
	for i := range takers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 16))
			held := int64(0)
			for range rounds {
				if n := 1 + rng.Int64N(each); held+n <= each {
					if !b.Reserve(n) {
						t.Errorf("%d refused, although each of %d takers holds %d of %d at most", n, takers, each, b.Limit)
						return
					}
					held += n
				} else {
					b.Release(held)
					held = 0
				}
			}
			b.Release(held)
		})
	}
	wg.Go(func() {
		for range rounds {
			if b.Reserve(takers*each + 1) {
				t.Error("more than the limit was taken")
				return
			}
		}
	})
	wg.Wait()
	if b.used.Load() != 0 || b.peak.Load() > b.Limit {
		t.Errorf("at the end %d are used; the peak was %d of %d", b.used.Load(), b.peak.Load(), b.Limit)
	}
}

// TestDrop: what is dropped counts until the collector has freed it, and a budget
// that refuses for that reason alone sees to it.
func TestDrop(t *testing.T) {
	const size = 1 << 20
	b := Budget{Limit: size + size/2}
	hold := new([size]byte)
	if !b.Reserve(size) {
		t.Fatal("an empty budget refuses")
	}
	Drop(&b, hold, size)
	if b.Used() != size || b.Reserve(size) {
		t.Errorf("%d bytes are taken by what is still there", b.Used())
	}
	if b.Take(size / 4); b.Peak() != size {
		t.Errorf("%d bytes were in use at one time, garbage or not", b.Peak())
	}
	b.Release(size / 4)
	runtime.KeepAlive(hold)
	cases.Until(func() bool { return b.Reserve(size) })
	if b.Used() != size || b.garbage.Load() != 0 {
		t.Errorf("%d bytes are taken, %d are garbage", b.Used(), b.garbage.Load())
	}
}
