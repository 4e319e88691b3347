package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFirstWithin searches a range of blocks for the first that holds, and on
// from there, and compares with the definition block by block.
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
		for to := max(from, m.Blocks()-2); to <= m.Blocks(); to++ {
			want, lanes := firstWithin(total[:to*Lanes], from, budget)
			if b, l := m.FirstWithin(prog, from, to, spent, budget); b != want || l != lanes {
				t.Fatalf("blocks [%d,%d) with budget %d: block %d, lanes %08b; want %d, %08b", from, to, budget, b, l, want, lanes)
			}
		}
	}
}

// firstWithin is the definition of FirstWithin, given the totals.
func firstWithin(total []int64, from int, budget int64) (block int, lanes uint8) {
	for block = from; block < len(total)/Lanes; block++ {
		for i, x := range total[block*Lanes:][:Lanes] {
			if x <= budget {
				lanes |= 1 << i
			}
		}
		if lanes != 0 {
			return block, lanes
		}
	}
	return block, 0
}
