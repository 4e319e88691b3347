package instance

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rules"
)

// TestFromSetIsOfAllCaptured mines with limits that leave some literals of conjunctions
// out: the columns made of others are those of the samples.
func TestFromSetIsOfAllCaptured(t *testing.T) {
	made := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 77))
		d := &dataset.Dataset{N: 1 + r.IntN(300), Classes: [2]string{"0", "1"}}
		draw := func() *bitset.BitSet {
			b, share := bitset.New(uint(d.N)), 1+r.IntN(9)
			for i := range uint(d.N) {
				b.SetTo(i, r.IntN(10) < share)
			}
			return b
		}
		d.Labels = draw()
		for f := range 3 + r.IntN(9) {
			d.Features = append(d.Features, dataset.Feature{Name: string(rune('a' + f)), Group: -1, Bits: draw()})
		}
		s, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1 + r.IntN(3), Negations: seed%2 == 0,
			MinSupport: ratio.New(int64(r.IntN(4)), 10), Budget: 5 + r.IntN(60)})
		if err != nil {
			t.Fatal(err)
		}
		_, derivation := deriving(s)
		for _, of := range derivation.made {
			made += min(len(of), 1)
		}
		in, err := FromSet(s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := given(s.Captured(), d.Labels, d.Weights, d.N)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(in, want) {
			t.Fatalf("seed %d: %+v, expected %+v", seed, in, want)
		}
		points, err := PointsFromSet(s)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := givenPoints(s.Captured(), d.Labels, d.Weights, d.N)
		if err != nil {
			t.Fatal(err)
		}
		one, other := points.Reduce(), plain.Reduce()
		split, at := points.Split()
		splitPlain, atPlain := plain.Split()
		points.derivation = nil
		if !reflect.DeepEqual(points, plain) || !reflect.DeepEqual(one, other) || !reflect.DeepEqual(split, splitPlain) ||
			!reflect.DeepEqual(at, atPlain) {
			t.Fatalf("seed %d: the points are others", seed)
		}
	}
	if made < 100 {
		t.Errorf("%d columns are made of others", made)
	}
}
