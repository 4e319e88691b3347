package family_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
	"parcorels/verify"
)

// costTable is a table of three conditions with what two to four decisions cost in each row, in cents.
type costTable struct {
	holds [][3]bool
	costs [][]int64
	text  string
	read  family.Reading
}

// newCostTable draws costs of rows in columns, or of outcomes in a matrix, with or without those of asking.
func newCostTable(rng *rand.Rand, columns, ask bool) (c costTable) {
	k, n := 2+rng.IntN(3), 4+rng.IntN(20)
	cents := func(x int64) string { return big.NewRat(x, 100).FloatString(2) }
	var b strings.Builder
	b.WriteString("a,b,c")
	asking, matrix := rng.Int64N(100)-50, make([][]int64, k)
	if ask {
		c.read.AskCost = cents(asking)
	}
	for q := range k {
		if b.WriteString(fmt.Sprintf(",d%d", q)); columns {
			c.read.Costs = append(c.read.Costs, dataset.Cost{Decision: fmt.Sprint("do", q), Column: fmt.Sprint("d", q)})
		}
		for range k {
			matrix[q] = append(matrix[q], rng.Int64N(200)-40)
		}
		matrix[q][q] = min(slices.Min(matrix[q]), asking) - 1 - rng.Int64N(9)
		for _, x := range matrix[q] {
			c.read.CostMatrix += "," + cents(x)
		}
	}
	if c.read.CostMatrix = c.read.CostMatrix[1:]; columns {
		c.read.CostMatrix = ""
	} else {
		c.read.Target, c.read.Ignore, c.read.Multiclass = "y", []string{"d0", "d1", "d2", "d3"}[:k], true
	}
	b.WriteString(",y\n")
	for i := range n {
		var h [3]bool
		for j := range h {
			h[j] = rng.IntN(2) == 0
			b.WriteString(map[bool]string{true: "p,", false: "q,"}[h[j]])
		}
		y, costs := i%k, make([]int64, k)
		for q := range costs {
			if costs[q] = rng.Int64N(300) - 100; rng.IntN(4) == 0 {
				costs[q] = costs[0]
			}
			b.WriteString(cents(costs[q]) + ",")
		}
		fmt.Fprintf(&b, "y%d\n", y)
		if !columns {
			costs = slices.Clone(matrix[y])
		}
		if ask {
			costs = append(costs, asking)
		}
		c.holds, c.costs = append(c.holds, h), append(c.costs, costs)
	}
	if columns {
		c.read.Ignore = []string{"y"}
	}
	c.text = b.String()
	return c
}

// least tries all lists of at most so many rules on values of columns, or all trees of two levels, whose rules or leaves hold
// enough of the rows in which costs differ.
func (c *costTable) least(rules, minRows int, tree bool) int64 {
	least := int64(math.MaxInt64)
	for code := range 6 * 6 * 6 { // three conditions: of the root and both sides, or two rules
		if !tree && code >= 36 {
			break
		}
		sums, rows := make([][4 + 1]int64, 4), make([]int, 4)
		for i, costs := range c.costs {
			leaf := leafOf(&c.holds[i], [3]int{code % 6, code / 6 % 6, code / 36}, rules, tree)
			if slices.Min(costs) < slices.Max(costs) {
				rows[leaf]++
			}
			for q, cost := range costs {
				sums[leaf][q] += cost
			}
		}
		if !tree {
			rows = rows[:2] // not of the default
		}
		if slices.ContainsFunc(rows, func(n int) bool { return n > 0 && n < minRows }) {
			continue
		}
		sum := int64(0)
		for _, of := range sums {
			sum += slices.Min(of[:len(c.costs[0])])
		}
		least = min(least, sum)
	}
	return least
}

// TestCosts compares lists of two rules and trees of two levels with all of them, by what their decisions cost and their rules do.
// Proofs are checked, and refused of other costs.
func TestCosts(t *testing.T) {
	t.Parallel()
	changed := 0
	for seed := range testgen.Seeds(600) {
		rng := rand.New(rand.NewPCG(uint64(seed), 63))
		c := newCostTable(rng, rng.IntN(2) == 0, rng.IntN(2) == 0)
		data, err := family.ReadFrom(strings.NewReader(c.text), "t.csv", c.read)
		if err != nil && strings.Contains(err.Error(), "nothing to decide") {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v\n%s", seed, err, c.read, c.text)
		}
		shares := big.NewRat(data.TotalWeight()*data.WeightUnit.Den, data.WeightUnit.Num) // what λ is a share of, in units of cost
		if data.Costs.Error != nil {
			shares.Mul(shares, data.Costs.Error)
		}
		for k, o := range []family.Options{
			{Lambda: "0", MaxRules: 2, MaxCard: 1, MinSupport: "0", Workers: 1},
			{Lambda: "1/20", MaxRules: 2, MaxCard: 1, MinSupport: "0", Workers: 1},
			{Family: model.Tree, Lambda: "0", Depth: 2, Workers: 1},
		} {
			var proof bytes.Buffer
			o.Proof, o.MinRows = &family.Proof{To: &proof}, min(rng.IntN(4), data.N)
			m, err := family.Fit(t.Context(), data, o)
			if err != nil || m.Certificate().Status != status.Optimal {
				t.Fatalf("seed %d: %v\n%+v\n%s", seed, err, c.read, c.text)
			}
			price := new(big.Rat).Mul(shares, big.NewRat(int64(k%2), 20))
			var want *big.Rat
			for rules := range 3 {
				if x := big.NewRat(c.least(rules, o.MinRows, k == 2 && rules > 0), 100); k != 2 || rules < 2 {
					x.Add(x, new(big.Rat).Mul(price, big.NewRat(int64(rules), 1)))
					if want == nil || x.Cmp(want) < 0 {
						want = x
					}
				}
			}
			got, _ := new(big.Rat).SetString(cmp.Or(model.Cost(m), "none"))
			if got != nil {
				got.Add(got, price.Mul(price, big.NewRat(int64(m.Certificate().Size), 1)))
			}
			if got == nil || got.Cmp(want) != 0 {
				t.Fatalf("seed %d: cost %s, the least is %v\n%s\n%+v\n%s", seed, model.Cost(m), want, m.Text(80), c.read, c.text)
			}
			v := verified(t, proof.Bytes(), data, o)
			if v.Model.Text(80) != m.Text(80) {
				t.Fatalf("seed %d: verified\n%s\nfound\n%s", seed, v.Model.Text(80), m.Text(80))
			}
			bad, err := verify.Open(bytes.NewReader(prooftamper.Mutate(rng, proof.Bytes())))
			if err != nil {
				continue
			}
			o.Proof = nil
			p := must.Get(family.NewProblem(t.Context(), data, o))(t)
			wrong, err := family.Verify(t.Context(), bad, p.Set, c.read, family.VerifyOptions{})
			if changed++; err == nil && wrong.Price == v.Price && wrong.Claim == v.Claim && wrong.Model.Text(80) != m.Text(80) {
				t.Fatalf("seed %d: a changed proof is accepted of\n%s\nthe optimum is\n%s", seed, wrong.Model.Text(80), m.Text(80))
			}
		}
	}
	if changed == 0 {
		t.Error("no changed proof was checked")
	}
}

// decides returns what a list of at most two rules, or a tree of two levels, decides.
func decides(h *[3]bool, conditions [3]int, decisions, rules int, tree bool) int {
	return decisions >> leafOf(h, conditions, rules, tree) & 1
}

// leafOf returns the rule or leaf that decides a row.
func leafOf(h *[3]bool, conditions [3]int, rules int, tree bool) int {
	is := func(k int) bool { return h[conditions[k]/2] == (conditions[k]%2 == 0) }
	switch {
	case tree && is(0) && is(1), !tree && rules > 0 && is(0):
		return 0
	case tree && is(0), !tree && rules > 1 && is(1):
		return 1
	case !tree, is(2):
		return 2
	}
	return 3
}
