package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
)

// TestBestSubset compares the best subset of all literals with brute force, from any rule on.
func TestBestSubset(t *testing.T) {
	for seed := range testgen.Seeds(1500) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		pts := draw(r, 9)
		gain, loss := worths(r, pts)
		λ := r.Int64N(5)
		literals := []int{1, 2, 3, 99}[r.IntN(4)]
		want := bruteForce(pts, gain, loss, λ, literals, nil)
		rows, err := pts.Rows()
		if err != nil {
			t.Fatal(err)
		}
		p := newProblem(rows, gain, loss, λ, literals)
		for _, now := range []rule{p.empty(), want} {
			c := newClimber(p, &walkers{most: 1}).another()
			got := p.ruleOf(c.bestSubset(p.columns(), now))
			if got.value != want.value || !slices.Equal(got.literals, want.literals) {
				t.Fatalf("seed %d, λ=%d: found %v, want %v", seed, λ, got, want)
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
