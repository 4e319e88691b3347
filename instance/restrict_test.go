package instance

import (
	"math/rand/v2"
	"parcorels/internal/testing/cases"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// TestRestrict compares with the instance of the same points as samples.
func TestRestrict(t *testing.T) {
	for seed := range uint64(cases.Some(200)) {
		r := rand.New(rand.NewPCG(seed, 8))
		d, n := 1+r.IntN(80), 1+r.IntN(300)
		in, _ := given(drawSamples(r, d, n))
		set := make([]uint64, in.Words)
		for w := range set {
			set[w] = r.Uint64() & r.Uint64()
		}
		columns := r.Perm(d)[:r.IntN(d+1)]
		var at []int
		for i, c := range in.Costs {
			if set[i/64]>>(i%64)&1 != 0 && c > 0 {
				at = append(at, i)
			}
		}
		for w := range set { // padding is no point
			for b := range 64 {
				if in.Costs[64*w+b] == 0 {
					set[w] &^= 1 << b
				}
			}
		}
		got := in.Restrict(set, columns)
		if len(at) == 0 {
			if got.Points != 0 {
				t.Fatalf("seed %d: %d points of none", seed, got.Points)
			}
			continue
		}
		labels, weights := bitset.New(uint(len(at))), make([]int64, len(at))
		picked := make([]*bitset.BitSet, len(columns))
		for j := range picked {
			picked[j] = bitset.New(uint(len(at)))
		}
		for i, p := range at {
			labels.SetTo(uint(i), p < 64*in.Words1)
			weights[i] = in.Costs[p]
			for j, c := range columns {
				picked[j].SetTo(uint(i), in.Columns[c][p/64]>>(p%64)&1 != 0)
			}
		}
		want, err := given(picked, labels, weights, len(at))
		if err != nil {
			t.Fatal(err)
		}
		sameInstance(t, got, want)
	}
}

// drawSamples makes samples of d columns, many of them alike.
func drawSamples(r *rand.Rand, d, n int) (columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) {
	labels, weights = bitset.New(uint(n)), make([]int64, n)
	like := make([]int, n)
	for i := range n {
		like[i] = r.IntN(n)
		labels.SetTo(uint(i), r.IntN(2) == 0)
		weights[i] = int64(1 + r.IntN(4))
	}
	for range d {
		c := bitset.New(uint(n))
		for i := range n {
			if like[i] >= i {
				c.SetTo(uint(i), r.IntN(2) == 0)
			} else {
				c.SetTo(uint(i), c.Test(uint(like[i])))
			}
		}
		columns = append(columns, c)
	}
	return columns, labels, weights, n
}

func sameInstance(t *testing.T, a, b *Instance) {
	t.Helper()
	if a.Points != b.Points || a.Words != b.Words || a.Words1 != b.Words1 || a.Antecedents != b.Antecedents {
		t.Fatalf("%d points in %d words, want %d in %d", a.Points, a.Words, b.Points, b.Words)
	}
	for i, c := range a.Costs {
		if c != b.Costs[i] {
			t.Fatalf("point %d costs %d, want %d", i, c, b.Costs[i])
		}
	}
	for j, c := range a.Columns {
		for w, x := range c {
			if x != b.Columns[j][w] {
				t.Fatalf("column %d differs in word %d", j, w)
			}
		}
	}
}
