package bitvec

import (
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
	want, alive := s, drawMask(r, len(g1))
	columns := make([]uint64, len(alive))
	want.define(g1, g0, func(t int) { columns[t/64] |= 1 << (t % 64) })
	if s.Run(alive, g1, g0); s != want || !slices.Equal(alive, columns) {
		t.Fatalf("g1 %v g0 %v:\n got %x %+v\nwant %x %+v", g1, g0, alive, s, columns, want)
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
