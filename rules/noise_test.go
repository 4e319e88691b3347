package rules

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// definedNoise applies the definition sample by sample: what every model gets wrong, twice
// what the other samples that satisfy the same of the literals get wrong, and what the
// heaviest class of all those that have others does.
func definedNoise(d *dataset.Dataset, literals []Literal) (errors, wrong, plain, total int64) {
	weight := func(i int) int64 {
		if d.Weights == nil {
			return 1
		}
		return d.Weights[i]
	}
	groups := map[string][]int{}
	for i := range d.N {
		key := make([]byte, len(literals))
		for k, l := range literals {
			if d.Features[l.Feature].Bits.Test(uint(i)) != l.Negated {
				key[k] = 1
			}
		}
		groups[string(key)] = append(groups[string(key)], i)
		total += weight(i)
	}
	weights := func(samples []int, but int) []int64 {
		w := make([]int64, d.ClassCount())
		for _, i := range samples {
			if i != but {
				w[d.Class(i)] += weight(i)
			}
		}
		return w
	}
	var mates []int
	for _, group := range groups {
		all := weights(group, -1)
		errors += sum(all) - slices.Max(all)
		if len(group) == 1 {
			continue
		}
		mates = append(mates, group...)
		for _, i := range group {
			others := weights(group, i)
			own := others[d.Class(i)]
			others[d.Class(i)] = 0
			switch cmp.Compare(slices.Max(others), own) {
			case 1:
				wrong += 2 * weight(i)
			case 0:
				wrong += weight(i)
			}
		}
	}
	all := weights(mates, -1)
	return errors, wrong, sum(all) - slices.Max(all), total
}

// noisyData has labels that its columns decide but for a part of the samples, of two
// classes or of four.
func noisyData(rng *rand.Rand) *dataset.Dataset {
	d := &dataset.Dataset{Source: "noisy", N: 100 + rng.IntN(3000)}
	n, columns, classes := uint(d.N), 3+rng.IntN(8), 2
	if rng.IntN(3) == 0 {
		classes = 4
		d.ClassNames = []string{"p", "q", "r", "s"}
	}
	for range columns {
		set := bitset.New(n)
		for i := range n {
			set.SetTo(i, rng.IntN(3) == 0)
		}
		d.Features = append(d.Features, dataset.Feature{Group: -1, Bits: set})
	}
	noise := []int{1 << 30, 40, 3, 2, 1}[rng.IntN(5)]
	weighted := rng.IntN(2) == 0
	d.Labels = bitset.New(n)
	for i := range n {
		class := 0
		for _, f := range d.Features[:3] {
			if f.Bits.Test(i) {
				class++
			}
		}
		if class %= classes; rng.IntN(noise) == 0 {
			class = rng.IntN(classes)
		}
		d.Labels.SetTo(i, class == 1)
		if classes > 2 {
			d.ClassOf = append(d.ClassOf, uint16(class))
		}
		if weighted {
			d.Weights = append(d.Weights, 1+rng.Int64N(1000))
		}
	}
	if classes > 2 {
		d.Labels = nil
	}
	return d
}

// TestNoiseIsTheDefinition: the informative conjunctions are mined exactly where noise has
// the larger part, and otherwise all.
func TestNoiseIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	noisy, close := 0, 0
	for range 200 {
		d := noisyData(rng)
		o := Options{Negations: rng.IntN(2) == 0, MinSupport: ratio.New(int64(rng.IntN(3)), 100)}
		all, err := Mine(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		var literals []Literal
		for _, a := range all.Antecedents {
			if len(a.Literals) == 1 {
				literals = append(literals, a.Literals[0])
			}
		}
		errors, wrong, plain, total := definedNoise(d, literals)
		want, told := all, 0.0
		if 100*errors >= total && wrong >= plain {
			noisy++
			o.Informative = true
			if want, err = Mine(t.Context(), d, o); err != nil {
				t.Fatal(err)
			}
			told = float64(errors) / float64(total)
		}
		if 5*wrong >= 4*plain && 4*wrong <= 5*plain {
			close++
		}
		o.Informative, o.IfNoisy = false, true
		got, err := Mine(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Noise != told || got.Informative != want.Informative {
			t.Fatalf("%d of %d are errors of every model, %d halves and not %d of others: noise %v, want %v", errors, total, wrong, plain, got.Noise, told)
		}
		want.Noise = got.Noise
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("noise %v: mined %d antecedents, want %d", told, len(got.Antecedents), len(want.Antecedents))
		}
	}
	if noisy < 40 || noisy > 160 || close < 10 {
		t.Errorf("%d of 200 tables are noisy, %d near the limit", noisy, close)
	}
}

// TestNoiseIsNotAskedFor: what is given by the user stands, and single literals are all
// the same.
func TestNoiseIsNotAskedFor(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	d := signal(rng)
	for _, o := range []Options{{MaxCard: 1, IfNoisy: true}, {Informative: true, IfNoisy: true}, {}} {
		s, err := Mine(t.Context(), d, o)
		if err != nil || s.Noise != 0 || s.Informative != o.Informative {
			t.Errorf("%+v: noise %v, informative %v, %v", o, s.Noise, s.Informative, err)
		}
	}
	for i := range uint(d.N) {
		d.Labels.SetTo(i, d.Labels.Test(i) != (rng.IntN(3) == 0))
	}
	s, err := Mine(t.Context(), d, Options{IfNoisy: true})
	if err != nil || s.Noise == 0 || !s.Informative {
		t.Errorf("more than one label of three is turned: noise %v, %v", s.Noise, err)
	}
}

// TestNoiseLimits: a hundredth of the weight and half of the errors are limits, exactly, and
// a sample among as many of its class as of another is half wrong.
func TestNoiseLimits(t *testing.T) {
	for _, c := range []struct {
		groups [3][2]uint // samples of class 0 and 1 with the first literal, the second, and none
		noisy  bool
	}{
		{[3][2]uint{{99, 1}, {99, 1}}, true}, {[3][2]uint{{99, 1}, {100, 1}}, false},
		{[3][2]uint{{98, 1}, {99, 1}}, true}, {[3][2]uint{{99, 1}, {100, 0}}, false},
		{[3][2]uint{{15, 30}, {45, 0}}, true}, {[3][2]uint{{15, 31}, {45, 0}}, false},
		{[3][2]uint{{16, 31}, {45, 0}}, true}, {[3][2]uint{{1, 3}, {40, 0}}, false},
		{[3][2]uint{{2, 1}, {3, 0}, {0, 10}}, false}, {[3][2]uint{{2, 1}, {2, 0}, {0, 10}}, true},
	} {
		n := uint(0)
		for _, classes := range c.groups {
			n += classes[0] + classes[1]
		}
		var sets [2]*bitset.BitSet
		d := &dataset.Dataset{Source: "limits", Labels: bitset.New(n)}
		for g := range sets {
			sets[g] = bitset.New(n)
			d.Features = append(d.Features, dataset.Feature{Name: string(rune('a' + g)), Group: -1, Bits: sets[g]})
		}
		for g, classes := range c.groups {
			for class, n := range classes {
				for range n {
					for f := range sets {
						sets[f].SetTo(uint(d.N), f == g)
					}
					d.Labels.SetTo(uint(d.N), class == 1)
					d.N++
				}
			}
		}
		s, err := Mine(t.Context(), d, Options{IfNoisy: true})
		if err != nil || s.Informative != c.noisy {
			t.Errorf("%v: %v, %v", c.groups, s, err)
		}
	}
}
