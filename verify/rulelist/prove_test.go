package rulelist_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist"
	"parcorels/verify"
	verifylist "parcorels/verify/rulelist"
)

// families are the instances that the oracle can solve.
var families = []testgen.Generator{testgen.Small, testgen.Ties, testgen.Wide, testgen.Nearly}

// sample returns some instance.
func sample(seed uint64) testgen.Instance { return families[seed%4](seed / 4) }

// seeds returns how many seeds a test goes through.
func seeds(n uint64) uint64 {
	return uint64(cases.Some(int(n)))
}

func TestProofsVerify(t *testing.T) {
	var longest, dominations int
	for seed := range seeds(900) {
		in := sample(seed)
		p := prove(t, in, nil, int(seed%4), rand.New(rand.NewPCG(seed, 1)))
		r, err := check(t, p.script.file(), p.set, 1+int(seed%3))
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, in)
		}
		expect(t, in, p.best, r)
		if r.Records != int64(len(p.script.records)) {
			t.Errorf("seed %d: %d records, there are %d", seed, r.Records, len(p.script.records))
		}
		longest = max(longest, len(p.best.Antecedents))
		dominations += len(p.dominations)
	}
	if longest < 3 || dominations < int(seeds(100)) {
		t.Errorf("lists of at most %d rules, %d dominations: too easy", longest, dominations)
	}
}

// expect holds a result against the smallest list.
func expect(t *testing.T, in testgen.Instance, best oracle.List, r verifylist.Result) {
	t.Helper()
	var want []rulelist.Rule
	for i, a := range best.Antecedents {
		want = append(want, rulelist.Rule{Antecedent: a, Class: one(best.Predict[i])})
	}
	if !slices.Equal(r.Rules, want) || r.Default != one(best.Default) || r.Errors != best.Errors ||
		r.Objective != best.Objective || r.Scale != in.Scale() || r.Lambda != in.Lambda {
		t.Fatalf("verified %+v, the smallest list is %+v\n%v", r, best, in)
	}
}

// TestAnotherClaimIsRefused claims lists that are not the smallest, with all the
// true records that a prover could wish for.
func TestAnotherClaimIsRefused(t *testing.T) {
	tried := 0
	for seed := range seeds(400) {
		in := sample(seed)
		rng := rand.New(rand.NewPCG(seed, 2))
		best := must.Get(in.Best())(t)
		for range 3 {
			claim := another(rng, best.Antecedents, len(in.Columns))
			if slices.Equal(claim, best.Antecedents) {
				continue
			}
			p := prove(t, in, claim, int(seed%4), rng)
			if len(p.script.records) > p.most {
				continue
			}
			tried++
			_, err := check(t, p.script.file(), p.set, 1+int(seed%3))
			var fail *verifylist.Failure
			if !errors.Is(err, verify.ErrRefused) || !errors.As(err, &fail) {
				t.Fatalf("seed %d: claim %v, the smallest is %v: %v\n%v", seed, claim, best.Antecedents, err, in)
			}
		}
	}
	if tried < int(seeds(400)) {
		t.Errorf("only %d claims", tried)
	}
}

// another returns a list that resembles the one given.
func another(rng *rand.Rand, list []int, antecedents int) []int {
	l := slices.Clone(list)
	switch n := len(l); {
	case n > 1 && rng.IntN(3) == 0:
		i := rng.IntN(n - 1)
		l[i], l[i+1] = l[i+1], l[i]
	case n > 0 && rng.IntN(3) == 0:
		l = slices.Delete(l, n-1, n)
	case n > 0 && rng.IntN(2) == 0:
		i, a := rng.IntN(n), rng.IntN(antecedents)
		if !slices.Contains(l, a) {
			l[i] = a
		}
	case antecedents > 0:
		if a := rng.IntN(antecedents); !slices.Contains(l, a) {
			l = slices.Insert(l, rng.IntN(n+1), a)
		}
	}
	if l == nil {
		l = []int{}
	}
	return l
}

// TestWhatMustBeThere drops the record of a prefix of the smallest list that is
// at least two rules shorter. Nothing can take its place: no such prefix is
// useless, commuting, bounded, dominated or closed.
func TestWhatMustBeThere(t *testing.T) {
	tried := 0
	for seed := range seeds(3000) {
		in := sample(seed)
		best := must.Get(in.Best())(t)
		if len(best.Antecedents) < 3 {
			continue
		}
		tried++
		p := prove(t, in, nil, 2, rand.New(rand.NewPCG(seed, 3)))
		prefix := best.Antecedents[:1+seed%uint64(len(best.Antecedents)-2)]
		begin := append([]byte{1}, ints(prefix)...)
		n := len(p.script.records)
		p.script.records = slices.DeleteFunc(p.script.records, func(r []byte) bool {
			return len(r) >= len(begin) && slices.Equal(r[:len(begin)], begin)
		})
		if len(p.script.records) != n-1 {
			t.Fatalf("seed %d: %d records of prefix %v", seed, n-len(p.script.records), prefix)
		}
		_, err := check(t, p.script.file(), p.set, 2)
		if _, ok := errors.AsType[*verifylist.Failure](err); !ok {
			t.Fatalf("seed %d: without the record of %v: %v\n%v", seed, prefix, err, in)
		}
	}
	if tried < int(seeds(100)) {
		t.Errorf("only %d lists of three rules", tried)
	}
}

// one returns the number of a class of two.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
