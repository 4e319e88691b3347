package instance

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rules"
)

// TestFromTableToInstance goes from a weighted, noisy table through mining and
// holds the errors of random lists on the instance against the samples.
func TestFromTableToInstance(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 10))
		o := dataset.Options{Weight: "w"}
		if seed%3 == 0 {
			o = dataset.Options{Ignore: []string{"w"}, ClassWeights: "balanced"}
		}
		d, err := dataset.ReadFrom(strings.NewReader(weightedTable(rng)), "weighted.csv", o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		set, err := rules.Mine(t.Context(), d, rules.Options{Negations: seed%2 == 0})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		in, err := FromSet(set)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := samplesOf(set)
		for range 20 {
			list, otherwise := randomList(rng, len(set.Antecedents))
			if got, want := in.errors(list, otherwise), s.errors(list, otherwise); got != want {
				t.Fatalf("seed %d: %d errors on the instance, %d on the samples", seed, got, want)
			}
		}
	}
}

func weightedTable(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("age,smiles,shape,w,y\n")
	for range 30 + rng.IntN(200) {
		fmt.Fprintf(&b, "%d,%d,%c,%d.%d,%d\n", 18+rng.IntN(9), rng.IntN(2), 'a'+rune(rng.IntN(3)), 1+rng.IntN(3), rng.IntN(100),
			rng.IntN(2))
	}
	return b.String()
}

func samplesOf(set *rules.Set) samples {
	s := samples{label: make([]bool, set.Data.N), weights: set.Data.Weights}
	for i := range s.label {
		s.label[i] = set.Data.Labels.Test(uint(i))
	}
	for _, a := range set.Antecedents {
		holds := make([]bool, set.Data.N)
		for i := range holds {
			holds[i] = a.Captured().Test(uint(i))
		}
		s.holds = append(s.holds, holds)
	}
	return s
}

// TestPointsOfManyClasses goes from a table of three classes to points.
func TestPointsOfManyClasses(t *testing.T) {
	table := "f,g,y\na,b,1\na,b,2\nc,b,3\nc,d,3\na,b,2\n"
	d, err := dataset.ReadFrom(strings.NewReader(table), "t.csv", dataset.Options{Multiclass: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	if p.Classes != 3 || p.Count != 3 || p.Weights[0][0] != 1 || p.Weights[1][0] != 2 || p.Weights[2][1] != 1 {
		t.Errorf("%d points of %d classes, weights %v", p.Count, p.Classes, p.Weights)
	}
}

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
