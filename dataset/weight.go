package dataset

import (
	"math/big"
	"slices"

	"parcorels/ratio"
)

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
	multiples, inUnits := commonMultiples(divisors, factors, unit)
	total := weightOfAll(totals, divisors, multiples)
	if classWeights == "balanced" && total.Cmp(big.NewInt(roundFrom)) >= 0 {
		for _, f := range factors {
			round(f)
		}
		multiples, inUnits = commonMultiples(divisors, factors, unit)
		total = weightOfAll(totals, divisors, multiples)
		d.note("the weights of balanced classes are rounded to %d digits behind the point", roundDigits)
	}
	unit = inUnits
	switch {
	case total.Cmp(big.NewInt(maxTotal)) >= 0:
		return errWeightRange
	case equal && sameMultiples(divisors, multiples):
		return nil
	case !unit.Num().IsInt64() || !unit.Denom().IsInt64():
		return errWeightRange
	}
	d.WeightUnit = ratio.Ratio{Num: unit.Num().Int64(), Den: unit.Denom().Int64()}
	d.Weights = make([]int64, d.N)
	for i := range d.Weights {
		c := d.Class(i)
		w := int64(1)
		if samples != nil {
			w = samples[i]
		}
		d.Weights[i] = w / divisors[c] * multiples[c].Int64()
	}
	return nil
}

// Balanced weights of many classes have the product of the classes' sizes in their
// denominators. Where all weights add up to roundFrom, searches could not add up
// errors and prices exactly any more, so each class weighs a decimal instead.
const (
	roundFrom   = 1 << 40
	roundDigits = 5
)

// round rounds a positive number to the nearest decimal that is not 0.
func round(r *big.Rat) {
	r.SetString(r.FloatString(roundDigits))
	if r.Sign() == 0 {
		r.SetFrac(big.NewInt(1), pow10(roundDigits))
	}
}

// weightOfAll is what all samples weigh together, in the new terms.
func weightOfAll(totals, divisors []int64, multiples []*big.Int) *big.Int {
	total := new(big.Int)
	for c, m := range multiples {
		each := new(big.Int).Quo(big.NewInt(totals[c]), big.NewInt(max(divisors[c], 1)))
		total.Add(total, each.Mul(each, m))
	}
	return total
}

// sameMultiples reports whether all classes that occur have the same multiple.
func sameMultiples(divisors []int64, multiples []*big.Int) bool {
	first := multiples[slices.IndexFunc(divisors, func(d int64) bool { return d > 0 })]
	for c, m := range multiples {
		if divisors[c] > 0 && m.Cmp(first) != 0 {
			return false
		}
	}
	return true
}

// classTotals returns the total weight and the greatest common divisor of each
// class, 0 for a class without samples, and whether the weights are equal
// within each class.
func classTotals(d *Dataset, samples []int64) (totals, divisors []int64, equal bool, err error) {
	equal = true
	k := d.ClassCount()
	totals, divisors = make([]int64, k), make([]int64, k)
	first, sum := make([]int64, k), int64(0)
	for i := range d.N {
		c, w := d.Class(i), int64(1)
		if samples != nil {
			w = samples[i]
		}
		if first[c] == 0 {
			first[c] = w
		}
		equal = equal && w == first[c]
		divisors[c] = ratio.GCD(divisors[c], w)
		totals[c] += w
		if sum += w; sum >= maxTotal {
			return totals, divisors, equal, errWeightRange
		}
	}
	return totals, divisors, equal, nil
}

// classFactors returns what the weights of each class are multiplied by; nil
// if by nothing. Balanced classes weigh the same: an equal share of the total.
func classFactors(text string, totals []int64) ([]*big.Rat, error) {
	given, err := parseClassWeights(text, len(totals))
	switch {
	case err != nil || text == "":
		return nil, err
	case given == nil && slices.Contains(totals, 0):
		return nil, nil
	}
	sum := int64(0)
	for _, t := range totals {
		sum += t
	}
	factors := make([]*big.Rat, len(totals))
	for c, t := range totals {
		if given != nil {
			factors[c] = given[c].rat()
			continue
		}
		factors[c] = big.NewRat(sum, int64(len(totals)))
		factors[c].Quo(factors[c], new(big.Rat).SetInt64(t))
	}
	return factors, nil
}

// commonMultiples returns the smallest integers in the proportion of
// divisors[c]·factors[c], and unit, of which the weights are multiples, in
// the new terms. A class without samples has divisor 0 and multiple 0.
func commonMultiples(divisors []int64, factors []*big.Rat, unit *big.Rat) ([]*big.Int, *big.Rat) {
	terms := make([]*big.Rat, len(divisors))
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
	multiples := make([]*big.Int, len(terms))
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
