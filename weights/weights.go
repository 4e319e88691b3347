// Package weights makes exact integers of the weights that people type. [Weigh] is where to begin: it takes weights of
// samples and of classes together, and gives the smallest integers in the same proportions.
package weights

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"parcorels/optionerr"
	"parcorels/ratio"
)

// Samples are samples with their classes and weights.
type Samples struct {
	N       int
	Classes int                  // how many there are
	Class   func(sample int) int // from 0
	Weights []Decimal            // nil: 1 each
	Amounts bool                 // they are no numbers of rows, even where all are whole
}

// Weighed are exact weights.
type Weighed struct {
	// Weights are positive integers, without a common divisor unless they are numbers of rows; nil: samples weigh the same,
	// and are one row each.
	Weights []int64
	Unit    ratio.Ratio // how many of these a weight of 1 is
	// Rows are what a row of each class weighs beside a row of another, in the smallest integers: what the weights of
	// samples were if each of them stood for itself alone; nil: the same.
	Rows []int64
	// Multiple is the power of ten that weights, or those of classes, are rounded to multiples of; "" where they are exact.
	Multiple string
}

// Digits says how large the integers may be: Fine for searches that add up errors and prices, Coarse for those that
// multiply weights by much, and Counted for those with a table by the number of samples. Larger weights are rounded to
// multiples of the least power of ten that makes them small enough; numbers of rows stay as they are.
type Digits int

const (
	Fine Digits = iota
	Coarse
	Counted
)

// limits are what the sums of weights stay below: of exact ones and of rounded ones. 64 times the square of 2^27 is 2^60,
// the largest objective that searches take: a path meets prices whose denominator is the total weight times a difference in
// numbers of rules, here of 64 at most.
var limits = [...]struct{ exact, rounded int64 }{Fine: {MostUnits, 1 << 27}, Coarse: {1 << 16, 1 << 27}, Counted: {1 << 22, 1 << 22}}

// MostUnits is what exact weights or costs stay below together.
const MostUnits = 1 << 40

// Weigh returns the weights of samples times those of their classes: "", "balanced", or one for each class as
// ParseClasses reads them.
func Weigh(s *Samples, classWeights string, digits Digits) (w Weighed, err error) {
	w.Unit = ratio.New(1, 1)
	h := &weighing{s: s, digits: digits, totals: make([]*big.Rat, s.Classes), unit: big.NewRat(1, 1)}
	if !s.Amounts {
		h.counts = Counts(s.Weights)
	}
	exact := h.add()
	if h.factors, err = classFactors(classWeights, h.totals); err != nil || h.factors == nil && s.Weights == nil {
		return w, err
	}
	if !exact || (h.factors != nil || h.counts == nil) && !h.small() {
		w.Multiple = h.round()
	}
	each, _ := commonMultiples(h.present(), h.factors, big.NewRat(1, 1))
	divisors, equal := h.divisors()
	if h.counts != nil {
		divisors = h.present() // a row weighs what it does if it is given alone
	}
	// A weight w of class c is a multiple of divisors[c], so it is enough to
	// make divisors[c]·factors[c] integers, without a divisor of both.
	multiples, inUnits := commonMultiples(divisors, h.factors, h.unit)
	if !same(each) {
		w.Rows = make([]int64, len(each))
		for c, m := range each {
			w.Rows[c] = m.Int64()
		}
	}
	switch {
	case equal && same(multiples) && (h.counts == nil || slices.Max(h.counts) == 1): // no sample stands for several rows
		return w, nil
	case w.Rows == nil && h.counts != nil: // classes weigh alike, and so do rows if each is given alone
	default:
		if unit, ok := ratio.FromRat(inUnits); ok { // nobody reads weights so far from 1
			w.Unit = unit
		}
	}
	w.Weights = make([]int64, s.N)
	for i := range w.Weights {
		c := s.Class(i)
		w.Weights[i] = h.weight(i) / divisors[c] * multiples[c].Int64()
	}
	return w, nil
}

// weighing is what Weigh knows.
type weighing struct {
	s        *Samples
	digits   Digits
	counts   []int64    // rows that each stands for; nil: weights are no numbers of rows
	totals   []*big.Rat // of the weights of each class, as they are given
	integers []int64    // the weights; nil: 1 each
	unit     *big.Rat   // how many of these a weight of 1 is
	factors  []*big.Rat // of classes; nil: 1 each
}

func (h *weighing) weight(i int) int64 {
	if h.integers == nil {
		return 1
	}
	return h.integers[i]
}

// add adds up the weights of the classes. It returns false where they are no integers that could be added.
func (h *weighing) add() (exact bool) {
	exact, places := true, 0
	if h.s.Weights != nil {
		h.integers, places, exact = integers(h.s.Weights)
		h.unit.SetInt(pow10(places))
	}
	if exact {
		sums := make([]int64, h.s.Classes)
		for i := range h.s.N {
			sums[h.s.Class(i)] += h.weight(i)
		}
		for c, sum := range sums {
			h.totals[c] = rational(big.NewInt(sum), places)
		}
		return true
	}
	for c := range h.totals {
		h.totals[c] = total(func(yield func(Decimal) bool) {
			for i, w := range h.s.Weights {
				if h.s.Class(i) == c {
					yield(w)
				}
			}
		})
	}
	return false
}

// total is what all samples weigh, in the terms of people.
func (h *weighing) total() *big.Rat {
	if h.factors == nil {
		return ratio.Sum(h.totals...)
	}
	all := new(big.Rat)
	for c, t := range h.totals {
		all.Add(all, ratio.Product(t, h.factors[c]))
	}
	return all
}

// small reports whether the smallest integers in proportion add up to less than the limit.
func (h *weighing) small() bool {
	divisors, _ := h.divisors()
	_, inUnits := commonMultiples(divisors, h.factors, h.unit)
	if h.digits == Counted { // the table has an entry for each part of a sample
		inUnits.SetInt(inUnits.Num())
	}
	all := h.total()
	return all.Mul(all, inUnits).Cmp(big.NewRat(limits[h.digits].exact, 1)) < 0
}

// round rounds the weights of classes where those of samples are numbers of rows, and otherwise the weights times those of
// their classes, to multiples of what it returns; then classes have no factors any more.
func (h *weighing) round() (multiple string) {
	limit, ten := big.NewRat(limits[h.digits].rounded, 1), big.NewRat(10, 1)
	places, all := 0, h.total()
	for ; all.Cmp(limit) >= 0; places-- {
		all.Quo(all, ten)
	}
	for all.Mul(all, ten).Cmp(limit) < 0 {
		places++
	}
	scale := rational(big.NewInt(1), -places)
	if places < 0 {
		multiple = pow10(-places).String()
	} else {
		multiple = rational(big.NewInt(1), places).FloatString(places)
	}
	if h.s.Weights == nil || h.counts != nil {
		for c, f := range h.factors {
			h.factors[c] = ratio.Over(new(big.Rat).SetInt(nearest(f, scale)), scale)
		}
		return multiple
	}
	h.integers, h.unit = make([]int64, h.s.N), scale
	for i := range h.integers {
		w := h.s.Weights[i].Rat()
		if h.factors != nil {
			w.Mul(w, h.factors[h.s.Class(i)])
		}
		h.integers[i] = nearest(w, scale).Int64()
	}
	h.factors = nil
	return multiple
}

// nearest is x·scale rounded, halves up, and at least 1.
func nearest(x, scale *big.Rat) *big.Int {
	n := ratio.Floor(ratio.Sum(ratio.Product(x, scale), big.NewRat(1, 2)))
	if n.Sign() == 0 {
		n.SetInt64(1)
	}
	return n
}

// present is 1 for each class that occurs.
func (h *weighing) present() []int64 {
	is := make([]int64, len(h.totals))
	for c, t := range h.totals {
		is[c] = int64(t.Sign())
	}
	return is
}

// same reports whether all classes that occur have the same multiple: as multiples have no divisor in common, it is 1.
func same(multiples []*big.Int) bool {
	return !slices.ContainsFunc(multiples, func(m *big.Int) bool { return m.Cmp(big.NewInt(1)) > 0 })
}

// divisors returns the greatest common divisor of each class, 0 for a class without samples, and whether the weights are
// equal within each class.
func (h *weighing) divisors() (divisors []int64, equal bool) {
	equal = true
	divisors, first := make([]int64, h.s.Classes), make([]int64, h.s.Classes)
	for i := range h.s.N {
		c, w := h.s.Class(i), h.weight(i)
		if first[c] == 0 {
			first[c] = w
		}
		equal = equal && w == first[c]
		divisors[c] = ratio.GCD(divisors[c], w)
	}
	return divisors, equal
}

// commonMultiples returns the smallest integers in the proportion of
// divisors[c]·factors[c], and unit, of which the weights are multiples, in
// the new terms. A class without samples has divisor 0 and multiple 0.
func commonMultiples(divisors []int64, factors []*big.Rat, unit *big.Rat) ([]*big.Int, *big.Rat) {
	terms, divisor := make([]*big.Rat, len(divisors)), new(big.Rat) // of all terms
	for c, d := range divisors {
		terms[c] = new(big.Rat).SetInt64(d)
		if factors != nil {
			terms[c].Mul(terms[c], factors[c])
		}
		x, y := new(big.Int).Mul(divisor.Num(), terms[c].Denom()), new(big.Int).Mul(terms[c].Num(), divisor.Denom())
		divisor.SetFrac(x.GCD(nil, nil, x, y), y.Mul(divisor.Denom(), terms[c].Denom()))
	}
	multiples := make([]*big.Int, len(terms))
	for c, t := range terms {
		multiples[c] = t.Quo(t, divisor).Num()
	}
	return multiples, divisor.Quo(unit, divisor)
}

// Weights of classes, given or made of what the classes weigh.

// ParseClasses reads "w0,w1", or as many weights as there are classes; nil
// of "" and "balanced".
func ParseClasses(text string, classes int) ([]Decimal, error) {
	if text == "" || text == "balanced" {
		return nil, nil
	}
	texts := strings.SplitN(text, ",", classes)
	if len(texts) != classes {
		each := "the weights of class 0 and class 1 as in 1,2.5"
		if classes != 2 {
			each = fmt.Sprintf("the weights of the %d classes, separated by commas", classes)
		}
		return nil, optionerr.Errorf("ClassWeights", "class weights are %s, expected balanced, or %s", strconv.Quote(text), each)
	}
	w := make([]Decimal, classes)
	for c, t := range texts {
		var err error
		if w[c], err = Parse(strings.TrimSpace(t)); err != nil {
			return nil, optionerr.Errorf("ClassWeights", "class weights are %s: %s %v", strconv.Quote(text),
				strconv.Quote(strings.TrimSpace(t)), err)
		}
	}
	return w, nil
}

// classFactors returns what the weights of each class are multiplied by; nil if by nothing.
func classFactors(text string, totals []*big.Rat) ([]*big.Rat, error) {
	given, err := ParseClasses(text, len(totals))
	switch {
	case err != nil || text == "":
		return nil, err
	case given == nil:
		return balancedFactors(totals), nil
	}
	factors := make([]*big.Rat, len(totals))
	for c := range totals {
		factors[c] = given[c].Rat()
	}
	return factors, nil
}

// balancedFactors makes all classes weigh the same, an equal share of the total; nil where one weighs nothing.
func balancedFactors(totals []*big.Rat) []*big.Rat {
	if slices.ContainsFunc(totals, func(t *big.Rat) bool { return t.Sign() == 0 }) {
		return nil
	}
	share, factors := ratio.Over(ratio.Sum(totals...), ratio.Int(int64(len(totals)))), make([]*big.Rat, len(totals))
	for c, t := range totals {
		factors[c] = ratio.Over(share, t)
	}
	return factors
}
