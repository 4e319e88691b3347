package instance

import (
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// TestSplit: each class of each point has a place of its weight, with the point's
// column bits, and there are no other places.
func TestSplit(t *testing.T) {
	for seed := range 50 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		n, d := 1+r.IntN(300), r.IntN(9)
		columns := make([]*bitset.BitSet, d)
		for a := range columns {
			columns[a] = bitset.New(uint(n))
			for i := range n {
				columns[a].SetTo(uint(i), r.IntN(3) == 0)
			}
		}
		labels, weights := bitset.New(uint(n)), make([]int64, n)
		for i := range n {
			labels.SetTo(uint(i), r.IntN(2) == 0)
			weights[i] = int64(1 + r.IntN(5))
		}
		p, err := givenPoints(columns, labels, weights, n)
		if err != nil {
			t.Fatal(err)
		}
		in, at := p.Split()
		places := 0
		for c := range 2 {
			for i := range p.Count {
				k := at[c][i]
				if (k >= 0) != (p.Weights[c][i] > 0) {
					t.Fatalf("seed %d: point %d has %d of class %d and the place %d", seed, i, p.Weights[c][i], c, k)
				}
				if k < 0 {
					continue
				}
				places++
				if in.Costs[k] != p.Weights[c][i] || (k < 64*in.Words1) != (c == 1) {
					t.Fatalf("seed %d: class %d of point %d weighs %d at place %d of class %v", seed, c, i, in.Costs[k], k,
						k < 64*in.Words1)
				}
				for a := range columns {
					if in.Columns[a][k/64]>>(k%64)&1 != p.Columns[a][i/64]>>(i%64)&1 {
						t.Fatalf("seed %d: column %d of point %d", seed, a, i)
					}
				}
			}
		}
		var sum int64
		for _, c := range in.Costs {
			sum += c
		}
		if places != in.Points || sum != p.Total {
			t.Fatalf("seed %d: %d places of %d, weight %d of %d", seed, places, in.Points, sum, p.Total)
		}
	}
}
