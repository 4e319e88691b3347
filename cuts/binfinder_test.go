package cuts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBinFinder compares a finder of bins with counting, for numbers spread evenly, crowded,
// few, and as far apart as floats are.
func TestBinFinder(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 21))
		var numbers []float64
		for range rng.IntN(300) {
			v := float64(rng.IntN(1 << (1 + rng.IntN(20))))
			switch seed % 4 {
			case 1:
				v = math.Exp(v / 1e5 * 50)
			case 2:
				v = -1 / (v + 1)
			case 3:
				v = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(610)-305))
			}
			numbers = append(numbers, v)
		}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		asked := append([]float64{math.Inf(-1), math.Inf(1), math.NaN(), 0, -math.MaxFloat64, math.MaxFloat64}, numbers...)
		for _, v := range numbers {
			asked = append(asked, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)), v*rng.Float64())
		}
		got := make([]uint32, len(asked))
		newBinFinder(numbers).measure(got, asked)
		for i, v := range asked {
			want := uint32(0)
			for _, x := range numbers {
				if x <= v {
					want++
				}
			}
			if v != v {
				want = uint32(len(numbers) + 1)
			}
			if got[i] != want {
				t.Fatalf("seed %d: %d of %d numbers up to %v, want %d", seed, got[i], len(numbers), v, want)
			}
		}
	}
}
