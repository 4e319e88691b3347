package dataset

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/optionerr"
	"parcorels/table"
)

var (
	errNotDecimal  = errors.New("is not a positive decimal number such as 2 or 0.75")
	errNotPositive = errors.New("is not positive")
	errTooLong     = errors.New("has more than 18 digits, too many to be kept exactly: round it")
)

// decimal is the number digits·10^−places, with the fewest places.
type decimal struct {
	digits int64
	places int8
}

// parseWeight reads a positive decimal such as 2, 0.75 or 1.5e-3.
func parseWeight(text string) (decimal, error) {
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
		return decimal{}, errNotDecimal
	}
	digits := strings.TrimLeft(whole+part, "0")
	places += len(part)
	for places > 0 && strings.HasSuffix(digits, "0") {
		digits = digits[:len(digits)-1]
		places--
	}
	switch {
	case digits == "" || negative:
		return decimal{}, errNotPositive
	case places < 0 && len(digits)-places <= 18:
		digits += strings.Repeat("0", -places)
		places = 0
	}
	if len(digits) > 18 || places < 0 || places > 18 {
		return decimal{}, errTooLong
	}
	w := decimal{places: int8(places)}
	for _, c := range digits {
		w.digits = 10*w.digits + int64(c-'0')
	}
	return w, nil
}

// rat is the decimal as a rational number.
func (d decimal) rat() *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(d.digits), pow10(int(d.places)))
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// decimals is a column of weights, 9 bytes each; digits 0 is a missing one.
type decimals struct {
	digits []int64
	places []int8
}

func (d *decimals) missingAt(row int) bool { return d.digits[row] == 0 }

// within returns the weights of the n rows alone.
func (d *decimals) within(rows *bitset.BitSet, n int) *decimals {
	if d == nil {
		return nil
	}
	return &decimals{extract(d.digits, rows, n), extract(d.places, rows, n)}
}

// of returns the weights as integers, in units of 10^−places; nil if there are none.
func (d *decimals) of() (weights []int64, places int, err error) {
	if d == nil {
		return nil, 0, nil
	}
	places = int(slices.Max(d.places))
	weights = make([]int64, len(d.digits))
	for i, w := range d.digits {
		for range places - int(d.places[i]) {
			if w >= maxTotal/10 {
				return nil, 0, errWeightRange
			}
			w *= 10
		}
		weights[i] = w
	}
	return weights, places, nil
}

// Sample weights and class weights are decimals that people type. They are
// kept exactly: as the smallest integers with the same proportions.

// maxTotal is what a total weight stays below.
const maxTotal = 1 << 62

var errWeightRange = errors.New("the weights add up to 2^62 or more when they are made integers: round them to fewer digits")

// parseClassWeights reads "w0,w1", or as many weights as there are classes; nil
// of "" and "balanced".
func parseClassWeights(text string, classes int) ([]decimal, error) {
	if text == "" || text == "balanced" {
		return nil, nil
	}
	texts := strings.SplitN(text, ",", classes)
	if len(texts) != classes {
		return nil, optionerr.Errorf("ClassWeights", "class weights are %s, expected balanced, or %s", table.Quote(text),
			weightOfEach(classes))
	}
	w := make([]decimal, classes)
	for c, t := range texts {
		var err error
		if w[c], err = parseWeight(table.Clean(t)); err != nil {
			return nil, optionerr.Errorf("ClassWeights", "class weights are %s: %s %v", table.Quote(text), table.Quote(table.Clean(t)), err)
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
