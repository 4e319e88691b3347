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
	all, some := make([]uint64, m.Blocks()/8+1), make([]uint64, m.Blocks()/8+1)
	for i := range all {
		all[i] = ^uint64(0)
		some[i] = 0x8421_00ff_7f01_3c80 >> i
	}
	for from := range m.Blocks() + 1 {
		want, lanes := firstWithin(total, from, all, budget)
		if b, l := m.FirstWithin(prog, from, m.Blocks(), spent, budget); b != want || l != lanes {
			t.Fatalf("from block %d with budget %d: block %d, lanes %08b; want %d, %08b", from, budget, b, l, want, lanes)
		}
		for _, among := range [][]uint64{all, some} {
			for to := max(from, m.Blocks()-2); to <= m.Blocks(); to++ {
				want, lanes := firstWithin(total[:to*Lanes], from, among, budget)
				if b, l := m.FirstWithinAmong(prog, from, to, among, spent, budget); b != want || l != lanes {
					t.Fatalf("blocks [%d,%d) among %x with budget %d: block %d, lanes %08b; want %d, %08b",
						from, to, among, budget, b, l, want, lanes)
				}
			}
		}
	}
}

// firstWithin is the definition of FirstWithinAmong, given the totals.
func firstWithin(total []int64, from int, among []uint64, budget int64) (block int, lanes uint8) {
	for block = from; block < len(total)/Lanes; block++ {
		for i, x := range total[block*Lanes:][:Lanes] {
			if t := block*Lanes + i; x <= budget && among[t/64]>>(t%64)&1 == 1 {
				lanes |= 1 << i
			}
		}
		if lanes != 0 {
			return block, lanes
		}
	}
	return block, 0
}
