package weights

import (
	"errors"
	"iter"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"parcorels/optionerr"
	"parcorels/ratio"
)

// Costs are what decisions cost in rows, as integers in units of 10^−places, so that sums are exact.
type Costs struct {
	Rounded bool // numbers had more digits than can be added exactly

	of     [][]int64 // by decision and row
	places int
}

// NewCosts takes the costs of k decisions in n rows.
func NewCosts(n, k int, cost func(decision, row int) Decimal) *Costs {
	most := int64(MostUnits)
	if k > 2 {
		most /= int64(k + 1) // what decisions save adds up to less than so many times the costs
	}
	c := &Costs{of: make([][]int64, k)}
	c.places, c.Rounded = Places(func(yield func(Decimal) bool) {
		for i := range n * k {
			if !yield(cost(i%k, i/k)) {
				return
			}
		}
	}, most)
	for q := range c.of {
		for row := range n {
			c.of[q] = append(c.of[q], cost(q, row).At(c.places))
		}
	}
	return c
}

// Unit is what costs are counted in, as a decimal.
func (c *Costs) Unit() string { return Rational(1, c.places).FloatString(max(0, c.places)) }

// Sums returns what each decision costs in all rows, and what the cheapest one of each row does.
func (c *Costs) Sums() (each []*big.Rat, least *big.Rat) {
	sum, cheapest := make([]int64, len(c.of)), int64(0)
	for row := range c.of[0] {
		_, low, _ := c.at(row)
		for q, of := range c.of {
			sum[q] += of[row]
		}
		cheapest += low
	}
	for _, x := range sum {
		each = append(each, Rational(x, c.places))
	}
	return each, Rational(cheapest, c.places)
}

// at returns the cheapest decision of a row, the first of these, what it costs and what the dearest one does.
func (c *Costs) at(row int) (cheapest int, low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for q, of := range c.of {
		if high = max(high, of[row]); of[row] < low {
			cheapest, low = q, of[row]
		}
	}
	return cheapest, low, high
}

// Cheapest returns the cheapest decision of each row, and how much more the dearest one costs.
func (c *Costs) Cheapest() (decisions []uint32, more []Decimal) {
	differences := make([]int64, len(c.of[0]))
	for row := range differences {
		q, low, high := c.at(row)
		decisions, differences[row] = append(decisions, uint32(q)), high-low
	}
	return decisions, units(differences, c.places)
}

// Within returns the costs of some rows alone, nil of nil.
func (c *Costs) Within(rows []int) *Costs {
	if c == nil {
		return nil
	}
	part := &Costs{c.Rounded, make([][]int64, len(c.of)), c.places}
	for _, row := range rows {
		for q, of := range c.of {
			part.of[q] = append(part.of[q], of[row])
		}
	}
	return part
}

// Gains returns what each decision saves beside the dearest one, by decision and row, in the smallest integers, with their sums
// by row and how many of these a cost of 1 is. Where that takes too many digits, it is 1, and each is what one of them costs.
func (c *Costs) Gains() (gains [][]int64, sums []int64, unit ratio.Ratio, each *big.Rat) {
	gains, sums = make([][]int64, len(c.of)), make([]int64, len(c.of[0]))
	divisor := int64(0)
	for row := range sums {
		_, _, high := c.at(row)
		for q, of := range c.of {
			g := high - of[row]
			gains[q], sums[row], divisor = append(gains[q], g), sums[row]+g, ratio.GCD(divisor, g)
		}
	}
	for _, list := range append(slices.Clone(gains), sums) {
		for i := range list {
			list[i] /= divisor
		}
	}
	each = Rational(divisor, c.places)
	if unit, ok := ratio.FromRat(each); ok {
		return gains, sums, ratio.Ratio{Num: unit.Den, Den: unit.Num}, nil
	}
	return gains, sums, ratio.New(1, 1), each
}

// AskDecision is the name of the decision that costs the same everywhere.
const AskDecision = "ask"

// Outcomes are costs of predictions, by the label of a row and then by what is predicted.
type Outcomes [][]Decimal

// ParseOutcomes reads the costs of predictions for rows of each of so many labels, "c00,c01,c10,c11", or as many as there are
// for more labels (0: told by their number), with that of AskDecision behind those of each label unless it is "". Without a matrix
// an error costs 1. A right prediction must be the cheapest one.
func ParseOutcomes(matrix, ask string, labels int) (costs Outcomes, err error) {
	field, given, texts, n := "CostMatrix", matrix, strings.Split(matrix, ","), max(labels, 2)
	switch {
	case matrix == "":
		field, given, texts = "AskCost", ask, nil
		for i := range n * n {
			texts = append(texts, strconv.Itoa(min(1, i%(n+1))))
		}
	case labels == 0:
		n = max(2, int(math.Sqrt(float64(len(texts)))))
	}
	if len(texts) != n*n {
		return nil, optionerr.Bad(field, strconv.Quote(given), "%d decimals, for %d classes", n*n, n)
	}
	for class := range n {
		row, own := texts[class*n:class*n+n:class*n+n], []Decimal(nil)
		if ask != "" {
			row = append(row, ask)
		}
		for _, text := range row {
			cost, err := ParseCost(strings.TrimSpace(text))
			if err != nil {
				return nil, optionerr.Errorf(field, "option %s is %q: %q %v", field, given, text, err)
			}
			own = append(own, cost)
		}
		for q := range own {
			if q != class && own[q].Rat().Cmp(own[class].Rat()) <= 0 {
				return nil, optionerr.Errorf(field, "option %s is %s: a right prediction must cost less than a wrong one", field,
					strconv.Quote(given))
			}
		}
		costs = append(costs, own)
	}
	return costs, nil
}

// Rats returns all costs, those of the first label first.
func (o Outcomes) Rats() (list []*big.Rat) {
	for _, costs := range o {
		for q := range costs {
			list = append(list, costs[q].Rat())
		}
	}
	return list
}

// More returns what the wrong prediction of two costs more than the right one, by label.
func (o Outcomes) More() []*big.Rat {
	c := o.Rats()
	return []*big.Rat{c[1].Sub(c[1], c[0]), c[2].Sub(c[2], c[3])}
}

// Sums returns what each prediction costs for so many rows of each label, and what the right ones do.
func (o Outcomes) Sums(rows []*big.Rat) (each []*big.Rat, least *big.Rat) {
	least = new(big.Rat)
	for class, costs := range o {
		for q := range costs {
			if class == 0 {
				each = append(each, new(big.Rat))
			}
			cost := costs[q].Rat()
			if each[q].Add(each[q], cost.Mul(cost, rows[class])); q == class {
				least.Add(least, cost)
			}
		}
	}
	return each, least
}

var (
	errNotDecimal  = errors.New("is not a positive decimal number such as 2 or 0.75")
	errNotCost     = errors.New("is not a decimal number such as 2, 0 or -0.75")
	errFarFrom1    = errors.New("is too large, or has more than 30 decimal places")
	ErrNotPositive = errors.New("is not positive")
)

// Decimal is the number digits·10^−places.
type Decimal struct {
	digits int64
	places int16
}

// mostDigits is how many digits of a number are read: one with more is rounded.
const mostDigits = 18

// mostPlaces is how many decimal places a cost may have, as models write no more; and how many zeros behind its first 18 digits.
const mostPlaces = 30

// Parse reads a positive decimal such as 2, 0.75 or 1.5e-3, rounded to 18 digits.
func Parse(text string) (Decimal, error) {
	switch d, ok := parse(text); {
	case !ok:
		return d, errNotDecimal
	case d.digits <= 0:
		return d, ErrNotPositive
	default:
		return d, nil
	}
}

// ParseCost reads a decimal such as 2, 0, -0.75 or 1.5e-3, rounded to 18 digits, of at most 30 places.
func ParseCost(text string) (Decimal, error) {
	switch d, ok := parse(text); {
	case !ok:
		return d, errNotCost
	case max(d.places, -d.places) > mostPlaces:
		return d, errFarFrom1
	default:
		return d, nil
	}
}

// parse reads a decimal, rounded to 18 digits.
func parse(text string) (w Decimal, ok bool) {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	places := 0
	if hasExponent {
		e, err := strconv.Atoi(exponent)
		if places = -e; err != nil || len(strings.TrimLeft(exponent, "+-")) > 3 {
			return w, false
		}
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	if !negative {
		mantissa = strings.TrimPrefix(mantissa, "+")
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	if whole+part == "" || strings.Trim(whole+part, "0123456789") != "" || len(text) > 1000 {
		return w, false
	}
	digits := strings.TrimLeft(whole+part, "0")
	if places += len(part); digits == "" {
		return w, true
	}
	up := int64(0)
	if extra := len(digits) - mostDigits; extra > 0 {
		if digits[mostDigits] >= '5' {
			up = 1
		}
		digits, places = digits[:mostDigits], places-extra
	}
	for _, c := range digits {
		w.digits = 10*w.digits + int64(c-'0')
	}
	w.digits += up
	for places > 0 && w.digits%10 == 0 {
		w.digits, places = w.digits/10, places-1
	}
	for places < 0 && w.digits < MaxTotal/10 {
		w.digits, places = w.digits*10, places+1
	}
	if w.places = int16(places); negative {
		w.digits = -w.digits
	}
	return w, true
}

// total adds up decimals, those of equal places first.
func total(decimals iter.Seq[Decimal]) *big.Rat {
	sums := map[int16]*big.Int{}
	for d := range decimals {
		if sums[d.places] == nil {
			sums[d.places] = new(big.Int)
		}
		sums[d.places].Add(sums[d.places], big.NewInt(d.digits))
	}
	all := new(big.Rat)
	for places, sum := range sums {
		all.Add(all, rational(sum, int(places)))
	}
	return all
}

// Rat is the decimal as a rational number.
func (d Decimal) Rat() *big.Rat { return rational(big.NewInt(d.digits), int(d.places)) }

// rational is digits·10^−places.
func rational(digits *big.Int, places int) *big.Rat {
	if places < 0 {
		return new(big.Rat).SetInt(digits.Mul(digits, pow10(-places)))
	}
	return new(big.Rat).SetFrac(digits, pow10(places))
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// At returns the number in units of 10^−places, rounded, halves away from zero.
func (d Decimal) At(places int) int64 {
	n, less := d.digits, int(d.places)-places
	for ; less < 0; less++ {
		n *= 10
	}
	if less > mostDigits {
		return 0
	}
	unit := pow10(max(less, 0)).Int64()
	return n/unit + (n%unit)/((unit+1)/2)
}

// Places returns in which units of 10^−places numbers add up, without signs, to less than most: as many places as the
// numbers have at most, or fewer, and then some of them are rounded.
func Places(numbers iter.Seq[Decimal], most int64) (places int, rounded bool) {
	asked := math.MinInt // below 0 for numbers that end in zeros, which fewer places leave as they are
	all := total(func(yield func(Decimal) bool) {
		for d := range numbers {
			if d.digits != 0 {
				asked = max(asked, int(d.places))
				yield(Decimal{max(d.digits, -d.digits), d.places})
			}
		}
	})
	limit := new(big.Rat).SetInt64(most / 2) // rounding adds half a unit to each at most
	for places = max(asked, 0); new(big.Rat).Mul(all, rational(big.NewInt(1), -places)).Cmp(limit) >= 0; places-- {
	}
	return places, places < asked
}

// Rational returns n units of 10^−places.
func Rational(n int64, places int) *big.Rat { return rational(big.NewInt(n), places) }

// Zero reports whether the number is 0, as a missing weight is.
func (d Decimal) Zero() bool { return d.digits == 0 }

// Whole returns whole numbers as decimals.
func Whole(numbers []int64) []Decimal { return units(numbers, 0) }

// units returns numbers in units of 10^−places as decimals.
func units(numbers []int64, places int) []Decimal {
	list := make([]Decimal, len(numbers))
	for i, n := range numbers {
		list[i] = Decimal{n, int16(places)}
	}
	return list
}

// integers returns weights as integers, in units of 10^−places; false if they are too many or too large to be added.
func integers(of []Decimal) (weights []int64, places int, ok bool) {
	places, weights = math.MinInt16, make([]int64, len(of))
	for _, w := range of {
		places = max(places, int(w.places))
	}
	total := int64(0)
	for i, d := range of {
		w := d.digits
		for range places - int(d.places) {
			if w >= MaxTotal/10 {
				return nil, 0, false
			}
			w *= 10
		}
		if total += w; places < 0 || total >= MaxTotal {
			return nil, 0, false
		}
		weights[i] = w
	}
	return weights, places, true
}

// mostRows is what the rows that samples stand for stay below.
const mostRows = min(1<<40, math.MaxInt)

// Counts returns how many rows each row stands for: its weight, where all weights are whole numbers, as of rows that are
// given once with their number. It is nil where they are not, or there are too many; a missing weight is 0 rows.
func Counts(weights []Decimal) (counts []int64) {
	total := int64(0)
	for _, w := range weights {
		if total += min(w.digits, mostRows); w.places > 0 || total >= mostRows {
			return nil
		}
		counts = append(counts, w.digits)
	}
	return counts
}

// Sample weights and class weights are decimals. They are kept exactly, as the smallest integers with the same
// proportions, unless these have too many digits.

// MaxTotal is what a total weight stays below.
const MaxTotal = 1 << 62
