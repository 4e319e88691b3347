package instance

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestInvariants checks the layout that the package comment promises.
func TestInvariants(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := randomSamples(rng, 1+rng.IntN(400), rng.IntN(100))
		in := s.instance(t)
		if err := in.check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var total, weight1 int64
		for i, label := range s.label {
			total += s.weight(i)
			if label {
				weight1 += s.weight(i)
			}
		}
		if in.Total != total || in.Weight1 != weight1 || in.Samples != len(s.label) {
			t.Fatalf("seed %d: total %d, class 1 %d; want %d, %d", seed, in.Total, in.Weight1, total, weight1)
		}
	}
}

func (in *Instance) check() error {
	used := make([]uint64, in.Words)
	keys := map[string]bool{}
	var sum int64
	points := 0
	for i, c := range in.Costs {
		sum += c
		if c == 0 {
			continue
		}
		points++
		used[i/64] |= 1 << (i % 64)
		key := in.keyAt(i)
		if keys[key] {
			return fmt.Errorf("two points satisfy the same antecedents")
		}
		keys[key] = true
		if first := i == 0 || i == in.Words1*64; !first && in.Costs[i-1] < c {
			return fmt.Errorf("the point at %d costs %d, the one before it %d", i, c, in.Costs[i-1])
		}
	}
	if points != in.Points || sum+2*in.Base != in.Total || len(in.Columns) != in.Antecedents {
		return fmt.Errorf("%d points of cost %d, base %d, total %d, %d columns", points, sum, in.Base, in.Total, len(in.Columns))
	}
	return in.checkWords(used)
}

func (in *Instance) keyAt(i int) string {
	var key strings.Builder
	for _, c := range in.Columns {
		key.WriteByte('0' + byte(c[i/64]>>(i%64)&1))
	}
	return key.String()
}

// checkWords holds columns and planes against the costs. Used has the bits
// that carry a point.
func (in *Instance) checkWords(used []uint64) error {
	for a, c := range in.Columns {
		if len(c) != in.Words {
			return fmt.Errorf("column %d has %d words", a, len(c))
		}
		for w := range c {
			if c[w]&^used[w] != 0 {
				return fmt.Errorf("column %d has padding bits in word %d", a, w)
			}
		}
	}
	one := make([]uint64, in.Words)
	for i, c := range in.Costs {
		one[i/64] = 1 << (i % 64)
		g1, g0 := in.Planes.Cost(one)
		one[i/64] = 0
		if want1 := i < in.Words1*64; g1+g0 != c || (c > 0 && want1 != (g1 > 0)) {
			return fmt.Errorf("position %d costs %d, its planes say %d in class 1 and %d in class 0", i, c, g1, g0)
		}
	}
	return nil
}

func TestTiesKeepTheOrderOfTheSamples(t *testing.T) {
	// Keys 2, 1, 3 of class 1 and cost 1 each, then key 0 twice.
	s := samples{
		holds: [][]bool{{false, true, true, false, false}, {true, false, true, false, false}},
		label: []bool{true, true, true, true, true},
	}
	in := s.instance(t)
	if in.Points != 4 || in.Costs[0] != 2 || in.Costs[1] != 1 {
		t.Fatalf("points %d, costs %v", in.Points, in.Costs[:4])
	}
	if in.Columns[0][0] != 0b1100 || in.Columns[1][0] != 0b1010 {
		t.Errorf("columns %04b and %04b, want 1100 and 1010", in.Columns[0][0], in.Columns[1][0])
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
