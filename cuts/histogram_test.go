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

// TestHistograms compares sums with their definition, of some of the samples in
// one chunk and in several, with residuals of both signs.
func TestHistograms(t *testing.T) {
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 100 + rng.IntN(3000)
		if seed%8 == 0 {
			n = 3*blockRows + rng.IntN(blockRows)
		}
		p := mixedProblem(rng, n)
		e := newEnsemble(p.copied(), p.classes, p.k, p.weights, nil)
		for _, allowed := range e.allowed {
			for i := range allowed {
				allowed[i] = rng.IntN(2) == 0
			}
		}
		e.table = e.newTable(nil)
		e.begin()
		if seed%3 == 2 { // of cuts among those before
			for _, allowed := range e.allowed {
				for i := range allowed {
					allowed[i] = allowed[i] && rng.IntN(2) == 0
				}
			}
			e.table = e.newTable(e.table)
		}
		all := e.everyRow()
		view, values := e.someView(rng)
		chosen, sides := make([]bool, n), randomSides(rng)
		for i := range n {
			chosen[i] = sides[values[i]] == 1
		}
		in, out := e.splitRows(&all, view, &sides, 0, make([]sums, e.table.bins))
		e.take([]*node{{rows: in, step: 40_000}, {rows: out, step: -1000}})
		want := make([]sums, e.table.bins)
		var ones int64
		for i, c := range p.classes {
			if c == 0 { // the first class against the others
				ones += e.weight(i)
			}
		}
		mean, loss := int64(math.Round(float64(ones)/float64(e.total)*one)), 0.0
		for i := range n {
			r := 1000 - mean
			if chosen[i] {
				r = -40_000 - mean
			}
			if p.classes[i] == 0 {
				r += one
			}
			w := e.weight(i)
			loss += float64(r*w) * float64(r*w) / float64(e.total)
			for _, v := range e.table.views {
				at := v.first + int(v.of[p.columns[v.column].Bins[i]])
				if chosen[i] {
					want[at] = want[at].plus(sums{r * w, w})
				}
			}
		}
		got := make([]sums, e.table.bins)
		e.histograms(got, &in)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: sums of %d of %d rows differ from their definition", seed, in.count, n)
		}
		if math.Abs(e.loss-loss) > 1e-9*loss {
			t.Fatalf("seed %d: loss %v, want %v", seed, e.loss, loss)
		}
	}
}

// TestSplitRows parts rows by a bin, in one chunk and in several.
func TestSplitRows(t *testing.T) {
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 100 + rng.IntN(3000)
		if seed%8 == 0 {
			n = 3*blockRows + rng.IntN(blockRows)
		}
		p := mixedProblem(rng, n)
		e := newEnsemble(p.copied(), p.classes, p.k, p.weights, nil)
		e.table = e.newTable(nil)
		e.begin()
		view, values := e.someView(rng)
		side := randomSides(rng)
		root, small := e.everyRow(), rng.IntN(2)
		sums, want := make([]sums, e.table.bins), make([]sums, e.table.bins)
		in, out := e.splitRows(&root, view, &side, small, sums)
		parts := []*rowSpan{&out, &in}
		seen := make([]bool, n)
		for k, span := range parts {
			for block := range span.blocks {
				for _, place := range e.rowsOf(span, block) {
					i := block<<blockBits + int(place)
					if side[values[i]] != uint8(k) || seen[i] {
						t.Fatalf("seed %d: sample %d is on side %d, seen before: %v", seed, i, k, seen[i])
					}
					seen[i] = true
				}
			}
		}
		if slices.Contains(seen, false) || in.count+out.count != n {
			t.Fatalf("seed %d: %d and %d rows of %d", seed, in.count, out.count, n)
		}
		if e.histograms(want, parts[small]); !slices.Equal(sums, want) {
			t.Fatalf("seed %d: sums of side %d differ", seed, small)
		}
	}
}

// someView returns a view and the bin that each sample has there.
func (e *ensemble) someView(rng *rand.Rand) (v *view, values []uint8) {
	v = e.table.views[rng.IntN(len(e.table.views))]
	return v, slices.Clone(v.bins)
}

func randomSides(rng *rand.Rand) (side [maxBins]uint8) {
	for x := range side {
		side[x] = uint8(rng.IntN(2))
	}
	return side
}
