package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// TestSeparationExtremes has the separation bound where numbers are as large or small as they
// may be: weights up to the limit, a λ near 0 or 1, points of one class, samples that are all
// the same, one sample, no antecedent.
func TestSeparationExtremes(t *testing.T) {
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Knotty}
	seeds(t, 400, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 37))
		in := pick(rng, extremes)(rng, pick(rng, generators)(seed))
		want := best(t, in)
		for _, without := range []problem.Prunings{0, problem.Incumbent | problem.LookAhead,
			problem.Prunings(rng.Uint64()) & problem.AllPrunings() &^ (problem.Separation | problem.Bound)} {
			o := Separated(Options{Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
				Without: without})
			solves(t, in, want, o)
			o.Policy, o.Symmetry = LowerBound, Captured
			proved(t, in, o)
		}
	})
}

// most is what the total weight times λ's denominator stays below.
const most = int64(1) << 60

// heaviest is the largest total weight for which the oracle has all objectives, too.
func heaviest(in testgen.Instance) int64 {
	return min((most-1)/in.Lambda.Den, (2*most-1)/in.Lambda.Num/int64(len(in.Columns)+1))
}

var extremes = []func(*rand.Rand, testgen.Instance) testgen.Instance{
	func(rng *rand.Rand, in testgen.Instance) testgen.Instance { // all weights near the limit
		in.Weights = make([]int64, len(in.Labels))
		for i := range in.Weights {
			in.Weights[i] = max(1, heaviest(in)/int64(len(in.Labels))-rng.Int64N(3))
		}
		return in
	},
	func(rng *rand.Rand, in testgen.Instance) testgen.Instance { // of all sizes at once
		in.Weights = make([]int64, len(in.Labels))
		for i := range in.Weights {
			in.Weights[i] = max(1, heaviest(in)/int64(len(in.Labels))>>rng.IntN(55))
		}
		return in
	},
	func(_ *rand.Rand, in testgen.Instance) testgen.Instance { // rules cost next to nothing
		in.Weights, in.Lambda = nil, ratio.New(1, (most-1)/int64(len(in.Labels)))
		return in
	},
	func(rng *rand.Rand, in testgen.Instance) testgen.Instance { // or hardly less than all errors
		in.Weights, in.Lambda = nil, ratio.New(999_999_999-rng.Int64N(9), 1_000_000_000)
		return in
	},
	func(rng *rand.Rand, in testgen.Instance) testgen.Instance { // one class
		in.Labels = slices.Repeat([]bool{rng.IntN(2) == 0}, len(in.Labels))
		return in
	},
	func(_ *rand.Rand, in testgen.Instance) testgen.Instance { // one point
		for j, c := range in.Columns {
			in.Columns[j] = slices.Repeat([]bool{c[0]}, len(c))
		}
		return in
	},
	func(rng *rand.Rand, in testgen.Instance) testgen.Instance { // one sample
		for j, c := range in.Columns {
			in.Columns[j] = c[:1]
		}
		in.Weights, in.Labels = []int64{1 + rng.Int64N(heaviest(in))}, in.Labels[:1]
		return in
	},
	func(_ *rand.Rand, in testgen.Instance) testgen.Instance { // no antecedent
		in.Columns = nil
		return in
	},
}

// TestSeparationManyAntecedents has 600 of them or 10,000, which is up to 157 words of each set's pure rules,
// and asks for the list that the search finds without the bound.
func TestSeparationManyAntecedents(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	const samples = 60
	antecedents := 600
	switch {
	case testgen.Raced:
		antecedents = 400
	case cases.All():
		antecedents = 10_000
	}
	p := oracle.Problem{Lambda: ratio.New(1, 9)}
	p.Labels = testgen.Random(rng, samples, .5)
	for range antecedents {
		p.Columns = append(p.Columns, testgen.Random(rng, samples, .25))
	}
	in := testgen.Instance{Problem: p}
	var lists [2]Result
	for k, o := range []Options{{Workers: 2, Without: problem.Separation}, Separated(Options{Workers: 2})} {
		r := must.Get(solve(context.Background(), in, o))(t)
		lists[k] = r
	}
	t.Logf("%d prefixes without, %d with", lists[0].Stats.Expanded, lists[1].Stats.Expanded)
	if a, b := lists[0], lists[1]; a.Status != b.Status || a.Objective != b.Objective || !slices.Equal(a.Rules, b.Rules) {
		t.Errorf("without %+v, with %+v", a, b)
	}
}
