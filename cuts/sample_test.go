package cuts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSample draws from classes of many sizes: each class weighs what it did up to a run of rows, rare classes are whole, and
// no class has more than its share.
func TestSample(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 21))
		n := 1 + rng.IntN(5000)
		g := &Chooser{k: 2 + rng.IntN(4)}
		weight, rare := 1+rng.Int64N(9), rng.IntN(2) == 0
		rows := make([]int64, g.k)
		for range n {
			c := rng.IntN(g.k)
			if rare && rng.IntN(100) > 0 {
				c = 0
			}
			g.classes, g.weights = append(g.classes, uint8(c)), append(g.weights, weight)
			rows[c]++
		}
		most := g.k + rng.IntN(2000)
		runs := g.runs(most)
		g.sample(most)
		if len(g.classes) > most+g.k || n <= most && len(g.classes) != n || g.rows != nil && int(g.rows.Count()) != len(g.classes) {
			t.Fatalf("seed %d: %d samples of %d rows, at most %d asked for", seed, len(g.classes), n, most)
		}
		if n <= most || g.weights == nil {
			continue
		}
		after := make([]int64, g.k)
		for i, c := range g.classes {
			after[c] += g.weights[i] / weight
		}
		for c := range g.k {
			if run := int64(runs[c]); after[c] > rows[c]+run || after[c] < rows[c]-run || rows[c] <= int64(most/g.k) && run > 1 {
				t.Fatalf("seed %d: class %d has %d rows, %d in the sample of one out of %d", seed, c, rows[c], after[c], run)
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
