package bitvec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWithin tries limits just below, at and just above what each column
// costs outside u, and the ends of the range.
func TestWithin(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		spaces(t, func(t *testing.T, r *rand.Rand, s *space) {
			p, m := NewPlanes(s.costs, s.words1), s.matrix()
			var prog Program
			for range 6 {
				u := s.set(r)
				p.CompileComplement(&prog, u)
				for b := range m.Blocks() {
					limits, want := s.limits(r, u, b)
					if got := m.Within(&prog, b, &limits); got != want {
						t.Fatalf("block %d, limits %v: lanes %08b, want %08b", b, limits, got, want)
					}
				}
			}
		})
	})
}

// limits draws limits for the columns of a block and says which hold.
func (s *space) limits(r *rand.Rand, u []uint64, block int) (limits [Lanes]int64, want uint8) {
	tight := r.IntN(2) == 0 // most lanes fail, so that kernels leave early
	for i := range limits {
		var excess int64
		if col := block*Lanes + i; col < len(s.columns) {
			excess = s.excess(s.columns[col], u)
		}
		choices := []int64{excess - 1, excess - 2, -1, excess / 2, math.MinInt64, excess, excess + 1, math.MaxInt64, 0}
		if tight {
			choices = choices[:5]
		}
		limits[i] = choices[r.IntN(len(choices))]
		if limits[i] >= 0 && excess <= limits[i] {
			want |= 1 << i
		}
	}
	return limits, want
}
