package cuts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkCuts chooses 80 cuts of a million samples of 20 columns of noise and
// numbers that matter.
func BenchmarkCuts(b *testing.B) {
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(1, 1))
	columns := make([]binned, 20)
	for c := range columns {
		columns[c] = binned{Bins: make([]uint8, n), N: 251, Ordered: 251}
		for i := range n {
			columns[c].Bins[i] = uint8(rng.IntN(251))
		}
	}
	classes := make([]uint8, n)
	for i := range classes {
		score := 0
		for c := range 8 {
			if int(columns[c].Bins[i]) > 20*(c+2) {
				score++
			}
		}
		if score+rng.IntN(3) > 5 {
			classes[i] = 1
		}
	}
	for b.Loop() {
		cutsOf(slices.Clone(columns), classes, 2, nil, 80, false)
	}
}
