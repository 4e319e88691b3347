package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
)

// withLimit draws an instance with a limit of rules, of half of them with λ = 0.
func withLimit(seed uint64, rng *rand.Rand) testgen.Instance {
	in := pick(rng, []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly, testgen.Wide})(seed)
	in.MaxRules = 1 + rng.IntN(4)
	if len(in.Columns) > 10 {
		in.MaxRules = min(in.MaxRules, 2)
	}
	if rng.IntN(2) == 0 {
		in.Lambda = ratio.New(0, 1)
	}
	return in
}

// TestMaxRules holds searches with a limit of rules against exhaustive search: the same
// objective and the same list, for every configuration.
func TestMaxRules(t *testing.T) {
	t.Parallel()
	const apart = 6
	seeds(t, 600, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 51))
		in := withLimit(seed, rng)
		solves(t, in, best(t, in), every(apart, seed, configurations(rng))...)
	})
}

// TestLimitNeedsLengths has points a, b, b', c and d where the rules p1, p2 leave what the rule s
// leaves, and cost less. Only s has room for the rule t behind it, which the optimum needs.
func TestLimitNeedsLengths(t *testing.T) {
	column := testgen.Bits
	in := testgen.Instance{Problem: oracle.Problem{
		Columns:  [][]bool{column("10000"), column("01100"), column("11100"), column("01010")}, // p1, p2, s, t
		Labels:   column("10110"),
		Weights:  []int64{5, 3, 2, 10, 10},
		MaxRules: 2, Lambda: ratio.New(0, 1),
	}}
	want := best(t, in)
	if want.Objective != 3 {
		t.Fatalf("the optimum is %d by %v", want.Objective, want.Antecedents)
	}
	for seed := range uint64(cases.Some(20)) {
		solves(t, in, want, configurations(rand.New(rand.NewPCG(seed, 53)))...)
	}
}
