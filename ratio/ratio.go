// Package ratio holds exact rationals read from what a person types. Begin with
// [Parse] for text, or with [New] for two integers.
//
// The regularisation λ and the support limits decide which rule list is
// optimal, so they are never floating-point numbers: 0.01 means 1/100.
package ratio

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Ratio is the rational Num/Den in lowest terms, Den > 0.
// The zero value is not a valid ratio; see Valid.
type Ratio struct {
	Num, Den int64
}

// maxTerm bounds numerator and denominator, so that their products with a
// sample weight below 2^22 still fit 63 bits; larger products are checked
// where they are formed.
const maxTerm = 1 << 40

// ErrSyntax reports text that is no decimal number and no fraction.
var ErrSyntax = errors.New("not a decimal number such as 0.01, nor a fraction such as 1/300")

// ErrRange reports a number whose exact numerator or denominator exceeds 2^40.
var ErrRange = errors.New("cannot be kept exactly (numerator and denominator stay below 2^40, about 1e12)")

// New returns num/den in lowest terms. It panics if den is zero.
func New(num, den int64) Ratio {
	r, _ := FromRat(big.NewRat(num, den))
	return r
}

// Parse reads a decimal number ("0.01", "1e-3") or a fraction ("1/300").
// It returns ErrSyntax or ErrRange, wrapped with the text.
func Parse(s string) (Ratio, error) {
	t := strings.TrimSpace(s)
	// These are the characters of decimal numbers and fractions. Big.Rat alone would take hexadecimal text, too.
	if t == "" || len(t) > 64 || strings.Trim(t, "0123456789.+-eE/") != "" {
		return Ratio{}, fmt.Errorf("%q is %w", s, ErrSyntax)
	}
	// big.Rat would spend gigabytes on 1e999999999. In 64 characters, only zero is in range with three digits of an exponent or
	// more. The same is true with 99.
	if i := strings.IndexAny(t, "eE"); i >= 0 {
		if digits := strings.TrimLeft(t[i+1:], "+-0"); len(digits) > 2 && strings.Trim(digits, "0123456789") == "" {
			t = strings.TrimSuffix(t, digits) + "99"
		}
	}
	r, ok := new(big.Rat).SetString(t)
	limit := big.NewInt(maxTerm)
	switch {
	case !ok:
		return Ratio{}, fmt.Errorf("%q is %w", s, ErrSyntax)
	case r.Num().CmpAbs(limit) > 0 || r.Denom().Cmp(limit) > 0:
		return Ratio{}, fmt.Errorf("%q %w", s, ErrRange)
	}
	x, _ := FromRat(r)
	return x, nil
}

// Valid reports whether r was made by New or Parse.
func (r Ratio) Valid() bool { return r.Den > 0 }

// Within reports whether 0 < r < 1.
func (r Ratio) Within() bool { return r.Den > 0 && 0 < r.Num && r.Num < r.Den }

// Less reports whether r < s.
func (r Ratio) Less(s Ratio) bool {
	return r.Rat().Cmp(s.Rat()) < 0
}

// Float returns the nearest float64, for printing only.
func (r Ratio) Float() float64 { return float64(r.Num) / float64(r.Den) }

// String returns the shortest exact text: a decimal where one exists
// ("0.01"), else a fraction ("1/300").
func (r Ratio) String() string {
	if r.Den == 0 {
		return "0/0"
	}
	x := r.Rat()
	if n, exact := x.FloatPrec(); exact {
		return x.FloatString(n)
	}
	return x.String()
}

// MarshalText and UnmarshalText make a Ratio a string in JSON and in flags.
func (r Ratio) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText wrote, or anything Parse takes.
func (r *Ratio) UnmarshalText(b []byte) error {
	x, err := Parse(string(b))
	if err != nil {
		return err
	}
	*r = x
	return nil
}

// GCD returns the greatest common divisor of two numbers that are not negative; 0 if both are 0.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
