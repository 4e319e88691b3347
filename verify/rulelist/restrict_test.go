package rulelist_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	verifylist "parcorels/verify/rulelist"

	"github.com/bits-and-blooms/bitset"
)

// TestRestrictedLists asks for rules that decide enough samples and predict what they may: the search, in any way, finds what
// exhaustive search finds, its proof passes, and a proof that was changed shows nothing else.
func TestRestrictedLists(t *testing.T) {
	bound, passed := 0, 0
	for seed := range seeds(12_000) {
		rng := rand.New(rand.NewPCG(seed, 21))
		in := []testgen.Generator{testgen.Small, testgen.Ties}[seed%2](seed / 2)
		free := must.Get(in.Best())(t)
		if seed%5 == 0 {
			in.MaxRules = 1 + rng.IntN(3)
		}
		if seed%3 > 0 {
			in.MinRows = 1 + rng.IntN((len(in.Labels)+1)/2)
		}
		if seed%3 < 2 {
			for range in.Columns {
				in.May = append(in.May, []uint8{0, 1, 1, 2, 2, 3}[rng.IntN(6)])
			}
		}
		want := must.Get(in.Best())(t)
		if want.Objective != free.Objective {
			bound++
		}
		o := ways(seed)[seed%2]
		o.Memory, o.Lambda, o.MaxRules, o.May = 0, in.Lambda, in.MaxRules, problem.Restriction{MinRows: in.MinRows, Labels: in.May}
		set := in.Set()
		o.May.Captured = func(a int) *bitset.BitSet { return set.Antecedents[a].Captured() }
		o.Without &= problem.Incumbent | problem.Commuting | problem.Separation
		passed += restricted(t, in, o, want, rng)
	}
	if bound < int(seeds(2000)) || passed < int(seeds(2000)) {
		t.Errorf("%d lists are others than without restrictions, %d mutants passed", bound, passed)
	}
}

// restricted searches, checks the proof and mutants of it, and returns how many of these passed.
func restricted(t *testing.T, in testgen.Instance, o search.Options, want oracle.List, rng *rand.Rand) (passed int) {
	set := in.Set()
	file, r := solved(t, set, o)
	got := antecedentsOf(r.Rules)
	if r.Status != parallel.Optimal || r.Objective != want.Objective || !slices.Equal(got, want.Antecedents) {
		t.Fatalf("%v %d %v, the optimum is %d %v\n%+v\n%v", r.Status, r.Objective, got, want.Objective, want.Antecedents, o, in)
	}
	v, err := check(t, file, set, o.Workers)
	if err != nil {
		t.Fatalf("%v\n%+v\n%v", err, o, in)
	}
	if v.Objective != want.Objective || v.Errors != want.Errors || v.MinRows != in.MinRows || !slices.Equal(v.Labels, in.May) {
		t.Fatalf("verified %+v of %+v", v, want)
	}
	for range 4 {
		v, err := check(t, prooftamper.Mutate(rng, file), set, 1)
		if err == nil {
			passed += checkMutant(t, in, v)
		}
	}
	return passed
}

// checkMutant makes sure that a proof that passes shows what is true of what it says that it is about.
func checkMutant(t *testing.T, in testgen.Instance, v verifylist.Result) int {
	in.MinRows, in.May, in.MaxRules, in.Lambda = v.MinRows, v.Labels, v.MaxRules, ratio.New(v.Lambda.Num, v.Lambda.Den)
	if want, err := in.Best(); err != nil || v.Objective != want.Objective || !slices.Equal(antecedentsOf(v.Rules), want.Antecedents) {
		t.Fatalf("a proof of %+v passed, %v, the optimum is %+v\n%v", v, err, want, in)
	}
	return 1
}

func antecedentsOf(list []rulelist.Rule) (all []int) {
	for _, rule := range list {
		all = append(all, rule.Antecedent)
	}
	return all
}

// ways returns two ways to search, of all that there are.
func ways(seed uint64) (all []search.Options) {
	for k := range uint64(2) {
		x := seed*2 + k
		o := search.Options{
			Workers:  1 + int(x%3),
			Policy:   search.Policy(x / 3 % 5),
			Symmetry: search.Symmetry(x / 15 % 3),
		}
		switch x / 45 % 4 {
		case 1:
			o.Memory = 1
		case 2:
			o.Memory = 20 << 10
		case 3:
			// Without the bound or the look-ahead a search takes for ever.
			o.Without = problem.Prunings(x*0x9e3779b97f4a7c15>>32) & problem.AllPrunings() &^ (problem.Bound | problem.LookAhead)
		}
		if x%2 == 0 {
			o.Without |= problem.Incumbent // whose estimate allows few symmetries on small instances
		}
		all = append(all, o)
	}
	return all
}
