package weights

import (
	"errors"
	"iter"
	"math"
	"math/big"
	"strings"
)

// Signed is a decimal of any sign, as a cost is.
type Signed struct {
	Decimal
	negative bool
}

var (
	errNotNumber = errors.New("is not a decimal number such as 2, 0 or -0.75")
	errFarFrom1  = errors.New("is too large, or has more than 30 decimal places")
)

// mostPlaces is how many decimal places a cost may have, as models write no more; and how many zeros behind its first 18 digits.
const mostPlaces = 30

// ParseSigned reads a decimal such as 2, 0, -0.75 or 1.5e-3, rounded to 18 digits, of at most 30 places.
func ParseSigned(text string) (Signed, error) {
	magnitude, negative := strings.CutPrefix(text, "-")
	if strings.HasPrefix(magnitude, "-") || negative && strings.HasPrefix(magnitude, "+") {
		return Signed{}, errNotNumber
	}
	d, err := Parse(magnitude)
	switch {
	case err != nil && err != ErrNotPositive: // the latter is 0
		return Signed{}, errNotNumber
	case max(d.places, -d.places) > mostPlaces:
		return Signed{}, errFarFrom1
	}
	return Signed{d, negative}, nil
}

// Rat returns the number.
func (s *Signed) Rat() *big.Rat {
	if s.negative {
		return new(big.Rat).Neg(s.rat())
	}
	return s.rat()
}

// At returns the number in units of 10^−places, rounded, halves away from zero.
func (s *Signed) At(places int) int64 {
	n, less := s.digits, int(s.places)-places
	for ; less < 0; less++ {
		n *= 10
	}
	if less > mostDigits {
		n = 0
	} else if less > 0 {
		unit := pow10(less).Int64()
		n = n/unit + (n%unit)/((unit+1)/2)
	}
	if s.negative {
		return -n
	}
	return n
}

// Places returns in which units of 10^−places numbers add up, without signs, to less than most: as many places as the
// numbers have at most, or fewer, and then some of them are rounded.
func Places(numbers iter.Seq[*Signed], most int64) (places int, rounded bool) {
	asked := math.MinInt // below 0 for numbers that end in zeros, which fewer places leave as they are
	all := total(func(yield func(Decimal) bool) {
		for s := range numbers {
			if s.digits != 0 {
				asked = max(asked, int(s.places))
				yield(s.Decimal)
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

// amounts returns a column of weights in units of 10^−places that are no numbers of rows, even where all are whole.
func amounts(units []int64, places int) *Column {
	c := &Column{units, make([]int16, len(units)), true}
	for i := range c.places {
		c.places[i] = int16(places)
	}
	return c
}
