package cuts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHistograms compares the sums of the sides of a split, and the loss after steps of both, with their definition.
func TestHistograms(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := randomProblem(rng)
		p.columns = problem{columns: slices.Repeat(p.columns, 1+rng.IntN(20))}.copied() // many are summed side by side
		n := len(p.classes)
		e := newEnsemble(p.columns, p.classes, p.k, p.weights, nil)
		e.begin()
		for i, from := range rng.Perm(n) {
			e.order[i] = int32(from)
		}
		e.arrange() // the columns are those of p
		for c := range e.columns {
			e.used = append(e.used, c)
			for i := range n {
				e.order[i] = int32(i)
			}
		}
		bins := p.columns[rng.IntN(len(p.columns))].Bins
		var sides [maxBins]uint8
		for x := range sides {
			sides[x] = uint8(rng.IntN(2))
		}
		in, out := e.partRows(e.order, bins, &sides)
		if len(in)+len(out) != n || !slices.IsSorted(in) || !slices.IsSorted(out) {
			t.Fatalf("seed %d: %d and %d rows of %d, or not in their order", seed, len(in), len(out), n)
		}
		e.take([]*node{{rows: in, step: 40_000}, {rows: out, step: -1000}})
		want, got := make([]sums, e.bins), make([]sums, e.bins)
		var ones int64
		for i, c := range e.labels {
			if c == 0 { // the first class against the others
				ones += e.weight(i)
			}
		}
		mean, loss := int64(math.Round(float64(ones)/float64(e.total)*one)), 0.0
		for i := range n {
			r := 1000 - mean
			if sides[bins[i]] == 1 {
				r = -40_000 - mean
			}
			if e.labels[i] == 0 {
				r += one
			}
			w := e.weight(i)
			loss += float64(r*w) * float64(r*w) / float64(e.total)
			for c, column := range p.columns {
				if at := e.first[c] + int(column.Bins[i]); sides[bins[i]] == 1 {
					want[at] = want[at].plus(sums{r * w, w})
				}
			}
		}
		if e.histograms(got, in); !slices.Equal(got, want) {
			t.Fatalf("seed %d: sums of %d of %d rows differ from their definition", seed, len(in), n)
		}
		if math.Abs(e.loss-loss) > 1e-9*loss {
			t.Fatalf("seed %d: loss %v, want %v", seed, e.loss, loss)
		}
	}
}
