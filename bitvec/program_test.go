package bitvec

import "testing"

// TestProgramOfOtherPlanes: a program that counted many words of one weight
// counts fewer words of many weights.
func TestProgramOfOtherPlanes(t *testing.T) {
	var prog Program
	count := func(words int, cost func(i int) int64) {
		costs := make([]int64, 64*words)
		for i := range costs {
			costs[i] = cost(i)
		}
		set := make([]uint64, words)
		set[0] = ^uint64(0) // so few that squeezing pays
		m := NewMatrix(8*Lanes, words)
		for c := range m.Columns() {
			m.Set(c, set)
		}
		want := int64(0)
		for _, c := range costs[:64] {
			want += c
		}
		g1, g0 := make([]int64, 8*Lanes), make([]int64, 8*Lanes)
		NewPlanes(costs, words).Compile(&prog, set)
		m.Count(&prog, 0, m.Blocks(), g1, g0)
		if g1[0] != want || g0[0] != 0 {
			t.Fatalf("counted %d and %d, want %d and 0", g1[0], g0[0], want)
		}
	}
	count(300, func(int) int64 { return 1 })
	count(5, func(i int) int64 { return int64(1 + i*i*i) })
}
