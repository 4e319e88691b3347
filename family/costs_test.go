package family_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
)

// TestCosts compares lists of two rules and trees of two levels with all of them, by what their decisions cost.
func TestCosts(t *testing.T) {
	t.Parallel()
	for seed := range testgen.Seeds(2000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 63))
		n := 4 + rng.IntN(20)
		holds, costs := make([][3]bool, n), make([][2]int64, n)
		var b strings.Builder
		b.WriteString("a,b,c,act,wait\n")
		cell := func(cents int64) string { return big.NewRat(cents, 100).FloatString(2) }
		for i := range n {
			for j := range holds[i] {
				holds[i][j] = rng.IntN(2) == 0
				b.WriteString(map[bool]string{true: "p,", false: "q,"}[holds[i][j]])
			}
			costs[i] = [2]int64{rng.Int64N(300) - 100, rng.Int64N(300) - 100} // of wait and act
			if rng.IntN(4) == 0 {
				costs[i][1] = costs[i][0]
			}
			fmt.Fprintf(&b, "%s,%s\n", cell(costs[i][1]), cell(costs[i][0]))
		}
		r := family.Reading{Costs: []dataset.Cost{{Decision: "act", Column: "act"}, {Decision: "wait", Column: "wait"}}}
		data, err := family.ReadFrom(strings.NewReader(b.String()), "t.csv", r)
		if err != nil {
			continue // nothing to decide
		}
		list := family.Options{Lambda: "0", MaxRules: 2, MaxCard: 1, MinSupport: "0", Workers: 1}
		tree := family.Options{Family: model.Tree, Lambda: "0", Depth: 2, Workers: 1}
		for k, o := range []family.Options{list, tree} {
			m, err := family.Fit(t.Context(), data, o)
			if err != nil || m.Certificate().Status != status.Optimal {
				t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
			}
			got, _ := new(big.Rat).SetString(model.Cost(m))
			if want := leastCost(holds, costs, k == 1); got == nil || got.Cmp(big.NewRat(want, 100)) != 0 {
				t.Fatalf("seed %d: cost %s, the least is %d cents\n%s\n%s", seed, model.Cost(m), want, m.Text(80), b.String())
			}
		}
	}
}

// leastCost tries all lists of two rules on values of columns, or all trees of two levels.
func leastCost(holds [][3]bool, costs [][2]int64, tree bool) int64 {
	least := int64(math.MaxInt64)
	for code := range 6 * 6 * 6 * 16 { // three conditions: of the root and both sides, or two rules; decisions of four leaves
		var sum int64
		for i := range holds {
			sum += costs[i][decides(&holds[i], [3]int{code % 6, code / 6 % 6, code / 36 % 6}, code/216, 2, tree)]
		}
		least = min(least, sum)
	}
	return least
}

// decides returns what a list of at most two rules, or a tree of two levels, decides.
func decides(h *[3]bool, conditions [3]int, decisions, rules int, tree bool) int {
	is := func(k int) bool { return h[conditions[k]/2] == (conditions[k]%2 == 0) }
	leaf := 0
	switch {
	case tree && is(0) && is(1), !tree && rules > 0 && is(0):
	case tree && is(0), !tree && rules > 1 && is(1):
		leaf = 1
	case !tree, is(2):
		leaf = 2
	default:
		leaf = 3
	}
	return decisions >> leaf & 1
}

// TestCostMatrix compares what lists of two rules cost by a matrix with all of them.
func TestCostMatrix(t *testing.T) {
	t.Parallel()
	for seed := range testgen.Seeds(1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 65))
		n := 4 + rng.IntN(20)
		holds, yes := make([][3]bool, n), make([]int, n)
		var b strings.Builder
		b.WriteString("a,b,c,y\n")
		for i := range n {
			for j := range holds[i] {
				holds[i][j] = rng.IntN(2) == 0
				b.WriteString(map[bool]string{true: "p,", false: "q,"}[holds[i][j]])
			}
			yes[i] = i % 2
			fmt.Fprintf(&b, "%d\n", yes[i])
		}
		matrix := [4]int64{rng.Int64N(200) - 100, 0, 0, rng.Int64N(200) - 100} // cents
		matrix[1], matrix[2] = matrix[0]+1+rng.Int64N(300), matrix[3]+1+rng.Int64N(300)
		if seed%3 == 0 {
			matrix[2] = matrix[3] + matrix[1] - matrix[0]
		}
		var texts []string
		for _, c := range matrix {
			texts = append(texts, big.NewRat(c, 100).FloatString(2))
		}
		data, err := family.ReadFrom(strings.NewReader(b.String()), "t.csv", family.Reading{CostMatrix: strings.Join(texts, ",")})
		if err != nil {
			t.Fatal(err)
		}
		m, err := family.Fit(t.Context(), data, family.Options{Lambda: "0", MaxRules: 2, MaxCard: 1, MinSupport: "0", Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		costs := make([][2]int64, n)
		for i := range costs {
			costs[i] = [2]int64{matrix[2*yes[i]], matrix[2*yes[i]+1]}
		}
		got, _ := new(big.Rat).SetString(model.Cost(m))
		if want := leastCost(holds, costs, false); got == nil || got.Cmp(big.NewRat(want, 100)) != 0 {
			t.Fatalf("seed %d: cost %s, the least is %d cents\n%s\n%s", seed, model.Cost(m), want, m.Text(80), b.String())
		}
	}
}
