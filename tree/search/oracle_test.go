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
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// random draws a problem within reach of the oracle: weights, two to four
// classes, columns that repeat, complement and contain one another, samples that
// repeat, λ from 0 to beyond the data, and depth limits.
func random(rng *rand.Rand) oracle.TreeProblem {
	p := testgen.Classes(rng)
	if rng.IntN(2) == 0 {
		p = testgen.AsClasses(testgen.Small(rng.Uint64()))
	}
	if p.Depth = -1; rng.IntN(3) == 0 {
		p.Depth = rng.IntN(5)
	}
	if p.Total() > 1<<24 {
		return p // as it is, objectives fit
	}
	p.Num, p.Den = 1, 1+rng.Int64N(80)
	switch rng.IntN(12) {
	case 0:
		p.Num = 0
	case 1:
		p.Num = 1 + rng.Int64N(200)
	case 2:
		p.Den = rng.Int64N(1<<30) + 1
		p.Num = 1 + rng.Int64N(p.Den)
	}
	return p
}

func pointsOf(t testing.TB, p *oracle.TreeProblem) *instance.Points {
	t.Helper()
	return testgen.Points(t, testgen.ClassSet(p))
}

func TestOracle(t *testing.T) {
	defer func(k string) { _ = bitvec.UseKernel(k) }(bitvec.Kernel())
	kernels := bitvec.Kernels()
	leaves := map[int]int{}
	for seed := range uint64(cases.Count(6000)) {
		rng := rand.New(rand.NewPCG(seed, 16))
		if seed%64 == 0 {
			must.Do(t, bitvec.UseKernel(kernels[rng.IntN(len(kernels))]))
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
	want := must.Get(p.BestTree())(t)
	d := p.Den / o.Lambda.Den // λ in lowest terms
	if got.Status.String() != "optimal" || !slices.Equal(got.Tree, want.Preorder) ||
		got.Objective*d != want.Objective || got.LowerBound != got.Objective || got.Leaves != int(want.Leaves) {
		t.Fatalf("%s:\n%+v\nsolved   %+v\noracle   %+v", name, p, got, want)
	}
	return got
}

// TestTriplesChangeNothing compares trees of limited depth with those of the generic kernel, which counts no triples.
func TestTriplesChangeNothing(t *testing.T) {
	defer func(k string) { _ = bitvec.UseKernel(k) }(bitvec.Kernel())
	kernels := bitvec.Kernels()
	for seed := range uint64(cases.Count(300)) {
		rng := rand.New(rand.NewPCG(seed, 61))
		p := oracle.TreeProblem{Columns: make([][]bool, 3+rng.IntN(18)), Classes: make([]int, 20+rng.IntN(200)), K: 2}
		for j := range p.Columns {
			p.Columns[j] = make([]bool, len(p.Classes))
			for i := range p.Classes {
				p.Columns[j][i] = rng.IntN(2) == 0
			}
		}
		for i := range p.Classes { // mostly a tree of the first three
			p.Classes[i] = rng.IntN(10) / 9
			if p.Columns[0][i] && p.Columns[1][i] != p.Columns[2][i] {
				p.Classes[i] ^= 1
			}
		}
		set := pointsOf(t, &p)
		o := Options{Lambda: ratio.New(rng.Int64N(4), 20+rng.Int64N(600)), Depth: 3 + rng.IntN(4), Workers: 1 + rng.IntN(2)}
		var want *Result
		for _, k := range kernels {
			must.Do(t, bitvec.UseKernel(k))
			got := must.Get(Solve(context.Background(), set, o))(t)
			if want == nil {
				want = got
			}
			if got.Objective != want.Objective || !slices.Equal(got.Tree, want.Tree) {
				t.Fatalf("seed %d, %+v: kernel %s finds %v of %d, %s %v of %d",
					seed, o, k, got.Tree, got.Objective, kernels[0], want.Tree, want.Objective)
			}
		}
	}
}
