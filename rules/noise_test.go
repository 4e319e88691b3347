package rules

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"parcorels/dataset"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// definedNoise applies the definition sample by sample: what weighs besides the largest
// class of all samples that satisfy the same of the literals.
func definedNoise(d *dataset.Dataset, literals []Literal) (errors, total int64) {
	groups := map[string][]int64{}
	for i := range d.N {
		key := make([]byte, len(literals))
		for k, l := range literals {
			if d.Features[l.Feature].Bits.Test(uint(i)) != l.Negated {
				key[k] = 1
			}
		}
		if groups[string(key)] == nil {
			groups[string(key)] = make([]int64, d.ClassCount())
		}
		w := int64(1)
		if d.Weights != nil {
			w = d.Weights[i]
		}
		groups[string(key)][d.Class(i)] += w
	}
	for _, classes := range groups {
		most := int64(0)
		for _, w := range classes {
			most = max(most, w)
			total += w
			errors += w
		}
		errors -= most
	}
	return errors, total
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
	noise := []int{1 << 30, 200, 40, 5}[rng.IntN(4)]
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
		if noise == 40 {
			d.Weights = append(d.Weights, 1+rng.Int64N(1000))
		}
	}
	if classes > 2 {
		d.Labels = nil
	}
	return d
}

// TestNoiseIsTheDefinition: the informative conjunctions are mined exactly where no model
// is right on more than 99% of the weight, and otherwise all.
func TestNoiseIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	noisy, close := 0, 0
	for range 150 {
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
		errors, total := definedNoise(d, literals)
		want, told := all, 0.0
		if 100*errors >= total {
			noisy++
			o.Informative = true
			if want, err = Mine(t.Context(), d, o); err != nil {
				t.Fatal(err)
			}
			told = float64(errors) / float64(total)
		}
		if 200*errors >= total && 50*errors <= total {
			close++
		}
		o.Informative, o.IfNoisy = false, true
		got, err := Mine(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Noise != told || got.Informative != want.Informative {
			t.Fatalf("%d of %d are errors of every model: noise %v, want %v", errors, total, got.Noise, told)
		}
		want.Noise = got.Noise
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d of %d are errors of every model: mined %d antecedents, want %d", errors, total, len(got.Antecedents), len(want.Antecedents))
		}
	}
	if noisy < 30 || noisy > 120 || close < 5 {
		t.Errorf("%d of 150 tables are noisy, %d near the limit", noisy, close)
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
	s, err := Mine(t.Context(), d, Options{IfNoisy: true})
	if err != nil || s.Noise == 0 || !s.Informative {
		t.Errorf("one label of eight is turned: noise %v, %v", s.Noise, err)
	}
}

// TestNoiseLimit: a hundredth of the weight is the limit, exactly.
func TestNoiseLimit(t *testing.T) {
	for _, c := range []struct {
		n, turned uint
		noisy     bool
	}{{200, 2, true}, {201, 2, false}, {199, 2, true}, {200, 1, false}, {100, 1, true}, {101, 1, false}} {
		d := &dataset.Dataset{Source: "limit", N: int(c.n), Labels: bitset.New(c.n)}
		set := bitset.New(c.n)
		for i := range c.n {
			set.SetTo(i, i%2 == 0)
			d.Labels.SetTo(i, i%2 == 0 && i >= 2*c.turned)
		}
		d.Features = []dataset.Feature{{Name: "a", Group: -1, Bits: set}}
		s, err := Mine(t.Context(), d, Options{IfNoisy: true})
		if err != nil || s.Informative != c.noisy {
			t.Errorf("%d of %d: %v, %v", c.turned, c.n, s.Informative, err)
		}
	}
}
