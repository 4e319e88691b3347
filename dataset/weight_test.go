package dataset

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// weighted is a table of weights and labels, one pair a row.
func weighted(weights []string, labels []int) string {
	var b strings.Builder
	b.WriteString("x,w,label\n")
	for i, w := range weights {
		fmt.Fprintf(&b, "%d,%s,%d\n", i%2, w, labels[i])
	}
	return b.String()
}

// TestWeightsAreExact checks random weights: the integers, divided by their
// unit, are the user's weights times their class's, as rational numbers.
func TestWeightsAreExact(t *testing.T) {
	for seed := range seeds(400) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 1 + rng.IntN(30)
		weights, labels := make([]string, n), make([]int, n)
		var totals [2]big.Rat
		for i := range n {
			digits := fmt.Sprint(1 + rng.IntN(1<<rng.IntN(10)))
			weights[i] = digits
			if rng.IntN(2) == 0 {
				weights[i] += "." + fmt.Sprint(rng.IntN(10))
			}
			if rng.IntN(6) == 0 {
				weights[i] += fmt.Sprintf("e%d", rng.IntN(3)-1)
			}
			labels[i] = rng.IntN(2)
			totals[labels[i]].Add(&totals[labels[i]], rat(t, weights[i]))
		}
		o := Options{Weight: "w", ClassWeights: []string{"", "balanced", "0.3,2", "1,1"}[rng.IntN(4)]}
		class := [2]*big.Rat{big.NewRat(1, 1), big.NewRat(1, 1)}
		switch {
		case o.ClassWeights == "0.3,2":
			class = [2]*big.Rat{big.NewRat(3, 10), big.NewRat(2, 1)}
		case o.ClassWeights == "balanced" && totals[0].Sign() > 0 && totals[1].Sign() > 0:
			all := new(big.Rat).Add(&totals[0], &totals[1])
			for c := range class {
				class[c] = new(big.Rat).Quo(all, new(big.Rat).Mul(big.NewRat(2, 1), &totals[c]))
			}
		}
		d := read(t, weighted(weights, labels), o)
		unit := big.NewRat(d.WeightUnit.Num, d.WeightUnit.Den)
		var first *big.Rat
		for i, w := range weights {
			want := new(big.Rat).Mul(rat(t, w), class[labels[i]])
			if d.Weights == nil { // all weights are equal
				if first == nil {
					first = want
				}
				if want.Cmp(first) != 0 {
					t.Fatalf("seed %d: no weights, but weight %d is %v and the first %v", seed, i, want, first)
				}
				continue
			}
			got := new(big.Rat).Quo(new(big.Rat).SetInt64(d.Weights[i]), unit)
			if got.Cmp(want) != 0 {
				t.Fatalf("seed %d: weight %d is %v, want %v", seed, i, got, want)
			}
		}
	}
}

func rat(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}

// checkError checks that an error is one printable line with the wanted text.
func checkError(t *testing.T, what string, err error, want string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%s: no error, want %s", what, want)
	case !strings.Contains(err.Error(), want):
		t.Errorf("%s: %v; want %s", what, err, want)
	case strings.ContainsAny(err.Error(), "\n\r\x00\x1b") || len(err.Error()) > 1000:
		t.Errorf("%s: the error is not one short line: %q", what, err)
	}
}
