package rules

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/dataset"

	"github.com/bits-and-blooms/bitset"
)

// definedInformative applies the definition sample by sample.
func definedInformative(d *dataset.Dataset, literals []Literal, least float64) bool {
	captured := func(without int, i uint) bool {
		for k, l := range literals {
			if k != without && d.Features[l.Feature].Bits.Test(i) == l.Negated {
				return false
			}
		}
		return true
	}
	for class := range 2 {
		more, less := true, true
		for without := range literals {
			var in, out [2]float64 // samples of X and of the rest of its part: of other classes, of the class
			for i := range uint(d.N) {
				of := 0
				if d.Class(int(i)) == class {
					of = 1
				}
				switch {
				case captured(-1, i):
					in[of]++
				case captured(without, i):
					out[of]++
				}
			}
			x, rest := in[0]+in[1], out[0]+out[1]
			expected := (in[1] + out[1]) / (x + rest)
			chi := 0.0
			if expected > 0 && expected < 1 && rest > 0 {
				chi = math.Pow(in[1]/x-out[1]/rest, 2) / (expected * (1 - expected) * (1/x + 1/rest))
			}
			enough := chi >= least
			more = more && enough && in[1]/x > out[1]/rest
			less = less && enough && in[1]/x < out[1]/rest
		}
		if more || less {
			return true
		}
	}
	return false
}

// decides applies the definition sample by sample: in the rest of no part is the class
// of most weight that of the conjunction, and rarer or more frequent than in all samples
// as there.
func decides(d *dataset.Dataset, literals []Literal) bool {
	var in, all [2]float64 // weight of each class
	out := make([][2]float64, len(literals))
	for i := range uint(d.N) {
		weight := 1.0
		if d.Weights != nil {
			weight = float64(d.Weights[i])
		}
		missed, which := 0, 0
		for k, l := range literals {
			if d.Features[l.Feature].Bits.Test(i) == l.Negated {
				missed, which = missed+1, k
			}
		}
		class := d.Class(int(i))
		all[class] += weight
		switch missed {
		case 0:
			in[class] += weight
		case 1:
			out[which][class] += weight
		}
	}
	lift := func(w [2]float64) float64 { return w[1]*(all[0]+all[1]) - all[1]*(w[0]+w[1]) }
	for _, rest := range out {
		alike := rest[1] > rest[0] && in[1] >= in[0] || rest[1] < rest[0] && in[1] <= in[0]
		if alike && lift(rest)*lift(in) > 0 {
			return false
		}
	}
	return true
}

// Pairs that are mined are those that are informative by definition, however samples
// weigh, and no others are missing.
func TestInformativePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	kept, given := 0, 0
	for range 120 {
		d := signal(rng)
		o := Options{Negations: rng.IntN(2) == 0, MaxCard: 2}
		all, err := Mine(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Informative = true
		some, err := Mine(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		single := 0
		for _, a := range all.Antecedents {
			if len(a.Literals) == 1 {
				single++
			}
		}
		least := 2 * math.Ln2 * float64(bits.Len(uint(single*(single-1)/2)))
		wanted := func(literals []Literal) bool {
			return definedInformative(d, literals, least) && decides(d, literals)
		}
		has := map[string]bool{}
		for _, a := range some.Antecedents {
			has[a.Name] = true
			if len(a.Literals) > 1 && !wanted(a.Literals) {
				t.Fatalf("%s is kept", a.Name)
			}
		}
		for _, a := range all.Antecedents {
			if want := len(a.Literals) == 1 || wanted(a.Literals); want && !has[a.Name] {
				t.Fatalf("%s is not kept", a.Name)
			}
		}
		kept += len(some.Antecedents) - single
		given += len(all.Antecedents) - len(some.Antecedents)
		if some.Pruned() != (some.Mined > int64(len(some.Antecedents))) || int(some.Mined) < len(all.Antecedents) {
			t.Fatalf("%d of %d, all are %d", len(some.Antecedents), some.Mined, len(all.Antecedents))
		}
	}
	if kept < 100 || given < 100 {
		t.Errorf("%d pairs kept, %d given up", kept, given)
	}
}

// signal draws features of which some pairs, and some alone, say much of the label.
func signal(rng *rand.Rand) *dataset.Dataset {
	d := &dataset.Dataset{Source: "signal", N: 200 + rng.IntN(400)}
	d.Labels = bitset.New(uint(d.N))
	for f := range 6 {
		set := bitset.New(uint(d.N))
		for i := range uint(d.N) {
			set.SetTo(i, rng.IntN(3) == 0)
		}
		d.Features = append(d.Features, dataset.Feature{Name: string(rune('a' + f)), Group: -1, Bits: set})
	}
	kind := rng.IntN(3)
	for i := range uint(d.N) {
		a, b, c := d.Features[0].Bits.Test(i), d.Features[1].Bits.Test(i), d.Features[2].Bits.Test(i)
		one := [3]bool{a && b, a != b, a || b && c}[kind]
		if rng.IntN(8) == 0 {
			one = !one
		}
		d.Labels.SetTo(i, one)
	}
	if rng.IntN(2) == 0 {
		for range d.N {
			d.Weights = append(d.Weights, 1+rng.Int64N(3))
		}
	}
	return d
}

// All parts of a conjunction count, of two and of four classes: those of the features
// that the label needs are informative, and hardly any other.
func TestInformativeParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, special := range []int{-1, 0, 1, 3} { // the class of interest among 4; -1: two classes
		d := &dataset.Dataset{Source: "parts", N: 12000, Labels: bitset.New(12000)}
		for f := range 6 {
			set := bitset.New(uint(d.N))
			for i := range uint(d.N) {
				set.SetTo(i, rng.IntN(2) == 0)
			}
			d.Features = append(d.Features, dataset.Feature{Name: string(rune('a' + f)), Group: -1, Bits: set})
		}
		for i := range uint(d.N) {
			all := rng.IntN(10) > 0
			for f := range 4 {
				all = all && d.Features[f].Bits.Test(i)
			}
			d.Labels.SetTo(i, all)
		}
		if special >= 0 {
			d.ClassNames = []string{"p", "q", "r", "s"}
			for i := range uint(d.N) {
				class := uint16(special)
				if !d.Labels.Test(i) {
					class = uint16(special+1+rng.IntN(3)) % 4
				}
				d.ClassOf = append(d.ClassOf, class)
			}
			d.Labels = nil
		}
		s, err := Mine(context.Background(), d, Options{MaxCard: 4, Informative: true})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range s.Antecedents {
			if len(a.Literals) > 1 {
				names = append(names, a.Name)
			}
		}
		// With four classes, the others are about as frequent as each other, so that chance says
		// which is most elsewhere and what decides.
		want := []string{"a and b", "a and c", "a and d", "b and c", "b and d", "c and d",
			"a and b and c", "a and b and d", "a and c and d", "b and c and d", "a and b and c and d"}
		noise := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(want, n) })
		missing := len(want) + len(noise) - len(names)
		if !slices.Contains(names, want[len(want)-1]) || special < 0 && missing > 0 || len(noise) > 2 { // of 45 with noise in them
			t.Errorf("class %d: %q, want %q", special, names, want)
		}
	}
}
