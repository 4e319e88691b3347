package instance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
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
		fmt.Fprintf(&b, "%d,%d,%c,%d.%d,%d\n", 18+rng.IntN(9), rng.IntN(2), 'a'+rune(rng.IntN(3)), 1+rng.IntN(3), rng.IntN(100), rng.IntN(2))
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
			holds[i] = a.Captured.Test(uint(i))
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
