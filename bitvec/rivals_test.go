package bitvec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBestLabels(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, n := range columnCounts {
			r := rand.New(rand.NewPCG(uint64(n), 11))
			for _, most := range []int64{3, 1 << 62} {
				checkBestLabels(t, drawCounts(r, n, most), drawCounts(r, n, most))
			}
		}
	})
}

func checkBestLabels(t *testing.T, g1, g0 []int64) {
	t.Helper()
	errors, gains := make([]int64, len(g1)), make([]int64, len(g1))
	BestLabels(errors, gains, g1, g0)
	for i, e := range errors {
		if e != min(g1[i], g0[i]) || gains[i] != max(g1[i], g0[i]) {
			t.Fatalf("%s: column %d: g1 %d, g0 %d, errors %d, gains %d", Kernel(), i, g1[i], g0[i], e, gains[i])
		}
	}
}

func TestRivals(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, n := range columnCounts {
			r := rand.New(rand.NewPCG(uint64(n), 10))
			for range 40 {
				const span = 40
				checkRivals(t, r, drawCounts(r, n, span), drawCounts(r, n, span), r.Int64N(span), r.Int64N(span))
			}
		}
	})
}

func checkRivals(t *testing.T, r *rand.Rand, errors, gains []int64, most, least int64) {
	t.Helper()
	mask := drawMask(r, len(errors))
	want := make([]uint64, len(mask))
	for i := range errors {
		if errors[i] <= most && gains[i] >= least {
			want[i/64] |= 1 << (i % 64)
		}
	}
	if Rivals(mask, errors, gains, most, least); !slices.Equal(mask, want) {
		t.Fatalf("%s: errors %v gains %v most %d least %d: %x, want %x", Kernel(), errors, gains, most, least, mask, want)
	}
}
