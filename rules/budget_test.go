package rules

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"

	"github.com/bits-and-blooms/bitset"
)

// definedGain is the gain of a captured set and the tie-breaker, from their
// definitions, sample by sample.
func definedGain(d *dataset.Dataset, captured *bitset.BitSet) (gain, spread *big.Int) {
	classes := d.ClassCount()
	inside, outside := make([]int64, classes), make([]int64, classes)
	for i := range d.N {
		w := int64(1)
		if d.Weights != nil {
			w = d.Weights[i]
		}
		if captured.Test(uint(i)) {
			inside[d.Class(i)] += w
		} else {
			outside[d.Class(i)] += w
		}
	}
	sum := func(list []int64) (n int64) {
		for _, w := range list {
			n += w
		}
		return n
	}
	errors := func(list []int64) int64 { return sum(list) - slices.Max(list) }
	all := make([]int64, classes)
	for c := range all {
		all[c] = inside[c] + outside[c]
	}
	gain = big.NewInt(errors(all) - errors(inside) - errors(outside))
	spread = new(big.Int)
	for c := range all {
		x := new(big.Int).Mul(big.NewInt(inside[c]), big.NewInt(sum(all)-all[c]))
		y := new(big.Int).Mul(big.NewInt(sum(inside)-inside[c]), big.NewInt(all[c]))
		if x.Sub(x, y).Abs(x).Cmp(spread) > 0 {
			spread = x
		}
	}
	return gain, spread
}

// definedBudget keeps the best of a set by the definition.
func definedBudget(s *Set, budget int) (kept [][]Literal) {
	list := slices.Clone(s.Antecedents)
	slices.SortStableFunc(list, func(a, b Antecedent) int {
		if single := len(a.Literals) == 1; single != (len(b.Literals) == 1) {
			if single {
				return -1
			}
			return 1
		}
		gainA, spreadA := definedGain(s.Data, a.Captured())
		gainB, spreadB := definedGain(s.Data, b.Captured())
		if c := gainB.Cmp(gainA); c != 0 {
			return c
		}
		return spreadB.Cmp(spreadA)
	})
	list = list[:min(budget, len(list))]
	for _, a := range list {
		kept = append(kept, a.Literals)
	}
	slices.SortFunc(kept, compare)
	return kept
}

// literalsOf lists those of all antecedents, which must capture what they say.
func literalsOf(t *testing.T, s *Set) (list [][]Literal) {
	t.Helper()
	checkCaptured(t, s)
	for _, a := range s.Antecedents {
		list = append(list, a.Literals)
	}
	return list
}

// TestDefinition compares with the antecedents by their definition and, of features and pairs, with keeping the best of these.
func TestDefinition(t *testing.T) {
	pruned := 0
	for seed := range uint64(max(500, cases.Some(1000))) {
		rng := rand.New(rand.NewPCG(seed, 21))
		d, o := randomData(rng), randomOptions(rng)
		if rng.IntN(3) == 0 {
			d.Classes = []string{"a", "b", "c"}
			for i := range d.N {
				d.ClassOf[i] = uint16(rng.IntN(3))
			}
		}
		all := must.Get(Mine(t.Context(), d, o))(t)
		if got, want := literalsOf(t, all), defined(d, o); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, %+v: mined %v, defined %v", seed, o, got, want)
		}
		if o.MaxCard > 2 {
			continue
		}
		if all.Pruned() || all.Mined != int64(len(all.Antecedents)) {
			t.Fatalf("seed %d: %d of %d without a budget", seed, len(all.Antecedents), all.Mined)
		}
		o.Budget = 1 + rng.IntN(30)
		s := must.Get(Mine(t.Context(), d, o))(t)
		if got, want := literalsOf(t, s), definedBudget(all, o.Budget); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, %+v: kept %v, defined %v", seed, o, got, want)
		}
		singles := slices.IndexFunc(all.Antecedents, func(a Antecedent) bool { return len(a.Literals) > 1 })
		if s.Pruned() != (len(all.Antecedents) > o.Budget) || singles >= 0 && singles <= o.Budget && s.Mined < all.Mined {
			t.Fatalf("seed %d: %d kept of %d, there are %d, budget %d", seed, len(s.Antecedents), s.Mined, len(all.Antecedents), o.Budget)
		}
		if s.Pruned() {
			pruned++
		}
	}
	if pruned < 30 {
		t.Errorf("%d sets were pruned, too few for a test", pruned)
	}
}
