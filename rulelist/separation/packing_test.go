package separation

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPacking compares packed masks with their bits one by one.
func TestPacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 500 {
		labels, width := 1+rng.IntN(3), 1+rng.IntN(4)
		under, masks := make([][]uint64, labels), make([][]uint64, labels)
		for q := range under {
			for range width {
				u := []uint64{0, ^uint64(0), rng.Uint64(), rng.Uint64() & rng.Uint64() & rng.Uint64()}[rng.IntN(4)]
				under[q], masks[q] = append(under[q], u), append(masks[q], rng.Uint64())
			}
		}
		p, n := newPacking(under)
		want, k := make([]uint64, labels*width+1), 0
		for q := range under {
			for i := range width * 64 {
				if under[q][i/64]>>(i%64)&1 == 1 {
					want[k/64] |= masks[q][i/64] >> (i % 64) & 1 << (k % 64)
					k++
				}
			}
		}
		got := make([]uint64, len(want))
		for i := range got {
			got[i] = rng.Uint64() // what was there before
		}
		if p.pack(got, masks); n != k || !slices.Equal(got, want) {
			t.Fatalf("%d bits %x are packed as %d bits %x", k, want, n, got)
		}
	}
}
