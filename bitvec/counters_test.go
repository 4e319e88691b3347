package bitvec

import (
	"math/rand/v2"
	"testing"
)

// TestCounters compares counters with plain numbers.
func TestCounters(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 8))
		var c Counters
		for range 300 {
			testCounters(t, rng, &c)
		}
	})
}

func testCounters(t *testing.T, rng *rand.Rand, c *Counters) {
	t.Helper()
	n, depth := 1+rng.IntN(2000), 1+rng.IntN(31)
	words := CounterWords(n)
	mask := func(sparse bool) []uint64 {
		m := make([]uint64, words)
		for i := range m {
			if m[i] = rng.Uint64() & rng.Uint64(); sparse {
				m[i] &= rng.Uint64() & rng.Uint64() & rng.Uint64() & rng.Uint64()
			}
			if left := n - 64*i; left < 64 {
				m[i] &= 1<<max(left, 0) - 1
			}
		}
		return m
	}
	start := rng.Uint32N(1 << depth)
	c.Start(n, depth, uint(start))
	value := make([]uint32, n)
	for i := range value {
		value[i] = start
	}
	live, full := mask(false), make([]uint64, words)
	for range 40 {
		pure, most := mask(rng.IntN(2) == 0), 1+rng.Uint32N(1<<rng.IntN(depth+1))
		want, isFull := min(most, 1<<depth-1), false
		for i, v := range value {
			if pure[i/64]>>(i%64)&1 == 0 {
				continue
			}
			isFull = isFull || v == 1<<depth
			if live[i/64]>>(i%64)&1 == 1 {
				want = min(want, 1<<depth-v)
			}
		}
		if isFull {
			want = 0
		}
		if got := c.Raise(pure, live, full, most); got != want {
			t.Fatalf("%d counters of %d bits: %d were added, not %d", n, depth, got, want)
		}
		for i := range value {
			if pure[i/64]&live[i/64]>>(i%64)&1 == 1 {
				value[i] += want
			}
		}
	}
	for i, want := range value {
		isFull := full[i/64]>>(i%64)&1 == 1
		if isFull {
			want -= 1 << depth
		}
		if got := c.Value(i); got != int64(want) || isFull != (value[i] == 1<<depth) {
			t.Fatalf("counter %d of %d bits has %d, and not %d; full: %v", i, depth, got, want, isFull)
		}
	}
}
