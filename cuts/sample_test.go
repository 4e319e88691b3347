package cuts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSampler draws from classes of many sizes and weights: each class weighs what it did up to
// an interval, rare classes are whole, and no class has more than its share.
func TestSampler(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 21))
		n := 1 + rng.IntN(5000)
		g := &Chooser{k: 2 + rng.IntN(4)}
		weighted, rare := rng.IntN(2) == 0, rng.IntN(2) == 0
		before, rows := make([]int64, g.k), make([]int, g.k)
		for range n {
			c := rng.IntN(g.k)
			if rare && rng.IntN(100) > 0 {
				c = 0
			}
			w := int64(1)
			if weighted {
				w = 1 + rng.Int64N(1<<rng.IntN(20))
				g.weights = append(g.weights, w)
			}
			g.classes = append(g.classes, uint8(c))
			before[c] += w
			rows[c]++
		}
		most := g.k + rng.IntN(2000)
		old := g.samplers(most)
		g.sample(most)
		if len(g.classes) > max(most, 0)+g.k || n <= most && len(g.classes) != n {
			t.Fatalf("seed %d: %d samples of %d rows, at most %d asked for", seed, len(g.classes), n, most)
		}
		if g.weights != nil && len(g.weights) != len(g.classes) {
			t.Fatalf("seed %d: %d samples, %d weights", seed, len(g.classes), len(g.weights))
		}
		if g.weights == nil {
			continue
		}
		after, drawn := make([]int64, g.k), make([]int, g.k)
		for i, c := range g.classes {
			after[c] += g.weight(i)
			drawn[c]++
		}
		for c := range g.k {
			if n > most && !old[c].whole && max(after[c]-before[c], before[c]-after[c]) > int64(old[c].interval) {
				t.Fatalf("seed %d: class %d weighs %d, %d in the sample of intervals %d", seed, c, before[c], after[c], old[c].interval)
			}
			if whole := rows[c] <= most/g.k; whole && drawn[c] != rows[c] {
				t.Fatalf("seed %d: %d of %d rows of a rare class are drawn", seed, drawn[c], rows[c])
			}
		}
	}
}

// TestBoundaries: places that are no boundary point are no candidates, and
// thinning leaves as many as there may be.
func TestBoundaries(t *testing.T) {
	coarse, kept := boundaries([][]int64{{1, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 1}})
	if want := []int{1, 3}; !slices.Equal(kept, want) || !slices.Equal(coarse, []uint8{0, 0, 1, 1, 2}) {
		t.Errorf("boundaries %v, bins %v, want %v", kept, coarse, want)
	}
	weights := make([][]int64, 2000)
	for i := range weights {
		weights[i] = []int64{int64(i % 2), int64(1 - i%2)}
	}
	if _, kept := boundaries(weights); len(kept) > maxCandidates || len(kept) < maxCandidates*3/4 {
		t.Errorf("%d candidates, want about %d", len(kept), maxCandidates)
	}
}
