package guess

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// mixedProblem has n samples of columns of few bins, which share slots, and of many.
func mixedProblem(rng *rand.Rand, n int) problem {
	p := problem{ones: make([]bool, n)}
	for k := range 3 + rng.IntN(20) {
		c := Column{Bins: make([]uint8, n), N: 2 + rng.IntN(6), Free: k%2 == 0}
		if rng.IntN(3) == 0 {
			c.N = 2 + rng.IntN(250)
		}
		c.Ordered = rng.IntN(c.N + 1)
		for i := range c.Bins {
			c.Bins[i] = uint8(rng.IntN(1 + rng.IntN(c.N))) // the first ones most often
		}
		p.columns = append(p.columns, c)
	}
	for i := range p.ones {
		p.ones[i] = rng.IntN(3) == 0
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
			n = 3*chunkRows + rng.IntN(chunkRows)
		}
		p := mixedProblem(rng, n)
		e := newEnsemble(p.columns, p.ones, p.weights)
		for _, allowed := range e.allowed {
			for i := range allowed {
				allowed[i] = rng.IntN(2) == 0
			}
		}
		e.table = e.newTable()
		e.begin()
		rows, others := e.rows[0][:0], e.rows[1][:0]
		for i := range n {
			if rng.IntN(3) > 0 {
				rows = append(rows, int32(i))
			} else {
				others = append(others, int32(i))
			}
		}
		e.squares = 0
		e.take(rows, 40_000)
		e.take(others, -1000)
		want := make([]sums, e.table.bins)
		var squares int64
		for k := range 2 {
			for _, i := range [][]int32{rows, others}[k] {
				r := int64([]int{-40_000, 1000}[k])
				if p.ones[i] {
					r += one
				}
				w := e.weight(int(i))
				squares += (r >> 8) * (r >> 8) * w
				for _, v := range e.table.views {
					at := v.first + int(v.of[p.columns[v.column].Bins[i]])
					if k == 0 {
						want[at] = want[at].plus(sums{r * w, w})
					}
				}
			}
		}
		got := make([]sums, e.table.bins)
		e.histograms(got, rows)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: sums of %d of %d rows in %d slots differ from their definition", seed, len(rows), n, len(e.table.slots))
		}
		if e.squares != squares {
			t.Fatalf("seed %d: squares %d, want %d", seed, e.squares, squares)
		}
	}
}

// TestSplitRows parts rows by a bin, in one chunk and in several.
func TestSplitRows(t *testing.T) {
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 100 + rng.IntN(3000)
		if seed%8 == 0 {
			n = 3*chunkRows + rng.IntN(chunkRows)
		}
		p := mixedProblem(rng, n)
		e := newEnsemble(p.columns, p.ones, p.weights)
		e.table = e.newTable()
		e.begin()
		for i := range e.rows[0] {
			e.rows[0][i] = int32(i)
		}
		at := rng.IntN(len(e.table.slots))
		var side [slotSize]uint8
		for x := range side {
			side[x] = uint8(rng.IntN(2))
		}
		in, out := e.splitRows(rowSpan{0, n, 0}, at, &side)
		for k, span := range []rowSpan{out, in} {
			for _, i := range e.rowsOf(span) {
				if x := uint8(e.table.tiles[at/lanes][i] >> (at % lanes * 8)); side[x] != uint8(k) {
					t.Fatalf("seed %d: sample %d is on side %d", seed, i, k)
				}
			}
		}
		both := slices.Concat(e.rowsOf(in), e.rowsOf(out))
		slices.Sort(both)
		for i, row := range both {
			if int(row) != i || len(both) != n {
				t.Fatalf("seed %d: %d rows of %d, number %d is %d", seed, len(both), n, i, row)
			}
		}
	}
}
