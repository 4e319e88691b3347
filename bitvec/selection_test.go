package bitvec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// selects is the definition of Reach for one column.
func selects(own, other, atLeast int64, r *Reach) bool {
	if own <= atLeast {
		return false
	}
	errors := max(0, other-r.Taken)
	rest := max(0, r.Left-own)
	return errors < r.Open || errors < r.Last && rest < r.Last-errors
}

// columnCounts are the edges of blocks and of words of a mask over columns.
var columnCounts = []int{0, 8, 16, 24, 56, 64, 72, 120, 128, 136, 504, 512, 520}

func drawCounts(r *rand.Rand, n int, most int64) []int64 {
	g := make([]int64, n)
	for i := range g {
		g[i] = r.Int64N(most)
	}
	return g
}

// drawMask draws a mask over n columns with a word to spare.
func drawMask(r *rand.Rand, n int) []uint64 {
	m := make([]uint64, n/64+2)
	for i := range n {
		m[i/64] |= r.Uint64N(2) << (i % 64)
	}
	return m
}

func drawReach(r *rand.Rand, most int64) Reach {
	return Reach{Taken: r.Int64N(most), Left: r.Int64N(most), Open: drawBound(r, most), Last: drawBound(r, most)}
}

// drawBound draws from the range of the counts, a little around it, and the
// ends of the integers ("no incumbent yet").
func drawBound(r *rand.Rand, most int64) int64 {
	switch r.IntN(8) {
	case 0:
		return math.MaxInt64
	case 1:
		return math.MinInt64
	case 2:
		return -r.Int64N(most)
	case 3:
		return 0
	}
	return r.Int64N(most)
}

func TestSelectEither(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, n := range columnCounts {
			r := rand.New(rand.NewPCG(uint64(n), 6))
			for range 100 {
				most := []int64{3, 40, 1 << 20, 1 << 61, countLimit}[r.IntN(5)]
				checkSelectEither(t, r, drawCounts(r, n, most), drawCounts(r, n, most), most)
			}
		}
	})
}

// checkSelectEither also checks what lies beyond the columns.
func checkSelectEither(t *testing.T, r *rand.Rand, g1, g0 []int64, most int64) {
	t.Helper()
	n := len(g1)
	r1, r0, atLeast := drawReach(r, most), drawReach(r, most), drawBound(r, most)
	mask, among := drawMask(r, n), drawMask(r, n)
	want, any := make([]uint64, len(mask)), false
	for i := range n {
		if among[i/64]>>(i%64)&1 == 1 && (selects(g1[i], g0[i], atLeast, &r1) || selects(g0[i], g1[i], atLeast, &r0)) {
			want[i/64] |= 1 << (i % 64)
			any = true
		}
	}
	if got := SelectEither(mask, among, g1, g0, atLeast, &r1, &r0); got != any || !slices.Equal(mask, want) {
		t.Fatalf("g1 %v g0 %v atLeast %d %+v %+v:\n got %x, %v\nwant %x", g1, g0, atLeast, r1, r0, mask, got, want)
	}
}
