package instance

import (
	"math/rand/v2"
	"parcorels/internal/cases"
	"runtime"
	"slices"
	"testing"
)

// TestDistinct compares samples that are parted by hash with samples that are added one
// by one: all different, with twins near and far, in several classes, and with hashes
// that tell nothing, so that only the keys may decide.
func TestDistinct(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(cases.Some(60)) {
		rng := rand.New(rand.NewPCG(seed, 6))
		runtime.GOMAXPROCS(1 + rng.IntN(4))
		n, antecedents := 1+rng.IntN(3*partSamples), 14+rng.IntN(120)
		mask := ^uint64(0)
		if seed%6 == 0 {
			n, mask = 1+rng.IntN(700), []uint64{0, 1 << 32, 1 << 63}[rng.IntN(3)]
		}
		l := labelling{of: make([]uint16, n), classes: 2 + rng.IntN(3)}
		words := make([][]uint64, antecedents)
		for a := range words {
			words[a] = make([]uint64, (n+63)/64)
		}
		weights := make([]int64, n)
		for i := range n {
			l.of[i], weights[i] = uint16(rng.IntN(l.classes)), 1+rng.Int64N(9)
			from := i
			if i > 0 && rng.IntN(8) < int(seed%5) {
				from = rng.IntN(i)
			}
			for a := range words {
				bit := rng.Uint64() & 1
				if from < i {
					bit = words[a][from/64] >> (from % 64) & 1
				}
				words[a][i/64] |= bit << (i % 64)
			}
		}
		if seed%3 == 0 {
			weights = nil
		}
		want, got := newGrouping(antecedents, l.classes), newGrouping(antecedents, l.classes)
		want.addRange(words, l, weights, 0, n)
		hash := got.hash
		got.hash = func(key []uint64) uint64 { return hash(key) & mask }
		got.addDistinct(words, l, weights, n)
		if got.n != want.n || !slices.Equal(got.weights, want.weights) {
			t.Fatalf("seed %d: %d points of %d samples, want %d; or other weights", seed, got.n, n, want.n)
		}
		for p := range want.n {
			if !slices.Equal(got.key(p), want.key(p)) {
				t.Fatalf("seed %d: point %d has another key", seed, p)
			}
		}
	}
}
