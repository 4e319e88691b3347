package instance

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
)

// TestCollidingHashes groups with hashes that tell little or nothing: only the
// keys may decide.
func TestCollidingHashes(t *testing.T) {
	for _, mask := range []uint64{0, 1, 0xf} {
		s := drawSamples(rand.New(rand.NewPCG(mask, 3)), 500, 70, 2, 300)
		g, want := newGrouping(70, 2), newGrouping(70, 2)
		hash := g.hash
		g.hash = func(key []uint64) uint64 { return hash(key) & mask }
		g.addAll(s.table())
		want.addAll(s.table())
		for p := range want.n {
			if g.n != want.n || !slices.Equal(g.weightsOf(p), want.weightsOf(p)) {
				t.Fatalf("hash & %#x: %d points, want %d, or others", mask, g.n, want.n)
			}
		}
	}
}

// TestSideBySide groups several blocks on one processor and on three: few points,
// many, and nearly as many as samples.
func TestSideBySide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed, pool := range []int{16, 256, 4096, 1 << 16, 1 << 20} {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		s := drawSamples(r, 3*blockSamples+r.IntN(blockSamples), 20, 2, pool)
		var want *Points
		for _, processors := range []int{1, 3} {
			runtime.GOMAXPROCS(processors)
			got := must.Get(s.points())(t)
			weights := [2][]int64{make([]int64, got.Count), make([]int64, got.Count)}
			for i := range got.Count {
				weights[i%2][i] = int64(1 + i)
			}
			if in := got.Reduce(weights[1], weights[0]); in.Points != got.Count {
				t.Fatalf("seed %d: an instance has %d points of %d on %d processors", seed, in.Points, got.Count, processors)
			}
			got.keys = nil
			if want == nil {
				want = got
			} else if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %d points on %d processors, %d on one", seed, got.Count, processors, want.Count)
			}
		}
	}
}
