package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCountWhile: sets so long that a slice is one block, and shorter ones of
// which it has all. It is told to stop after each number of slices.
func TestCountWhile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, words := range []int{sliceWords/Lanes + 1, sliceWords / Lanes / 2, 3} {
		const blocks = 3
		costs := make([]int64, words*64)
		m := NewMatrix(blocks*Lanes-3, words)
		u, col := make([]uint64, words), make([]uint64, words)
		for range 40 {
			w := r.IntN(words)
			costs[w*64+r.IntN(64)] = 1 + r.Int64N(9)
			u[w] = r.Uint64()
		}
		for c := range m.Columns() {
			for w := range col {
				if col[w] = 0; u[w] != 0 {
					col[w] = r.Uint64()
				}
			}
			m.Set(c, col)
		}
		var prog Program
		p := NewPlanes(costs, words/2)
		n := blocks * Lanes
		want1, want0, got1, got0 := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
		p.Compile(&prog, u)
		m.Count(&prog, 0, blocks, want1, want0)
		slicesOf := (blocks + m.Slice() - 1) / m.Slice()
		for stop := 1; stop <= slicesOf; stop++ {
			asked := 0
			p.Compile(&prog, u)
			done := m.CountWhile(&prog, got1, got0, func() bool { asked++; return asked < stop })
			if done != (stop == slicesOf) || asked != min(stop, slicesOf-1) {
				t.Errorf("%d words, stopped after %d of %d slices: done %t, asked %d times", words, stop, slicesOf, done, asked)
			}
			if done && !(slices.Equal(got1, want1) && slices.Equal(got0, want0)) {
				t.Errorf("%d words: counts differ from those of Count", words)
			}
		}
	}
}

// TestSliceIsBounded: no matrix is so large that much of it is read between
// two looks, unless a single block is larger.
func TestSliceIsBounded(t *testing.T) {
	for _, words := range []int{0, 1, 7, 1000, sliceWords / Lanes, sliceWords} {
		m := &Matrix{cols: 1 << 16, words: words}
		if got := m.Slice() * words * Lanes; m.Slice() < 1 || got > max(sliceWords, words*Lanes) {
			t.Errorf("%d words: a slice of %d blocks has %d words", words, m.Slice(), got)
		}
	}
}
