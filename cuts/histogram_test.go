package cuts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// mixedProblem has n samples of columns of few bins and of many.
func mixedProblem(rng *rand.Rand, n int) problem {
	p := problem{classes: make([]uint8, n), k: 2}
	for k := range 3 + rng.IntN(20) {
		c := binned{Bins: make([]uint8, n), N: 2 + rng.IntN(6), Free: k%2 == 0}
		if rng.IntN(3) == 0 {
			c.N = 2 + rng.IntN(250)
		}
		c.Ordered = rng.IntN(c.N + 1)
		for i := range c.Bins {
			c.Bins[i] = uint8(rng.IntN(1 + rng.IntN(c.N))) // the first ones most often
		}
		p.columns = append(p.columns, c)
	}
	for i := range p.classes {
		p.classes[i] = uint8(rng.IntN(3) / 2)
	}
	if rng.IntN(2) == 0 {
		p.weights = make([]int64, n)
		for i := range p.weights {
			p.weights[i] = 1 + rng.Int64N(1<<20)
		}
	}
	return p
}

// TestHistograms compares the sums of the sides of a split, and the loss after steps of both, with their definition.
func TestHistograms(t *testing.T) {
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 100 + rng.IntN(3000)
		p := mixedProblem(rng, n)
		e := newEnsemble(p.columns, p.classes, p.k, p.weights, nil)
		e.begin()
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
		for i, c := range p.classes {
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
			if p.classes[i] == 0 {
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
