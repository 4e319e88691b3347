package search

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/testgen"

	"github.com/bits-and-blooms/bitset"
)

// draw makes random points: few literals, some equal or complementary, weights
// and labels that tie.
func draw(r *rand.Rand, most int) *instance.Points {
	d, n := 1+r.IntN(most), 1+r.IntN(24)
	density := []float64{.2, .5, .8}[r.IntN(3)]
	columns := make([]*bitset.BitSet, d)
	for j := range columns {
		columns[j] = bitset.New(uint(n))
		for i := range n {
			columns[j].SetTo(uint(i), r.Float64() < density)
		}
		if j > 0 && r.IntN(5) == 0 {
			columns[j] = columns[r.IntN(j)].Complement()
		}
		if j > 0 && r.IntN(8) == 0 {
			columns[j] = columns[r.IntN(j)].Clone()
		}
	}
	labels := bitset.New(uint(n))
	weights := make([]int64, n)
	most1 := []int{1, 2, 9}[r.IntN(3)]
	for i := range n {
		labels.SetTo(uint(i), r.IntN(2) == 0)
		weights[i] = int64(1 + r.IntN(most1))
	}
	pts, err := instance.PointsFromSet(given.Set(columns, labels, weights, n))
	if err != nil {
		panic(err)
	}
	return pts
}

// bruteForce tries all rules straight from the definition.
func bruteForce(pts *instance.Points, gain, loss []int64, λ int64, literals int, rows *rowCount) rule {
	var best rule
	for m := range 1 << pts.Antecedents {
		r := rule{literals: literalsOf(m)}
		r.value = -λ * int64(len(r.literals))
		var n int64
		for x := coveredBy(pts, r.literals); x != 0; x &= x - 1 {
			i := bits.TrailingZeros64(x)
			r.value += gain[i] - loss[i]
			if rows != nil {
				n += rows.rows[i]
			}
		}
		if m == 0 || len(r.literals) <= literals && (rows == nil || n >= rows.least) && r.Better(&best) {
			best = r
		}
	}
	return best
}

// literalsOf lists the bits of m.
func literalsOf(m int) []int {
	literals := []int{}
	for ; m != 0; m &= m - 1 {
		literals = append(literals, bits.TrailingZeros(uint(m)))
	}
	return literals
}

// coveredBy returns the points that satisfy all literals, of at most 64.
func coveredBy(pts *instance.Points, literals []int) uint64 {
	x := uint64(1)<<pts.Count - 1
	for _, j := range literals {
		x &= pts.Columns[j][0]
	}
	return x
}

// TestSubproblem: the rule found is the best of all, for any incumbent and any
// number of workers, and the local search finds a rule of the value it says.
func TestSubproblem(t *testing.T) {
	for seed := range testgen.Seeds(1500) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		most := 9
		if seed%50 == 0 {
			most = 14
		}
		pts := draw(r, most)
		gain, loss := worths(r, pts)
		λ := r.Int64N([]int64{3, 9, 3000}[r.IntN(3)])
		literals := []int{1, 2, 3, 4, 99}[r.IntN(5)]
		var rows *rowCount
		if seed%3 == 0 {
			rows = &rowCount{pts, make([]int64, pts.Count), 1 + r.Int64N(12)}
			for i := range rows.rows {
				rows.rows[i] = 1 + r.Int64N(3)
			}
		}
		want := bruteForce(pts, gain, loss, λ, literals, rows)
		p := newProblem(pts, gain, loss, λ, literals)
		p.rows = rows
		found := p.local(context.Background(), 1+seed%3)
		if got := p.ruleOf(found.literals); got.value != found.value || found.Better(&want) || len(found.literals) > literals {
			t.Fatalf("seed %d: local search says %v, worth %d, best %v", seed, found, got.value, want)
		}
		for _, incumbent := range []rule{p.empty(), found, want} {
			workers := 1 + r.IntN(16)
			got := p.solve(context.Background(), incumbent, workers)
			if got.rule.Better(&want) || want.Better(&got.rule) || !got.proved() {
				t.Fatalf("seed %d, %d workers, λ=%d: found %v, bound %d, want %v", seed, workers, λ, got.rule, got.bound, want)
			}
		}
	}
}

// worths draws what covering points gains and loses.
func worths(r *rand.Rand, pts *instance.Points) (gain, loss []int64) {
	gain, loss = make([]int64, 64*pts.Words), make([]int64, 64*pts.Words)
	wide := []int64{1, 3, 1000}[r.IntN(3)]
	for i := range pts.Count {
		switch w := pts.Weights[1][i]*(1+r.Int64N(wide)) - pts.Weights[0][i]*(1+r.Int64N(wide)); {
		case w > 0:
			gain[i] = w
		default:
			loss[i] = -w
		}
	}
	return gain, loss
}
