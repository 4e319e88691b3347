package bitvec

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDecompose: the parts add up to the costs, with no more of them than the
// costs have binary digits or distinct values.
func TestDecompose(t *testing.T) {
	for style, cost := range costStyles {
		r := rand.New(rand.NewPCG(11, 12))
		for range 100 {
			costs := make([]int64, 64)
			for i := range r.IntN(65) {
				costs[i] = cost(r)
			}
			before := slices.Clone(costs)
			parts := Masks(costs)
			if !slices.Equal(costs, before) {
				t.Fatal("the costs were written to")
			}
			sum, digits, values := make([]int64, 64), int64(0), map[int64]bool{}
			for i, c := range costs {
				for _, p := range parts {
					sum[i] += p.Weight * int64(p.Bits>>i&1)
				}
				digits |= c
				if c != 0 {
					values[c] = true
				}
			}
			if !slices.Equal(sum, costs) {
				t.Fatalf("%s: %v adds up to %v, want %v", style, parts, sum, costs)
			}
			if most := min(bits.OnesCount64(uint64(digits)), len(values)); len(parts) > most {
				t.Fatalf("%s: %d parts for %v, %d would do", style, len(parts), costs, most)
			}
		}
	}
}
