package bitvec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSurvey compares with the definitions in Survey, column by column.
func TestSurvey(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, n := range columnCounts {
			r := rand.New(rand.NewPCG(uint64(n), 8))
			for range 100 {
				most := []int64{3, 40, 1 << 20, 1 << 59}[r.IntN(4)]
				g1, g0 := drawCounts(r, n, most), drawCounts(r, n, most)
				checkSurvey(t, r, g1, g0, most)
			}
		}
	})
}

// checkSurvey surveys counts below most with conditions that it draws.
func checkSurvey(t *testing.T, r *rand.Rand, g1, g0 []int64, most int64) {
	t.Helper()
	s := Survey{All1: most + r.Int64N(most), All0: most, Least: r.Int64N(most)}
	if r.IntN(3) == 0 {
		s.Least = 0
	}
	want, alive, n := s, drawMask(r, len(g1)), 0
	columns := make([]uint64, len(alive))
	want.define(g1, g0, func(t int) { columns[t/64] |= 1 << (t % 64); n++ })
	if got := s.Run(alive, g1, g0); got != n || s != want || !slices.Equal(alive, columns) {
		t.Fatalf("g1 %v g0 %v:\n got %d %x %+v\nwant %d %x %+v", g1, g0, got, alive, s, n, columns, want)
	}
}

// define fills in what s says of the columns, and calls alive for each that is.
func (s *Survey) define(g1, g0 []int64, alive func(t int)) {
	s.Stop, s.Class1, s.Class0 = Far, Extremes{Far, Far}, Extremes{Far, Far}
	for t, a := range g1 {
		b := g0[t]
		if max(a, b) <= s.Least {
			continue
		}
		alive(t)
		s.Stop = min(s.Stop, min(a, b)+min(s.All1-a, s.All0-b))
		if a > s.Least {
			s.Class1.Other, s.Class1.Span = min(s.Class1.Other, b), min(s.Class1.Span, b-a)
		}
		if b > s.Least {
			s.Class0.Other, s.Class0.Span = min(s.Class0.Other, a), min(s.Class0.Span, a-b)
		}
	}
}

func TestCheap(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, n := range columnCounts {
			r := rand.New(rand.NewPCG(uint64(n), 9))
			for i := range 40 {
				const most = 40
				g1, g0 := drawCounts(r, n, most), drawCounts(r, n, most)
				room := []int64{0, Far, math.MinInt64, r.Int64N(most)}[i%4]
				alive, out := drawMask(r, n), drawMask(r, n)
				want, left := make([]uint64, len(out)), 0
				for t := range n {
					if alive[t/64]>>(t%64)&1 == 1 && min(g1[t], g0[t]) < room {
						want[t/64] |= 1 << (t % 64)
						left++
					}
				}
				if got := Cheap(out, alive, g1, g0, room); got != left || !slices.Equal(out, want) {
					t.Fatalf("g1 %v g0 %v room %d: %d %x, want %d %x", g1, g0, room, got, out, left, want)
				}
				if Cheap(alive, alive, g1, g0, room); !slices.Equal(alive, want) {
					t.Fatal("in place: something else")
				}
			}
		}
	})
}
