package dataset

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
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

func TestWeights(t *testing.T) {
	for _, c := range []struct {
		weights, class string
		labels         []int
		want           []int64
		unit           string
	}{
		{"1 1 1", "", []int{0, 1, 1}, nil, "1"},
		{"2.50 2.5 25e-1", "", []int{0, 1, 1}, nil, "1"},
		{"2 4 6", "", []int{0, 1, 1}, []int64{2, 4, 6}, "1"},
		{"0.1 0.25 3", "", []int{0, 1, 1}, []int64{2, 5, 60}, "20"},
		{"1e3 1 1", "", []int{0, 1, 1}, []int64{1000, 1, 1}, "1"},
		{"+.5 1. 001.0", "", []int{0, 1, 1}, []int64{1, 2, 2}, "2"},
		{"1 1 1", "1,2.5", []int{0, 1, 1}, []int64{2, 5, 5}, "2"},
		{"1 2 3", "0.5,0.5", []int{0, 1, 1}, []int64{1, 2, 3}, "1"},
		{"1 1 1 1", "balanced", []int{0, 1, 1, 1}, []int64{3, 1, 1, 1}, "1.5"},
		{"1 1 1 1", "balanced", []int{0, 1, 1, 0}, nil, "1"},
		{"3 1 1 1", "balanced", []int{0, 1, 1, 1}, []int64{3, 1, 1, 1}, "1"},
		{"2 1 1 1", "balanced", []int{0, 1, 1, 1}, []int64{6, 2, 2, 2}, "2.4"},
		{"1 2 3", "balanced", []int{1, 1, 1}, []int64{1, 2, 3}, "1"},
		{"1 2 3", "7,1", []int{1, 1, 1}, []int64{1, 2, 3}, "1"},
		{"0.00000001 1 1", "", []int{0, 1, 1}, []int64{1, 1e8, 1e8}, "100000000"},
		{"3000000000000 3000000000000 9000000000000", "", []int{0, 1, 1}, []int64{1, 1, 3}, "1/3000000000000"},
		// These have too many digits: they are rounded, or their classes' weights where they are numbers of rows.
		{"0.000000000000000001 1 1", "", []int{0, 1, 1}, []int64{1, 1e7, 1e7}, "10000000"},
		{"0.3333333333333333 0.6666666666666666 1e-300", "", []int{0, 1, 1}, []int64{33333333, 66666667, 1}, "100000000"},
		{"1e30 1.234567890123456789 5e29", "", []int{0, 1, 1}, []int64{10000000, 1, 5000000}, "1"},
		{"1 1 1", "0.8333333333333334,1.25", []int{0, 1, 1}, []int64{8333333, 12500000, 12500000}, "10000000"},
		{"4 1 1", "0.8333333333333334,1.25", []int{0, 1, 1}, []int64{33333332, 12500000, 12500000}, "10000000"},
	} {
		d := read(t, weighted(strings.Fields(c.weights), c.labels), Options{Weight: "w", ClassWeights: c.class})
		if !slices.Equal(d.Weights, c.want) || d.WeightUnit.String() != c.unit {
			t.Errorf("%s, class weights %q: %v in units of %s, want %v, %s", c.weights, c.class, d.Weights, d.WeightUnit, c.want, c.unit)
		}
	}
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

func TestBadWeights(t *testing.T) {
	for _, c := range []struct{ weight, class, want string }{
		{"0", "", `t.csv:3: weight "0" in column "w" is not positive: leave such rows out`},
		{"-1.5", "", `t.csv:3: weight "-1.5" in column "w" is not positive`},
		{"-0", "", "is not positive"},
		{"", "", "is missing"},
		{"?", "", "is missing"},
		{"heavy", "", "is not a positive decimal"},
		{"-+1", "", "is not a positive decimal"},
		{"1/3", "", "is not a positive decimal"},
		{"1.2.3", "", "is not a positive decimal"},
		{"inf", "", "is not a positive decimal"},
		{"0x10", "", "is not a positive decimal"},
		{"1e", "", "is not a positive decimal"},
		{"1e9999", "", "is not a positive decimal"},
		{".", "", "is not a positive decimal"},
		{"1", "1", `class weights are "1", expected balanced`},
		{"1", "1,2,3", `"2,3" is not a positive decimal`},
		{"1", "0,1", `"0" is not positive`},
		{"1", "even", "expected balanced"},
	} {
		text := "x,w,label\n0,1,0\n1," + c.weight + ",1\n0,2,1\n"
		_, err := ReadFrom(strings.NewReader(text), "t.csv", Options{Weight: "w", ClassWeights: c.class})
		checkError(t, "weight "+c.weight+" "+c.class, err, c.want)
	}
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
