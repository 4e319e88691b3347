package instance

import (
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// TestCollidingHashes groups with hashes that tell little or nothing: only the
// keys may decide.
func TestCollidingHashes(t *testing.T) {
	for _, mask := range []uint64{0, 1, 0xf} {
		rng := rand.New(rand.NewPCG(mask, 3))
		s := randomSamples(rng, 500, 70)
		g := newGrouping(len(s.holds))
		hash := g.hash
		g.hash = func(key []uint64) uint64 { return hash(key) & mask }
		columns := make([]*bitset.BitSet, len(s.holds))
		for a, h := range s.holds {
			columns[a] = setOf(h)
		}
		g.addAll(columns, setOf(s.label), s.weights, len(s.label))
		want := newGrouping(len(s.holds))
		want.addAll(columns, setOf(s.label), s.weights, len(s.label))
		if len(g.points) != len(want.points) {
			t.Fatalf("hash & %#x: %d points, want %d", mask, len(g.points), len(want.points))
		}
		for p := range g.points {
			if g.points[p].weight1 != want.points[p].weight1 || g.points[p].weight0 != want.points[p].weight0 {
				t.Fatalf("hash & %#x: point %d differs", mask, p)
			}
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
