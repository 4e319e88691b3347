package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestThirds compares the kernels with Among, on counts and on any numbers, where sums wrap around alike.
func TestThirds(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		likely, all := 0, 0
		for round := range 200 {
			n, most := rng.IntN(200), 1+rng.IntN(1<<rng.IntN(15))
			number := func() int16 {
				if round%4 == 0 {
					return int16(rng.Uint64())
				}
				return int16(rng.IntN(most))
			}
			x, blocks := Thirds[int16]{Other: number(), BothQ: number(), Outside: number(), Ask: number() / 4}, []int32(nil)
			for v := range n {
				if v%ThirdsBlock == 0 && rng.IntN(4) > 0 {
					blocks = append(blocks, int32(v/ThirdsBlock))
				}
				for _, to := range []*[]int16{&x.GainQ, &x.GainR, &x.InQ, &x.InR, &x.MineQ, &x.MineR, &x.AllQ, &x.AllR} {
					*to = append(*to, number())
				}
			}
			got, want := x.Among(blocks, nil), x.each(blocks, nil)
			if !slices.Equal(got, want) {
				t.Fatalf("round %d, %d conditions: %v, want %v", round, n, got, want)
			}
			likely, all = likely+len(got), all+n
		}
		if likely < all/100 || likely > all/2 {
			t.Errorf("%d of %d conditions", likely, all)
		}
	})
}
