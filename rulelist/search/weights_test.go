package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// TestWeights begins the root's LP where that of a search for another λ has ended: the optimum is
// found all the same, with two classes or several.
func TestWeights(t *testing.T) {
	t.Parallel()
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly}
	begun, done := 0, 0
	for seed := range testgen.Seeds(4000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 83))
		p := testgen.Classes(rng)
		if seed%4 > 0 {
			p = testgen.AsClasses(generators[seed%4-1](uint64(seed)))
		}
		if len(p.Classes) > 64 {
			continue // more than exhaustive search takes
		}
		in := testgen.Reduced(t, testgen.ClassSet(&p))
		o := withWeights(t, rng, in)
		if done++; o.Weights != nil {
			begun++
		}
		o.Lambda, o.MaxRules = ratio.New(p.Num, p.Den), max(p.Depth, 0)
		if err := solvesClasses(t, in, o, p.BestList()); err != nil {
			t.Fatalf("seed %d, %s: %v\n%+v", seed, describe(o), err, p)
		}
	}
	if begun < done/3 {
		t.Errorf("%d of %d searches had weights", begun, done)
	}
}

// withWeights returns options with the weights of a search for a λ that is drawn, which is theirs.
func withWeights(t *testing.T, rng *rand.Rand, in *instance.Instance) Options {
	o := Separated(Options{Lambda: ratio.New(1+rng.Int64N(40), 200), Workers: 1 + rng.IntN(2), KeepWeights: true})
	r := must.Get(Solve(t.Context(), in, o))(t)
	o.Weights = r.Weights
	return o
}

// TestNearest: the nearest by its factor, from both sides.
func TestNearest(t *testing.T) {
	g := testgen.Noisy(1)
	in := reduced(t, g)
	var list []*Weights
	for _, lambda := range []ratio.Ratio{ratio.New(1, 10), ratio.New(1, 50)} {
		r, err := Solve(t.Context(), in, Separated(Options{Lambda: lambda, Nodes: 1, KeepWeights: true}))
		if err != nil || r.Weights == nil {
			t.Fatal(err, "no weights")
		}
		list = append(list, r.Weights)
	}
	for lambda, want := range map[ratio.Ratio]*Weights{
		ratio.New(1, 5): list[0], ratio.New(1, 20): list[0], ratio.New(1, 25): list[1], ratio.New(1, 500): list[1],
	} {
		if Nearest(list, lambda) != want {
			t.Errorf("λ = %v: not the nearest", lambda)
		}
	}
	if Nearest(nil, ratio.New(1, 5)) != nil {
		t.Error("weights of an empty list")
	}
}
