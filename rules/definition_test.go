package rules

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"parcorels/dataset"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// randomData draws columns of one or several exclusive values, some nearly
// constant, some equal or opposite to an earlier one.
func randomData(rng *rand.Rand) *dataset.Dataset {
	d := &dataset.Dataset{Source: "random", N: 1 + rng.IntN(150)}
	for range d.N {
		d.ClassOf = append(d.ClassOf, uint16(max(0, rng.IntN(3)-1)))
	}
	for group := range 1 + rng.IntN(4) {
		values := 1 + rng.IntN(4)
		column := fmt.Sprintf("c%d", group)
		sets := make([]*bitset.BitSet, values)
		for v := range sets {
			sets[v] = bitset.New(uint(d.N))
		}
		skew := 1 + rng.IntN(30)
		for i := range uint(d.N) {
			if v := rng.IntN(values+skew) - skew; v >= 0 {
				sets[v].Set(i)
			} else if values > 1 {
				sets[0].Set(i)
			}
		}
		if len(d.Features) > 0 && rng.IntN(4) == 0 {
			sets = []*bitset.BitSet{d.Features[0].Bits.Clone()}
		}
		if len(sets) == 1 && rng.IntN(3) == 0 {
			sets[0] = sets[0].Complement()
		}
		for v, s := range sets {
			f := dataset.Feature{Name: fmt.Sprintf("%s = v%d", column, v), Column: column, Group: group, Bits: s}
			if len(sets) == 1 {
				f.Name, f.Group = column, -1
			}
			d.Features = append(d.Features, f)
		}
	}
	if rng.IntN(2) == 0 {
		d.Weights = make([]int64, d.N)
		for i := range d.Weights {
			d.Weights[i] = 1 + rng.Int64N(1<<rng.IntN(45))
		}
	}
	return d
}

func randomOptions(rng *rand.Rand) Options {
	supports := []ratio.Ratio{{}, ratio.New(0, 1), ratio.New(1, 10), ratio.New(1, 3), ratio.New(1, 2), ratio.New(3, 100)}
	return Options{Negations: rng.IntN(2) == 0, MaxCard: rng.IntN(5), MinSupport: supports[rng.IntN(len(supports))]}
}

// defined lists the antecedents by the definition: all conjunctions, the
// simplest of every captured set within the limits, in order.
func defined(d *dataset.Dataset, o Options) [][]Literal {
	card := o.MaxCard
	if card == 0 {
		card = 2
	}
	simplest := map[string][]Literal{}
	var visit func(literals []Literal, next int)
	visit = func(literals []Literal, next int) {
		if key, ok := definedKey(d, o, literals); ok {
			if old, there := simplest[key]; !there || definedSimpler(literals, old) {
				simplest[key] = slices.Clone(literals)
			}
		}
		for f := next; f < len(d.Features) && len(literals) < card; f++ {
			visit(append(literals, Literal{f, false}), f+1)
			if o.Negations {
				visit(append(literals, Literal{f, true}), f+1)
			}
		}
	}
	visit(nil, 0)
	var all [][]Literal
	for _, l := range simplest {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b []Literal) int {
		if definedSimpler(a, b) {
			return -1
		}
		return 1
	})
	return all
}

// definedKey returns the captured set as text and whether it is within the
// limits.
func definedKey(d *dataset.Dataset, o Options, literals []Literal) (string, bool) {
	key := make([]byte, d.N)
	var weight, total int64
	for i := range key {
		w := int64(1)
		if d.Weights != nil {
			w = d.Weights[i]
		}
		total += w
		key[i] = '1'
		for _, l := range literals {
			if d.Features[l.Feature].Bits.Test(uint(i)) == l.Negated {
				key[i] = '0'
			}
		}
		if key[i] == '1' {
			weight += w
		}
	}
	low := big.NewRat(1, 100)
	if o.MinSupport != (ratio.Ratio{}) {
		low = big.NewRat(o.MinSupport.Num, o.MinSupport.Den)
	}
	share := big.NewRat(weight, total)
	high := new(big.Rat).Sub(big.NewRat(1, 1), low)
	return string(key), weight > 0 && weight < total && share.Cmp(low) >= 0 && share.Cmp(high) <= 0
}

// definedSimpler: fewer literals, then fewer negations, then earlier features.
func definedSimpler(a, b []Literal) bool {
	text := func(l []Literal) string {
		negations, features := 0, ""
		for _, x := range l {
			if x.Negated {
				negations++
			}
			features += fmt.Sprintf(" %04d %v", x.Feature, x.Negated)
		}
		return fmt.Sprintf("%04d %04d%s", len(l), negations, features)
	}
	return text(a) < text(b)
}
