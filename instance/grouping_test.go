package instance

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// TestCollidingHashes groups with hashes that tell little or nothing: only the
// keys may decide.
func TestCollidingHashes(t *testing.T) {
	for _, mask := range []uint64{0, 1, 0xf} {
		rng := rand.New(rand.NewPCG(mask, 3))
		s := randomSamples(rng, 500, 70)
		g := newGrouping(len(s.holds), 2)
		hash := g.hash
		g.hash = func(key []uint64) uint64 { return hash(key) & mask }
		columns := make([]*bitset.BitSet, len(s.holds))
		for a, h := range s.holds {
			columns[a] = setOf(h)
		}
		g.addAll(columns, binary(setOf(s.label)), s.weights, len(s.label))
		want := newGrouping(len(s.holds), 2)
		want.addAll(columns, binary(setOf(s.label)), s.weights, len(s.label))
		if g.n != want.n {
			t.Fatalf("hash & %#x: %d points, want %d", mask, g.n, want.n)
		}
		if !slices.Equal(g.weights, want.weights) {
			t.Fatalf("hash & %#x: the weights of the points differ", mask)
		}
	}
}

// TestSideBySide groups several blocks on one processor and on three: few points,
// many, and nearly as many as samples at first.
func TestSideBySide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n, pool := 3*blockSamples+rng.IntN(blockSamples), make([]uint64, 1<<(4+4*min(seed, 3)))
		for i := range pool {
			pool[i] = rng.Uint64()
		}
		columns, labels := make([]*bitset.BitSet, 20), bitset.New(uint(n))
		for a := range columns {
			columns[a] = bitset.New(uint(n))
		}
		weights := make([]int64, n)
		for i := range n {
			key := pool[rng.IntN(min(len(pool), 1+i/4))]
			if seed == 4 && i < 2*blockSamples+999 {
				key = uint64(i / (1 + i%50/49))
			}
			for a, c := range columns {
				c.SetTo(uint(i), key>>a&1 == 1)
			}
			labels.SetTo(uint(i), rng.IntN(3) == 0)
			weights[i] = 1 + rng.Int64N(9)
		}
		var want *Points
		for _, processors := range []int{1, 3} {
			runtime.GOMAXPROCS(processors)
			got, err := givenPoints(columns, labels, weights, n)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			} else if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %d points on %d processors, %d on one", seed, got.Count, processors, want.Count)
			}
		}
	}
}
