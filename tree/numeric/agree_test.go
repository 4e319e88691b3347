package numeric

import (
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/ratio"
	features "parcorels/tree/search"
)

// TestAgrees compares with the search on features, which has one for each threshold: objective,
// leaves, and the column and place of each split. Some tables have more items than numbers of 16 bits
// count.
func TestAgrees(t *testing.T) {
	for seed := range uint64(cases.Some(150)) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n, k := 30+rng.IntN(400), 2+rng.IntN(3)
		numbers, depth := 1+rng.IntN(5), 2+rng.IntN(3)
		large := seed%40 == 9
		if large {
			n, numbers, depth = []int{40_000, 70_000}[rng.IntN(2)], 6, 2
		}
		var ranks [][]int32
		var columns []*bitset.BitSet
		var at [][2]int32 // of each feature: column and largest rank
		for h := range numbers {
			distinct := 2 + rng.IntN(12)
			column := make([]int32, n)
			for i := range column {
				column[i] = int32(rng.IntN(distinct))
			}
			ranks = append(ranks, column)
			for r := range distinct - 1 {
				b := bitset.New(uint(n))
				for i, x := range column {
					b.SetTo(uint(i), int(x) <= r)
				}
				columns, at = append(columns, b), append(at, [2]int32{int32(h), int32(r)})
			}
		}
		class := make([]uint16, n)
		for i := range class {
			class[i] = uint16(rng.IntN(k))
			if rng.IntN(4) > 0 {
				class[i] = uint16(ranks[0][i]+ranks[len(ranks)-1][i]/3) % uint16(k)
			}
		}
		lambda := ratio.New(rng.Int64N(4), 300)
		var weights []int64
		if rng.IntN(3) == 0 {
			for range n {
				weights = append(weights, 1+rng.Int64N(9))
			}
		}
		points := must.Get(instance.PointsFromSet(given.ClassSet(columns, class, k, weights, n)))(t)
		want := must.Get(features.Solve(t.Context(), points, features.Options{Lambda: lambda, Depth: depth, Workers: 2}))(t)
		table := must.Get(NewTable(ranks, class, k, weights))(t)
		got := must.Get(Solve(t.Context(), table, Options{Lambda: lambda, Depth: depth, Workers: 2, maxBins: []int{0, 2, 5}[rng.IntN(3)],
			closeUps: rng.IntN(2) == 0}))(t)
		if large && seed == 9 && table.Items() < 1<<15 {
			t.Errorf("%d items only", table.Items())
		}
		if got.Objective != want.Objective || got.Errors != want.Errors || len(got.Tree) != len(want.Tree) {
			t.Fatalf("seed %d: objective %d, %d errors, %d nodes; on features %d, %d, %d", seed, got.Objective, got.Errors, len(got.Tree),
				want.Objective, want.Errors, len(want.Tree))
		}
		for i, x := range want.Tree {
			switch node := got.Tree[i]; {
			case x < 0 && node.Column != x:
				// If classes weigh the same, either may be said.
				if node.Column >= 0 {
					t.Fatalf("seed %d: node %d is %v, on features a leaf", seed, i, node)
				}
			case x >= 0 && (int32(node.Column) != at[x][0] || node.Low > at[x][1] || at[x][1] >= node.High):
				t.Fatalf("seed %d: node %d is %v, on features %v", seed, i, node, at[x])
			}
		}
	}
}
