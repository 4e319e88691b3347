package column

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortKeys sorts numbers of many kinds as slices.Sort does.
func TestSortKeys(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var values []float64
		for range rng.IntN(3000) >> rng.IntN(12) {
			v := rng.NormFloat64()
			switch seed % 5 {
			case 0:
				v = math.Trunc(v * 3)
			case 1:
				v *= math.Pow(10, float64(rng.IntN(600)-300))
			case 2:
				v = math.Float64frombits(rng.Uint64())
			case 3:
				v = []float64{math.Inf(1), math.Inf(-1), 0, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, v}[rng.IntN(7)]
			}
			if v == v {
				values = append(values, v+0)
			}
		}
		keys := make([]uint64, len(values))
		for i, v := range values {
			keys[i] = floatKey(v)
		}
		sorted, other := sortKeys(keys, make([]uint64, len(keys)))
		got := make([]float64, len(values))
		for i, k := range sorted {
			got[i] = keyFloat(k)
		}
		slices.Sort(values)
		if !slices.Equal(got, values) || len(other) != len(values) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, values)
		}
		if len(values) > 0 && &sorted[0] == &other[0] {
			t.Fatalf("seed %d: the two are one", seed)
		}
	}
}
