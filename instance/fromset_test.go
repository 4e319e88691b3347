package instance

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
	"parcorels/ratio"
	"parcorels/rules"
)

// dataset returns samples as a data set whose columns are features.
func (s samples) dataset() *dataset.Dataset {
	d := &dataset.Dataset{N: s.n(), Weights: s.weights, ClassOf: s.classOf, Classes: make([]string, s.classes)}
	for a, c := range s.columns {
		name := string(rune('a' + a))
		d.Features = append(d.Features, dataset.Feature{Name: name, Column: name, Group: -1, Bits: c})
	}
	return d
}

// TestFromSetIsOfAllCaptured mines with limits that leave some literals of conjunctions
// out: the columns made of others are those of the samples.
func TestFromSetIsOfAllCaptured(t *testing.T) {
	derived := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 77))
		n := 1 + r.IntN(300)
		s := drawSamples(r, n, 3+r.IntN(9), 2, n)
		set := must.Get(rules.Mine(t.Context(), s.dataset(), rules.Options{MaxCard: 1 + r.IntN(3), Negations: seed%2 == 0,
			MinSupport: ratio.New(int64(r.IntN(4)), 10), Budget: 5 + r.IntN(60)}))(t)
		_, derivation := deriving(set)
		for _, of := range derivation.made {
			derived += min(len(of), 1)
		}
		s.columns = set.Captured()
		in, err := FromSet(set)
		want, err2 := s.instance()
		if !reflect.DeepEqual(made(t, in, err), made(t, want, err2)) {
			t.Fatalf("seed %d: %+v, expected %+v", seed, in, want)
		}
		points, err := PointsFromSet(set)
		plain, err2 := s.points()
		one, other := reduced(made(t, points, err)), reduced(made(t, plain, err2))
		split, at := points.Split()
		splitPlain, atPlain := plain.Split()
		points.keys, plain.keys = nil, nil
		if !reflect.DeepEqual(points, plain) || !reflect.DeepEqual(one, other) || !reflect.DeepEqual(split, splitPlain) ||
			!reflect.DeepEqual(at, atPlain) {
			t.Fatalf("seed %d: the points are others", seed)
		}
	}
	if derived < 100 {
		t.Errorf("%d columns are made of others", derived)
	}
}
