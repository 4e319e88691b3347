package weights

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/optionerr"
)

var (
	errNotDecimal  = errors.New("is not a positive decimal number such as 2 or 0.75")
	ErrNotPositive = errors.New("is not positive")
	errTooLong     = errors.New("has more than 18 digits, too many to be kept exactly: round it")
)

// Decimal is the number digits·10^−places, with the fewest places.
type Decimal struct {
	digits int64
	places int8
}

// Parse reads a positive decimal such as 2, 0.75 or 1.5e-3.
func Parse(text string) (Decimal, error) {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	places, ok := 0, true
	if hasExponent {
		e, err := strconv.Atoi(exponent)
		places, ok = -e, err == nil && len(strings.TrimLeft(exponent, "+-")) <= 3
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	if !negative {
		mantissa = strings.TrimPrefix(mantissa, "+")
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	if !ok || whole+part == "" || strings.Trim(whole+part, "0123456789") != "" {
		return Decimal{}, errNotDecimal
	}
	digits := strings.TrimLeft(whole+part, "0")
	places += len(part)
	for places > 0 && strings.HasSuffix(digits, "0") {
		digits = digits[:len(digits)-1]
		places--
	}
	switch {
	case digits == "" || negative:
		return Decimal{}, ErrNotPositive
	case places < 0 && len(digits)-places <= 18:
		digits += strings.Repeat("0", -places)
		places = 0
	}
	if len(digits) > 18 || places < 0 || places > 18 {
		return Decimal{}, errTooLong
	}
	w := Decimal{places: int8(places)}
	for _, c := range digits {
		w.digits = 10*w.digits + int64(c-'0')
	}
	return w, nil
}

// rat is the decimal as a rational number.
func (d Decimal) rat() *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(d.digits), pow10(int(d.places)))
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Column is a column of weights, 9 bytes each; digits 0 is a missing one.
type Column struct {
	digits []int64
	places []int8
}

// NewColumn returns n weights, all of them missing.
func NewColumn(n int) *Column { return &Column{make([]int64, n), make([]int8, n)} }

// Set sets the weight of a row.
func (d *Column) Set(row int, w Decimal) { d.digits[row], d.places[row] = w.digits, w.places }

// MissingAt reports whether the weight of a row is missing.
func (d *Column) MissingAt(row int) bool { return d.digits[row] == 0 }

// Within returns the weights of the n rows alone.
func (d *Column) Within(rows *bitset.BitSet, n int) *Column {
	if d == nil {
		return nil
	}
	part := NewColumn(n)
	at := 0
	for row, ok := rows.NextSet(0); ok; row, ok = rows.NextSet(row + 1) {
		part.digits[at], part.places[at] = d.digits[row], d.places[row]
		at++
	}
	return part
}

// Integers returns the weights as integers, in units of 10^−places; nil if there are none.
func (d *Column) Integers() (weights []int64, places int, err error) {
	if d == nil {
		return nil, 0, nil
	}
	places = int(slices.Max(d.places))
	weights = make([]int64, len(d.digits))
	for i, w := range d.digits {
		for range places - int(d.places[i]) {
			if w >= MaxTotal/10 {
				return nil, 0, ErrRange
			}
			w *= 10
		}
		weights[i] = w
	}
	return weights, places, nil
}

// Sample weights and class weights are decimals that people type. They are
// kept exactly: as the smallest integers with the same proportions.

// MaxTotal is what a total weight stays below.
const MaxTotal = 1 << 62

var ErrRange = errors.New("the weights add up to 2^62 or more when they are made integers: round them to fewer digits")

// ParseClasses reads "w0,w1", or as many weights as there are classes; nil
// of "" and "balanced".
func ParseClasses(text string, classes int) ([]Decimal, error) {
	if text == "" || text == "balanced" {
		return nil, nil
	}
	texts := strings.SplitN(text, ",", classes)
	if len(texts) != classes {
		return nil, optionerr.Errorf("ClassWeights", "class weights are %s, expected balanced, or %s", strconv.Quote(text),
			weightOfEach(classes))
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

func weightOfEach(classes int) string {
	if classes == 2 {
		return "the weights of class 0 and class 1 as in 1,2.5"
	}
	return fmt.Sprintf("the weights of the %d classes, separated by commas", classes)
}
