package dataset

import "math"

// numberParser reads cells of numbers; NaN are missing ones.
type numberParser struct {
	missing missing
	comma   bool // numbers may have a decimal comma
	first   bool // a missing value may be a number: look for that first
}

func newNumberParser(m missing, comma bool) numberParser {
	p := numberParser{missing: m, comma: comma}
	for _, word := range m {
		_, isNumber := ParseNumber(word)
		p.first = p.first || isNumber
	}
	return p
}

func (p numberParser) parse(text []byte) (v float64, ok bool) {
	if !p.first {
		if v, ok := parseDecimal(text); ok {
			return v, true
		}
	}
	cell := shared(text)
	if p.comma {
		cell = withPoint(cell)
	}
	if p.missing.has(cell) {
		return math.NaN(), true
	}
	return ParseNumber(cell)
}

// powers of ten that are floats.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseDecimal reads a number of up to 15 digits without an exponent. Digits
// and the power of ten of its places are exact as floats then, so that their
// quotient is the float nearest to the number (Clinger, PLDI 1990).
func parseDecimal(text []byte) (float64, bool) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if len(text)-i > 16 || len(text) == i {
		return 0, false
	}
	digits, places, point := uint64(0), 0, 0
	for _, c := range text[i:] {
		if d := uint64(c - '0'); d <= 9 {
			digits = 10*digits + d
			places += point
			continue
		}
		if c != '.' || point == 1 {
			return 0, false
		}
		point = 1
	}
	if len(text)-i-point > 15 || len(text)-i-point == 0 {
		return 0, false
	}
	v := float64(digits) / powers[places]
	if i == 1 {
		return 0 - v, true
	}
	return v, true
}
