package instance

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"parcorels/dataset"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// TestPlaces: with other labels, and weights, the places of samples give what the samples do.
func TestPlaces(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 8))
		n, classes := 1+rng.IntN(300), 2+int(seed%3)
		d := &dataset.Dataset{N: n}
		for f := range 1 + rng.IntN(6) {
			bits := bitset.New(uint(n))
			for i := range n {
				bits.SetTo(uint(i), rng.IntN(f+2) == 0)
			}
			d.Features = append(d.Features, dataset.Feature{Name: string(rune('a' + f)), Column: string(rune('a' + f)), Group: -1,
				Bits: bits})
		}
		set := &rules.Set{Data: d}
		var places *Places
		for range 4 {
			again := *d
			if classes > 2 {
				again.ClassNames = make([]string, classes)
				again.ClassOf = make([]uint16, n)
			} else {
				again.Labels = bitset.New(uint(n))
			}
			for i := range n {
				if class := rng.IntN(classes); classes > 2 {
					again.ClassOf[i] = uint16(class)
				} else {
					again.Labels.SetTo(uint(i), class == 1)
				}
				if seed%2 == 1 {
					again.Weights = append(again.Weights, 1+rng.Int64N(5))
				}
			}
			if places == nil {
				mined, err := rules.Mine(t.Context(), &again, rules.Options{MaxCard: 2})
				if err != nil {
					t.Fatal(err)
				}
				set = mined
				if places, err = PlacesFromSet(set); err != nil {
					t.Fatal(err)
				}
			}
			relabelled := *set
			relabelled.Data = &again
			want, err := FromSet(&relabelled)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := places.Instance(&relabelled); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: the instance is another one, error %v", seed, err)
			}
			points, err := PointsFromSet(&relabelled)
			if err != nil {
				t.Fatal(err)
			}
			got, err := places.Points(&relabelled)
			if err != nil || !reflect.DeepEqual(got.WithColumns(), points) {
				t.Fatalf("seed %d: the points are others, error %v", seed, err)
			}
		}
	}
}
