package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// Instances that exhaustive search cannot do are solved twice: with other
// options, or after a change whose effect on the optimum is known.

// reference are the options that others are compared with.
var reference = Options{Workers: 1, Nodes: 20000}

// worth is how many prefixes the reference must expand before an instance is
// worth solving again.
const worth = 20

// medium calls f with instances that the reference solves, though not at once,
// and their optimum. It draws count instances, of which a third remain.
func medium(t *testing.T, count int, f func(rng *rand.Rand, in testgen.Instance, optimum oracle.List)) {
	t.Helper()
	easy, hard, rules := 0, 0, map[int]int{}
	seeds(t, count, func(seed uint64) {
		in := testgen.Medium(seed)
		r, optimum, err := solved(t.Context(), in)
		if err != nil {
			t.Fatalf("%s, seed %d: %v\n%v", in.Family, in.Seed, err, in)
		}
		if r.Status != parallel.Optimal {
			hard++
			return
		}
		if r.Stats.Expanded < worth {
			easy++
			return
		}
		rules[len(optimum.Antecedents)]++
		f(rand.New(rand.NewPCG(seed, 5)), in, optimum)
	})
	t.Logf("optimal lists by length: %v; %d other instances were too easy, %d too hard for the reference", rules, easy, hard)
}

// solved returns what the reference finds, and its list valued on the samples.
func solved(ctx context.Context, in testgen.Instance) (r Result, list oracle.List, err error) {
	if r, err = solve(ctx, in, reference); err != nil {
		return r, list, err
	}
	if err = consistent(in, r); err != nil {
		return r, list, err
	}
	list, err = in.Evaluate(antecedents(r))
	return r, list, err
}

// TestLambdaGrows: with a larger λ the optimal list is no longer, errs no
// less, and the optimum lies between the old one and what the old list costs.
func TestLambdaGrows(t *testing.T) {
	medium(t, 150, func(rng *rand.Rand, in testgen.Instance, optimum oracle.List) {
		factor := ratio.New(1+rng.Int64N(8), 8)
		other := in
		other.Lambda = ratio.New(in.Lambda.Num*(factor.Num+factor.Den), in.Lambda.Den*factor.Den)
		if !other.Lambda.Within() || other.Check() != nil {
			return
		}
		r, err := solve(t.Context(), other, Options{Workers: 2})
		old, err2 := other.Evaluate(optimum.Antecedents)
		if err = errors.Join(err, err2); err == nil {
			err = consistent(other, r)
		}
		if err != nil || len(r.Rules) > len(optimum.Antecedents) || r.Errors < optimum.Errors || r.Objective > old.Objective {
			t.Fatalf("λ from %v to %v: %+v became %+v, %v\n%v", in.Lambda, other.Lambda, optimum, r, err, in)
		}
	})
}

// TestAnytime stops searches on larger instances at many places: the bound
// stays below the optimum, rises with the number of nodes, and the incumbent
// never gets worse.
func TestAnytime(t *testing.T) {
	medium(t, 100, func(rng *rand.Rand, in testgen.Instance, optimum oracle.List) {
		policy, symmetry := pick(rng, policies), pick(rng, symmetries)
		var bound, objective int64
		for nodes := int64(1); nodes < reference.Nodes; nodes *= 3 {
			o := Options{Workers: 1, Policy: policy, Symmetry: symmetry, Nodes: nodes, Without: problem.Incumbent}
			r := must.Get(solve(t.Context(), in, o))(t)
			if err := sound(in, r, optimum); err != nil {
				t.Fatalf("%s: %v\n%v", describe(o), err, in)
			}
			if r.LowerBound < bound || nodes > 1 && r.Objective > objective {
				t.Fatalf("%s: bound %d after %d, objective %d after %d\n%v", describe(o), r.LowerBound, bound, r.Objective, objective, in)
			}
			bound, objective = r.LowerBound, r.Objective
		}
	})
}
