package bitvec

import (
	"math/rand/v2"
	"testing"
)

// TestScanBins compares the kernels with the definition.
func TestScanBins(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	withKernels(t, func(t *testing.T) {
		for range 300 {
			bins := 1 + rng.IntN(40)
			var lists [4][]int32
			for i := range lists {
				for range bins * BinLanes {
					lists[i] = append(lists[i], rng.Int32N(1+1<<rng.IntN(20)))
				}
			}
			for i := range lists[0] { // all has what is on the left
				lists[2][i] += lists[0][i]
				lists[3][i] += lists[1][i]
			}
			for _, ends := range []bool{false, true} {
				var got [4][BinLanes]int32
				ScanBins(lists[0], lists[1], lists[2], lists[3], ends, &got)
				for lane := range BinLanes {
					var want [4]int32
					for side := range 2 {
						var a, b int32
						for i := lane; i < len(lists[0]); i += BinLanes {
							x, y := lists[0][i], lists[1][i]
							if side == 1 {
								x, y = lists[2][i]-x, lists[3][i]-y
							}
							ab, ba := a+x-b, b+y-a
							a, b = a+x, b+y
							if ends {
								ab, ba = a-b, b-a
							}
							want[2*side], want[2*side+1] = max(want[2*side], ab), max(want[2*side+1], ba)
						}
					}
					for i := range want {
						if got[i][lane] != want[i] {
							t.Fatalf("%d bins, ends %v, lane %d, figure %d: %d, want %d", bins, ends, lane, i, got[i][lane], want[i])
						}
					}
				}
			}
		}
	})
}
