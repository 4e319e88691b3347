package weights

import (
	"math/big"
	"slices"

	"parcorels/ratio"
)

// Samples are samples with their classes and weights.
type Samples struct {
	N       int
	Classes int                  // how many there are
	Class   func(sample int) int // from 0
	Weights []int64              // nil: 1 each
}

func (s *Samples) weight(i int) int64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[i]
}

// Weighed are exact weights.
type Weighed struct {
	Weights []int64     // positive integers without a common divisor; nil: samples weigh the same
	Unit    ratio.Ratio // how many of these a weight of 1 is
	Rounded bool        // weights of balanced classes are rounded to RoundDigits digits behind the point
}

// Weigh returns the weights of samples, in units of 10^−places, times those of their classes: "", "balanced", or one for
// each class as ParseClasses reads them.
func Weigh(s *Samples, places int, classWeights string) (w Weighed, err error) {
	w.Unit = ratio.Ratio{Num: 1, Den: 1}
	totals, divisors, equal, err := s.totals()
	if err != nil {
		return w, err
	}
	unit := new(big.Rat).SetInt(pow10(places))
	factors, err := classFactors(classWeights, totals)
	if err != nil || factors == nil && s.Weights == nil {
		return w, err
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
		w.Rounded = true
	}
	switch {
	case total.Cmp(big.NewInt(MaxTotal)) >= 0:
		return w, ErrRange
	case equal && sameMultiples(divisors, multiples):
		return w, nil
	case !inUnits.Num().IsInt64() || !inUnits.Denom().IsInt64():
		return w, ErrRange
	}
	w.Unit = ratio.Ratio{Num: inUnits.Num().Int64(), Den: inUnits.Denom().Int64()}
	w.Weights = make([]int64, s.N)
	for i := range w.Weights {
		c := s.Class(i)
		w.Weights[i] = s.weight(i) / divisors[c] * multiples[c].Int64()
	}
	return w, nil
}

// Balanced weights of many classes have the product of the classes' sizes in their
// denominators. Where all weights add up to roundFrom, searches could not add up
// errors and prices exactly any more, so each class weighs a decimal instead.
const (
	roundFrom   = 1 << 40
	RoundDigits = 5
)

// round rounds a positive number to the nearest decimal that is not 0.
func round(r *big.Rat) {
	r.SetString(r.FloatString(RoundDigits))
	if r.Sign() == 0 {
		r.SetFrac(big.NewInt(1), pow10(RoundDigits))
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

// totals returns the total weight and the greatest common divisor of each
// class, 0 for a class without samples, and whether the weights are equal
// within each class.
func (s *Samples) totals() (totals, divisors []int64, equal bool, err error) {
	equal = true
	totals, divisors = make([]int64, s.Classes), make([]int64, s.Classes)
	first, sum := make([]int64, s.Classes), int64(0)
	for i := range s.N {
		c, w := s.Class(i), s.weight(i)
		if first[c] == 0 {
			first[c] = w
		}
		equal = equal && w == first[c]
		divisors[c] = ratio.GCD(divisors[c], w)
		totals[c] += w
		if sum += w; sum >= MaxTotal {
			return totals, divisors, equal, ErrRange
		}
	}
	return totals, divisors, equal, nil
}

// classFactors returns what the weights of each class are multiplied by; nil
// if by nothing. Balanced classes weigh the same: an equal share of the total.
func classFactors(text string, totals []int64) ([]*big.Rat, error) {
	given, err := ParseClasses(text, len(totals))
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
