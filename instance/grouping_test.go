package instance

import (
	"math/rand/v2"
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

func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	var m [64]uint64
	for i := range m {
		m[i] = rng.Uint64()
	}
	got := m
	transpose(&got)
	for r := range 64 {
		for c := range 64 {
			if got[c]>>r&1 != m[r]>>c&1 {
				t.Fatalf("bit %d of word %d did not become bit %d of word %d", c, r, r, c)
			}
		}
	}
}
