package instance

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
)

// TestInstance compares instances of two classes with their definition: at each point that costs anything the lighter class cancels out,
// the heaviest points of each class come first, and nothing is in the places behind.
func TestInstance(t *testing.T) {
	for seed := range uint64(cases.Some(400)) {
		s := drawSome(rand.New(rand.NewPCG(seed, 2)), 2)
		made := must.Get(s.instance())(t)
		checkInstance(t, made, s)
	}
}

func checkInstance(t *testing.T, in *Instance, s samples) {
	t.Helper()
	_, want := s.grouped()
	points, base, total, weight1 := 0, int64(0), int64(0), int64(0)
	for _, w := range want {
		if w[0] != w[1] {
			points++
		}
		base, total, weight1 = base+min(w[0], w[1]), total+w[0]+w[1], weight1+w[1]
	}
	one := make([]uint64, in.Words)
	for i, c := range in.Costs {
		one[i/64] = 1 << (i % 64)
		g1, g0 := in.Planes.Cost(one)
		one[i/64] = 0
		w, first := []int64{0, 0}, i == 0 || i == in.Words1*64
		if row := rowAt(in.Columns, i); c > 0 {
			w = want[row]
			delete(want, row) // no two points are alike
		} else if slices.ContainsFunc(in.Columns, func(c []uint64) bool { return c[i/64]>>(i%64)&1 == 1 }) {
			t.Fatalf("place %d has bits and no cost", i)
		}
		if len(w) == 0 || g1-g0 != w[1]-w[0] || g1+g0 != c || c > 0 && (g1 > 0) != (i < in.Words1*64) || !first && in.Costs[i-1] < c {
			t.Fatalf("place %d costs %d, in its planes %d and %d, want weights %v, no more than %v", i, c, g1, g0, w, in.Costs[max(0, i-1)])
		}
	}
	for row, w := range want {
		if w[0] != w[1] {
			t.Fatalf("the point %s is missing", row)
		}
	}
	if in.Points != points || in.Base != base || in.Total != total || in.Weight1 != weight1 || in.Samples != s.n() ||
		len(in.Columns) != in.Antecedents {
		t.Fatalf("%d points, base %d, total %d, class 1 %d; want %d, %d, %d, %d", in.Points, in.Base, in.Total, in.Weight1, points, base,
			total, weight1)
	}
}

func TestEdges(t *testing.T) {
	for _, c := range []struct {
		name   string
		column []*bitset.BitSet
		class  []uint16
	}{
		{"no antecedents", nil, []uint16{0, 1, 1, 0, 0}},
		{"no antecedents, even classes", nil, []uint16{0, 1, 1, 0}},
		{"pure noise", []*bitset.BitSet{bitset.New(2).SetAll()}, []uint16{1, 0}},
		{"class 1 only", []*bitset.BitSet{bitset.New(70).Set(69)}, slices.Repeat([]uint16{1}, 70)},
		{"class 0 only", []*bitset.BitSet{bitset.New(70).Set(69)}, slices.Repeat([]uint16{0}, 70)},
	} {
		s := samples{columns: c.column, classOf: c.class, classes: 2}
		in, err := s.instance()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkInstance(t, in, s)
	}
}

// TestHeaviestFirst compares the order of points with stable sorting, of few different
// costs and of many.
func TestHeaviestFirst(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		costs := make([]int64, r.IntN(400))
		wide := []int64{2, 60, 90, 1 << 40}[r.IntN(4)]
		var want []int32
		for p := range costs {
			if costs[p] = r.Int64N(2*wide) - wide; costs[p] > 0 {
				want = append(want, int32(p))
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(costs[b], costs[a]) })
		if got := heaviestFirst(costs, nil, 0); !slices.Equal(got, want) {
			t.Fatalf("seed %d: order %v, want %v", seed, got, want)
		}
	}
}

// TestRestrict compares with the instance of the same points as samples.
func TestRestrict(t *testing.T) {
	for seed := range uint64(cases.Some(200)) {
		r := rand.New(rand.NewPCG(seed, 8))
		of := drawSome(r, 2)
		in := must.Get(of.instance())(t)
		set, columns := make([]uint64, in.Words), r.Perm(len(of.columns))[:r.IntN(len(of.columns)+1)]
		s := samples{classes: 2}
		var at []int
		for i, c := range in.Costs {
			if c > 0 && r.IntN(4) == 0 {
				set[i/64] |= 1 << (i % 64)
				class := uint16(0)
				if i < 64*in.Words1 {
					class = 1
				}
				at, s.weights, s.classOf = append(at, i), append(s.weights, c), append(s.classOf, class)
			}
		}
		got := in.Restrict(set, columns)
		if len(at) == 0 {
			if got.Points != 0 {
				t.Fatalf("seed %d: %d points of none", seed, got.Points)
			}
			continue
		}
		for _, c := range columns {
			picked := bitset.New(uint(len(at)))
			for k, i := range at {
				picked.SetTo(uint(k), in.Columns[c][i/64]>>(i%64)&1 == 1)
			}
			s.columns = append(s.columns, picked)
		}
		want := must.Get(s.instance())(t)
		sameInstance(t, got, want)
	}
}
