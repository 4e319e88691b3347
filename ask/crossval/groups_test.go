package crossval

import (
	"context"
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/ratio"
)

// TestGroups: no group is in two folds, every sample is in one, and with many
// small groups the folds have about the same size.
func TestGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 50 {
		d := random(rng, 200, 3).data(t)
		groups := make([]int, d.N)
		for i := range groups {
			groups[i] = rng.IntN(60)
		}
		o := options(ratio.New(1, 10))
		o.Groups, o.Seed = groups, rng.Uint64()
		sets, err := split(d, o)
		if err != nil || len(sets) != o.Folds {
			t.Fatalf("%d folds, %v", len(sets), err)
		}
		in := map[int]int{}
		for f, s := range sets {
			if n := s.Count(); n < 30 || n > 50 {
				t.Errorf("fold %d has %d of 200 samples", f, n)
			}
			for i, ok := s.NextSet(0); ok; i, ok = s.NextSet(i + 1) {
				if other, known := in[groups[i]]; known && other != f {
					t.Fatalf("group %d is in folds %d and %d", groups[i], other, f)
				}
				in[groups[i]] = f
			}
		}
		var all uint
		for _, s := range sets {
			all += s.Count()
		}
		if all != uint(d.N) {
			t.Fatalf("%d of %d samples are in a fold", all, d.N)
		}
	}
}

func TestHoldout(t *testing.T) {
	d := random(rand.New(rand.NewPCG(4, 4)), 200, 3).data(t)
	o := options(ratio.New(1, 10))
	o.Holdout = .25
	r := must.Get(Run(context.Background(), d, o))(t)
	test := r.Folds[0]
	ones := float64(d.InClass(1).Count()) / 4
	n := float64(test.IntersectionCardinality(d.InClass(1)))
	if len(r.Folds) != 1 || test.Count() < 49 || test.Count() > 51 || n < ones-1 ||
		n > ones+1 {
		t.Errorf("%d folds, %d samples, %v of class 1 of %v", len(r.Folds), test.Count(), n, ones)
	}
	f := r.Fits[0][0]
	if _, all := f.Test.Errors(); int(all) != int(test.Count()) || f.Measures.Rows != int64(all) || f.Measures.Accuracy != f.Test.Accuracy {
		t.Errorf("%+v", f)
	}
	for _, bad := range []float64{-.1, 1} {
		if o.Holdout = bad; bad != 0 {
			if _, err := Run(context.Background(), d, o); err == nil {
				t.Errorf("a test part of %v is taken", bad)
			}
		}
	}
}

// TestTinyHoldoutOfGroups: however small the share, the test part is one group.
func TestTinyHoldoutOfGroups(t *testing.T) {
	d := random(rand.New(rand.NewPCG(3, 3)), 200, 3).data(t)
	groups := make([]int, d.N)
	for i := range groups {
		groups[i] = i % 20
	}
	for _, share := range []float64{1e-300, 1e-30, .001} {
		parts, err := split(d, Options{Groups: groups, Holdout: share})
		if err != nil || len(parts) != 1 || parts[0].Count() != 10 {
			t.Errorf("share %v: %v, %v", share, parts, err)
		}
	}
}
