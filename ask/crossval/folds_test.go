package crossval

import (
	"fmt"
	"math/rand/v2"
	"parcorels/internal/testing/must"
	"strings"
	"testing"
)

// TestStratify: every sample is in one fold, and no fold has two samples more
// than another, of either class and in all.
func TestStratify(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		d := random(rng, 40+rng.IntN(40), 3).data(t)
		ones := int(d.InClass(1).Count())
		folds := 2 + rng.IntN(min(ones, d.N-ones)-1)
		sets, err := Stratify(d, folds, rng.Uint64())
		if err != nil || len(sets) != folds {
			t.Fatalf("%d folds, %v; want %d", len(sets), err, folds)
		}
		union := rows(d.N)
		for _, s := range sets {
			in, of1 := int(s.Count()), int(s.IntersectionCardinality(d.InClass(1)))
			if union.IntersectionCardinality(s) > 0 {
				t.Fatal("a sample is in two folds")
			}
			union.InPlaceUnion(s)
			for what, sizes := range map[string][2]int{"samples": {in, d.N}, "class 1": {of1, ones}, "class 0": {in - of1, d.N - ones}} {
				if sizes[0] != sizes[1]/folds && sizes[0] != (sizes[1]+folds-1)/folds {
					t.Fatalf("a fold has %d of %d %s, of %d folds", sizes[0], sizes[1], what, folds)
				}
			}
		}
		if !union.All() {
			t.Fatal("a sample is in no fold")
		}
	}
}

// TestStratifyForAllTime: folds that people report must come again, with the
// next version of Go and on any machine.
func TestStratifyForAllTime(t *testing.T) {
	d := table{
		features: [][]bool{{true}, {false}, {true}, {false}, {true}, {false}, {true}, {false}, {true}, {false}, {true}},
		labels:   []bool{true, true, true, true, false, false, false, false, false, false, false},
	}.data(t)
	for seed, want := range map[uint64]string{1: "[{3,5,7,10} {0,1,4,8} {2,6,9}]", 2: "[{3,4,5,9} {1,2,6,7} {0,8,10}]"} {
		sets := must.Get(Stratify(d, 3, seed))(t)
		if got := fmt.Sprint(sets); got != want {
			t.Errorf("seed %d: %s, want %s", seed, got, want)
		}
	}
}

func TestStratifyRefuses(t *testing.T) {
	d := table{
		features: [][]bool{{true}, {false}, {true}, {false}},
		labels:   []bool{true, false, false, false},
	}.data(t)
	for folds, want := range map[int]string{5: "4 samples, too few for one in each of 5 folds", 1: "expected at least 2"} {
		if _, err := Stratify(d, folds, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d folds: %v, want %q", folds, err, want)
		}
	}
}
