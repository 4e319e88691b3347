package bitvec

import (
	"math/rand/v2"
	"testing"
)

// TestCount holds every lane of every block, those that pad the last block
// included, against the sum over single points.
func TestCount(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		spaces(t, func(t *testing.T, r *rand.Rand, s *space) {
			p, m := NewPlanes(s.costs, s.words1), s.matrix()
			var prog Program
			for range 4 {
				u := s.set(r)
				p.Compile(&prog, u)
				s.checkCount(t, m, &prog, u, 0, m.Blocks())
			}
		})
	})
}

// checkCount counts u's program over the blocks [from, to) and checks also
// that the places of other blocks are left alone.
func (s *space) checkCount(t *testing.T, m *Matrix, prog *Program, u []uint64, from, to int) {
	t.Helper()
	const untouched = -77
	g1, g0 := make([]int64, m.Blocks()*Lanes), make([]int64, m.Blocks()*Lanes)
	for i := range g1 {
		g1[i], g0[i] = untouched, untouched
	}
	m.Count(prog, from, to, g1, g0)
	for i := range g1 {
		var want1, want0 int64
		switch {
		case i < from*Lanes || i >= to*Lanes:
			want1, want0 = untouched, untouched
		case i < len(s.columns):
			want1, want0 = s.meet(s.columns[i], u)
		}
		if g1[i] != want1 || g0[i] != want0 {
			t.Fatalf("blocks [%d,%d), column %d: %d, %d; want %d, %d", from, to, i, g1[i], g0[i], want1, want0)
		}
	}
}

func TestCountRange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := newSpace(r, 5, 2, 75, costStyles["skewed"])
	p, m := NewPlanes(s.costs, s.words1), s.matrix()
	u := s.set(r)
	var prog Program
	p.Compile(&prog, u)
	withKernels(t, func(t *testing.T) {
		for from := range m.Blocks() + 1 {
			for to := from; to <= m.Blocks(); to++ {
				s.checkCount(t, m, &prog, u, from, to)
			}
		}
	})
}

// TestCountExtremes uses every bit of the costs: totals just below 2^62 in
// one point, and beside it the smallest ones.
func TestCountExtremes(t *testing.T) {
	costs := make([]int64, 3*64)
	costs[0], costs[1], costs[63] = 1<<61+1, 1<<60-1, 1
	costs[64], costs[130] = 1<<46, 1<<46-1
	s := &space{words: 3, words1: 1, costs: costs}
	full := []uint64{1<<0 | 1<<1 | 1<<63, 1, 1 << 2}
	s.columns = [][]uint64{full, {1, 1, 0}, {2, 0, 4}, {0, 0, 0}}
	p, m := NewPlanes(costs, 1), s.matrix()
	withKernels(t, func(t *testing.T) {
		var prog Program
		for _, u := range s.columns {
			p.Compile(&prog, u)
			s.checkCount(t, m, &prog, u, 0, 1)
		}
	})
}

// TestProgramReuse compiles for a large space, then for a small one, then for
// a larger one with the same buffer.
func TestProgramReuse(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		var prog Program
		for _, words := range []int{17, 2, 33, 0, 9} {
			s := newSpace(r, words, words/3, 20, costStyles["wide"])
			p, m := NewPlanes(s.costs, s.words1), s.matrix()
			u := s.set(r)
			p.CompileComplement(&prog, u)
			p.Compile(&prog, u)
			s.checkCount(t, m, &prog, u, 0, m.Blocks())
		}
	})
}
