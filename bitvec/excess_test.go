package bitvec

import (
	"math"
	"math/rand/v2"
	"slices"
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

// TestFirstWithin searches a range of blocks for the first that holds, and on
// from there, and compares with Within's definition block by block.
func TestFirstWithin(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		spaces(t, func(t *testing.T, r *rand.Rand, s *space) {
			p, m := NewPlanes(s.costs, s.words1), s.matrix()
			var prog Program
			for range 4 {
				u := s.set(r)
				p.CompileComplement(&prog, u)
				spent := make([]int64, m.Blocks()*Lanes)
				total := make([]int64, len(spent))
				for i := range spent {
					spent[i] = r.Int64N(1 << r.IntN(50))
					if r.IntN(9) == 0 {
						spent[i] = 1 << 62
					}
					total[i] = spent[i]
					if i < len(s.columns) {
						total[i] += s.excess(s.columns[i], u)
					}
				}
				for _, budget := range []int64{-1, 0, total[r.IntN(len(total))], slices.Min(total), slices.Min(total) - 1, 1<<62 - 1} {
					checkFirstWithin(t, m, &prog, spent, total, budget)
				}
			}
		})
	})
}

func checkFirstWithin(t *testing.T, m *Matrix, prog *Program, spent, total []int64, budget int64) {
	t.Helper()
	for from := range m.Blocks() + 1 {
		want, lanes := from, uint8(0)
		for ; want < m.Blocks() && lanes == 0; want++ {
			for i, x := range total[want*Lanes : want*Lanes+Lanes] {
				if x <= budget {
					lanes |= 1 << i
				}
			}
		}
		if lanes != 0 {
			want--
		}
		if b, l := m.FirstWithin(prog, from, m.Blocks(), spent, budget); b != want || l != lanes {
			t.Fatalf("from block %d with budget %d: block %d, lanes %08b; want %d, %08b", from, budget, b, l, want, lanes)
		}
	}
}
