package dataset

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"parcorels/ratio"
)

// Sample weights and class weights are decimals that people type. They are
// kept exactly: as the smallest integers with the same proportions.

// maxTotal is what a total weight stays below.
const maxTotal = 1 << 62

var errWeightRange = errors.New("the weights add up to 2^62 or more when they are made integers: round them to fewer digits")

// parseClassWeights reads "w0,w1"; nil of "" and "balanced".
func parseClassWeights(text string) (*[2]decimal, error) {
	if text == "" || text == "balanced" {
		return nil, nil
	}
	var w [2]decimal
	zero, one, ok := strings.Cut(text, ",")
	if !ok {
		return nil, fmt.Errorf("class weights are %s, expected balanced, or the weights of class 0 and class 1 as in 1,2.5", quote(text))
	}
	for c, t := range []string{zero, one} {
		var err error
		if w[c], err = parseWeight(clean(t)); err != nil {
			return nil, fmt.Errorf("class weights are %s: %s %w", quote(text), quote(clean(t)), err)
		}
	}
	return &w, nil
}

// weigh sets the weights of d: those of its samples, in units of 10^−places
// (nil: 1 each), times that of their class, all divided by what they have in
// common. Equal weights are no weights.
func weigh(d *Dataset, samples []int64, places int, classWeights string) error {
	d.WeightUnit = ratio.Ratio{Num: 1, Den: 1}
	totals, divisors, equal, err := classTotals(d, samples)
	if err != nil {
		return err
	}
	unit := new(big.Rat).SetInt(pow10(places))
	factors, err := classFactors(classWeights, totals)
	if err != nil {
		return err
	}
	if factors == nil && samples == nil {
		return nil
	}
	// A weight w of class c is a multiple of divisors[c], so it is enough to
	// make divisors[c]·factors[c] integers, without a divisor of both.
	multiples, unit := commonMultiples(divisors, factors, unit)
	total := new(big.Int)
	for c, m := range multiples {
		each := new(big.Int).Quo(big.NewInt(totals[c]), big.NewInt(max(divisors[c], 1)))
		total.Add(total, each.Mul(each, m))
	}
	switch {
	case total.Cmp(big.NewInt(maxTotal)) >= 0:
		return errWeightRange
	case equal && (divisors[0] == 0 || divisors[1] == 0 || multiples[0].Cmp(multiples[1]) == 0):
		return nil
	case !unit.Num().IsInt64() || !unit.Denom().IsInt64():
		return errWeightRange
	}
	d.WeightUnit = ratio.Ratio{Num: unit.Num().Int64(), Den: unit.Denom().Int64()}
	d.Weights = make([]int64, d.N)
	for i := range d.Weights {
		c := d.class(i)
		w := int64(1)
		if samples != nil {
			w = samples[i]
		}
		d.Weights[i] = w / divisors[c] * multiples[c].Int64()
	}
	return nil
}

func (d *Dataset) class(i int) int {
	if d.Labels.Test(uint(i)) {
		return 1
	}
	return 0
}

// classTotals returns the total weight and the greatest common divisor of each
// class, 0 for a class without samples, and whether the weights are equal
// within each class.
func classTotals(d *Dataset, samples []int64) (totals, divisors [2]int64, equal bool, err error) {
	equal = true
	var first [2]int64
	for i := range d.N {
		c, w := d.class(i), int64(1)
		if samples != nil {
			w = samples[i]
		}
		if first[c] == 0 {
			first[c] = w
		}
		equal = equal && w == first[c]
		divisors[c] = gcd(divisors[c], w)
		if totals[c] += w; totals[0]+totals[1] >= maxTotal {
			return totals, divisors, equal, errWeightRange
		}
	}
	return totals, divisors, equal, nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// classFactors returns what the weights of each class are multiplied by; nil
// if by nothing. Balanced classes weigh the same: half the total each.
func classFactors(text string, totals [2]int64) (*[2]*big.Rat, error) {
	given, err := parseClassWeights(text)
	switch {
	case err != nil || text == "":
		return nil, err
	case given != nil:
		return &[2]*big.Rat{given[0].rat(), given[1].rat()}, nil
	case totals[0] == 0 || totals[1] == 0:
		return nil, nil
	}
	half := big.NewRat(totals[0]+totals[1], 2)
	var factors [2]*big.Rat
	for c, t := range totals {
		factors[c] = new(big.Rat).Quo(half, new(big.Rat).SetInt64(t))
	}
	return &factors, nil
}

// commonMultiples returns the smallest integers in the proportion of
// divisors[c]·factors[c], and unit, of which the weights are multiples, in
// the new terms. A class without samples has divisor 0 and multiple 0.
func commonMultiples(divisors [2]int64, factors *[2]*big.Rat, unit *big.Rat) ([2]*big.Int, *big.Rat) {
	var terms [2]*big.Rat
	common := big.NewInt(1) // of all denominators
	for c, d := range divisors {
		terms[c] = new(big.Rat).SetInt64(d)
		if factors != nil {
			terms[c].Mul(terms[c], factors[c])
		}
		q := terms[c].Denom()
		g := new(big.Int).GCD(nil, nil, common, q)
		common = new(big.Int).Mul(common, new(big.Int).Quo(q, g))
	}
	var multiples [2]*big.Int
	divisor := new(big.Int)
	for c, t := range terms {
		t.Mul(t, new(big.Rat).SetInt(common))
		multiples[c] = new(big.Int).Set(t.Num())
		divisor.GCD(nil, nil, divisor, multiples[c])
	}
	for _, m := range multiples {
		m.Quo(m, divisor)
	}
	scale := new(big.Rat).SetFrac(common, divisor)
	return multiples, scale.Mul(scale, unit)
}
