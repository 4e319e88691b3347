package testgen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
)

// TestInstances: an instance depends on its family and seed alone. Where a generator is changed, look whether its
// optimal lists still have up to five rules, ties and one class (Small), the oracle 110,000 lists at most to look at
// (Knotty) or some ten thousand (Wide), and the seeds of Critical what is said of them.
func TestInstances(t *testing.T) {
	all := sha256.New()
	for _, generate := range []Generator{Small, Ties, Nearly, Knotty, Wide, Medium, Table} {
		for seed := range uint64(100) {
			in := generate(seed)
			if err := in.Check(); err != nil || !in.Lambda.Within() || len(in.Labels) == 0 {
				t.Errorf("%s seed %d: λ = %v, %v", in.Family, seed, in.Lambda, err)
			}
			fmt.Fprintln(all, in)
		}
	}
	for _, seed := range Critical {
		fmt.Fprintln(all, Ties(seed))
	}
	if got := hex.EncodeToString(all.Sum(nil)[:8]); got != "4827d66e6f13e4fe" {
		t.Errorf("the instances have the digest %s", got)
	}
}

func TestTransforms(t *testing.T) {
	for _, transform := range Transforms {
		t.Run(transform.Name, func(t *testing.T) {
			changed, seeds := 0, cases.Some(Few(150))
			for seed := range uint64(seeds) {
				in := Small(seed)
				best := must.Get(in.Best())(t)
				other, want := transform.Apply(source("transforms", seed), in, best.Antecedents)
				got := must.Get(other.Best())(t)
				if !slices.Equal(got.Antecedents, want) {
					t.Fatalf("%v\nhas the optimum %v, but\n%v\nhas %v and not %v", in, best.Antecedents, other, got.Antecedents, want)
				}
				if !reflect.DeepEqual(in, Small(seed)) {
					t.Fatalf("the instance of seed %d itself was changed", seed)
				}
				if !reflect.DeepEqual(in.Problem, other.Problem) {
					changed++
				}
			}
			if changed < seeds/3 {
				t.Errorf("changed %d of %d instances", changed, seeds)
			}
		})
	}
}

func TestPermuteAntecedents(t *testing.T) {
	for seed := range uint64(cases.Some(300)) {
		in := Small(seed)
		a := must.Get(in.Best())(t)
		other := PermuteAntecedents(rand.New(rand.NewPCG(seed, 0)), in)
		b := must.Get(other.Best())(t)
		if a.Objective != b.Objective || len(a.Antecedents) != len(b.Antecedents) {
			t.Fatalf("%v\nhas %+v, but\n%v\nhas %+v", in, a, other, b)
		}
	}
}
