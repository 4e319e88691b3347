package rashomon_test

import (
	"math/big"
	"testing"

	goodmodels "parcorels/choice/rashomon"
	"parcorels/instance"
	"parcorels/rules"
	"parcorels/verify/rashomon"
)

// checkAnswers compares answers of the checker with those of the search, which are compared with all models
// one by one.
func checkAnswers(t *testing.T, seed uint64, a rashomon.Answers, all, some []goodmodels.Entry, allowed func(int) bool, flips [][]int64, set *rules.Set) {
	t.Helper()
	sizes := map[int]*big.Int{}
	for _, e := range all {
		if sizes[e.Rules] == nil {
			sizes[e.Rules] = new(big.Int)
		}
		sizes[e.Rules].Add(sizes[e.Rules], e.Lists)
	}
	got := a.Sizes()
	for size, n := range sizes {
		if got[size] == nil || got[size].Cmp(n) != 0 {
			t.Fatalf("seed %d: %v models of size %d, want %v", seed, got[size], size, n)
		}
	}
	if len(got) != len(sizes) {
		t.Fatalf("seed %d: sizes %v, want %v", seed, got, sizes)
	}
	want := new(big.Int)
	for _, e := range some {
		want.Add(want, e.Lists)
	}
	if n, least := a.Only(allowed); n.Cmp(want) != 0 || len(some) > 0 && least != some[0].Objective {
		t.Fatalf("seed %d: %v models without an antecedent from %d on, want %v, %v", seed, n, least, want, some)
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	ambiguous := int64(0)
	for p := range points.Count {
		classes := 0
		for c := range flips {
			if flips[c][p] >= 0 {
				classes++
			}
		}
		if classes > 1 {
			for _, of := range points.Weights {
				ambiguous += of[p]
			}
		}
	}
	if n := a.Ambiguous(); n != ambiguous {
		t.Fatalf("seed %d: a weight of %d is ambiguous, want %d", seed, n, ambiguous)
	}
}
