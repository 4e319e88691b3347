package weights

import (
	"errors"
	"iter"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"
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

const (
	// mostDigits is how many digits of a number are read: one with more is rounded.
	mostDigits = 18
	// mostPlaces is how many decimal places a cost may have, as models write no more; and how many zeros behind its first 18 digits.
	mostPlaces = 30
)

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

// Column is a column of weights, 10 bytes each; digits 0 is a missing one.
type Column struct {
	digits  []int64
	places  []int16
	amounts bool // they are no numbers of rows
}

// NewColumn returns n weights, all of them missing.
func NewColumn(n int) *Column { return &Column{make([]int64, n), make([]int16, n), false} }

// Whole returns a column of whole numbers.
func Whole(weights []int64) *Column { return &Column{weights, make([]int16, len(weights)), false} }

// Set sets the weight of a row.
func (d *Column) Set(row int, w Decimal) { d.digits[row], d.places[row] = w.digits, w.places }

// First returns the weight of the first row.
func (d *Column) First() *big.Rat { return Decimal{d.digits[0], d.places[0]}.Rat() }

// MissingAt reports whether the weight of a row is missing.
func (d *Column) MissingAt(row int) bool { return d.digits[row] == 0 }

// Within returns the weights of the n rows alone.
func (d *Column) Within(rows *bitset.BitSet, n int) *Column {
	if d == nil {
		return nil
	}
	part := NewColumn(n)
	part.amounts = d.amounts
	at := 0
	for row := range rows.EachSet() {
		part.digits[at], part.places[at] = d.digits[row], d.places[row]
		at++
	}
	return part
}

// integers returns the weights as integers, in units of 10^−places; false if they are too many or too large to be added.
func (d *Column) integers() (weights []int64, places int, ok bool) {
	places = int(slices.Max(d.places))
	weights = make([]int64, len(d.digits))
	total := int64(0)
	for i, w := range d.digits {
		for range places - int(d.places[i]) {
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
func (d *Column) Counts() []int64 {
	if d == nil || d.amounts || len(d.places) == 0 || slices.Max(d.places) > 0 {
		return nil
	}
	total := int64(0)
	for _, w := range d.digits {
		if total += min(w, mostRows); total >= mostRows {
			return nil
		}
	}
	return d.digits
}

// amounts returns a column of weights in units of 10^−places that are no numbers of rows, even where all are whole.
func amounts(units []int64, places int) *Column {
	c := &Column{units, make([]int16, len(units)), true}
	for i := range c.places {
		c.places[i] = int16(places)
	}
	return c
}

// Sample weights and class weights are decimals. They are kept exactly, as the smallest integers with the same
// proportions, unless these have too many digits.

// MaxTotal is what a total weight stays below.
const MaxTotal = 1 << 62
