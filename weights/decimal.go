package weights

import (
	"errors"
	"iter"
	"math"
	"math/big"
	"strconv"
	"strings"
)

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
