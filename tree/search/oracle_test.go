package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// random draws a problem within reach of the oracle: weights, two to four
// classes, columns that repeat, complement and contain one another, samples that
// repeat, λ from 0 to beyond the data, and depth limits.
func random(rng *rand.Rand) oracle.TreeProblem {
	n := 1 + rng.IntN(1+rng.IntN(28))
	p := oracle.TreeProblem{K: 2 + rng.IntN(3)*rng.IntN(2), Depth: -1, Num: 1, Den: 1 + rng.Int64N(80)}
	switch rng.IntN(12) {
	case 0:
		p.Num = 0
	case 1:
		p.Num = 1 + rng.Int64N(200)
	case 2:
		p.Den = rng.Int64N(1<<30) + 1
		p.Num = 1 + rng.Int64N(p.Den)
	}
	if rng.IntN(3) == 0 {
		p.Depth = rng.IntN(5)
	}
	p.Columns = randomColumns(rng, n)
	hidden := rng.IntN(3)
	for i := range n {
		c := rng.IntN(p.K)
		if hidden > 0 && len(p.Columns) > 1 && rng.IntN(5) > 0 { // something to learn
			a, b := p.Columns[0][i], p.Columns[len(p.Columns)-1][i]
			c = 0
			if hidden == 1 && a != b || hidden == 2 && a && b {
				c = 1
			}
		}
		p.Classes = append(p.Classes, c)
	}
	if rng.IntN(2) == 0 {
		most := int64(1) << rng.IntN(12)
		for range n {
			p.Weights = append(p.Weights, 1+rng.Int64N(most))
		}
	}
	return p
}

func randomColumns(rng *rand.Rand, n int) (columns [][]bool) {
	for range rng.IntN(8) {
		c := make([]bool, n)
		dense := rng.Float64()
		for i := range c {
			c[i] = rng.Float64() < dense
		}
		if len(columns) > 0 {
			from := columns[rng.IntN(len(columns))]
			switch rng.IntN(8) {
			case 0:
				copy(c, from)
			case 1:
				for i := range c {
					c[i] = !from[i]
				}
			case 2:
				for i := range c {
					c[i] = c[i] && from[i]
				}
			}
		}
		columns = append(columns, c)
	}
	return columns
}

func pointsOf(t testing.TB, p *oracle.TreeProblem) *instance.Points {
	t.Helper()
	in, err := instance.PointsFromSet(testgen.ClassSet(p))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestOracle(t *testing.T) {
	defer func(k string) { _ = bitvec.UseKernel(k) }(bitvec.Kernel())
	kernels := bitvec.Kernels()
	leaves := map[int]int{}
	for seed := range uint64(cases.Count(6000)) {
		rng := rand.New(rand.NewPCG(seed, 16))
		if seed%64 == 0 {
			if err := bitvec.UseKernel(kernels[rng.IntN(len(kernels))]); err != nil {
				t.Fatal(err)
			}
		}
		r := compare(t, seed, rng)
		leaves[r.Leaves]++
	}
	if len(leaves) < 6 {
		t.Errorf("leaves of the optimal trees: %v, want 1 to 6 at least", leaves)
	}
}

// compare solves a random problem with random options.
func compare(t *testing.T, seed uint64, rng *rand.Rand) *Result {
	t.Helper()
	p := random(rng)
	if p.Depth == 0 {
		p.Depth = 1 // no search has less
	}
	o := Options{Lambda: ratio.New(p.Num, p.Den), Depth: max(p.Depth, 0), Workers: []int{1, 1, 1, 2, 3, 16}[rng.IntN(6)]}
	if rng.IntN(3) == 0 {
		o.Memory = 1 + rng.Int64N(1<<rng.IntN(22)) // from nothing for the cache to plenty
	}
	defer func(every int64) { paceEvery = every }(paceEvery)
	paceEvery = 1 + rng.Int64N(1<<rng.IntN(16))
	name := fmt.Sprintf("seed %d, %+v", seed, o)
	got, err := Solve(context.Background(), pointsOf(t, &p), o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, err := p.BestTree()
	if err != nil {
		t.Fatal(err)
	}
	d := p.Den / o.Lambda.Den // λ in lowest terms
	if got.Status.String() != "optimal" || !slices.Equal(got.Tree, want.Preorder) ||
		got.Objective*d != want.Objective || got.LowerBound != got.Objective || got.Leaves != int(want.Leaves) {
		t.Fatalf("%s:\n%+v\nsolved   %+v\noracle   %+v", name, p, got, want)
	}
	return got
}
