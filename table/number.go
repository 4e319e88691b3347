package table

import (
	"math"
	"strconv"
	"strings"
)

// Clean returns the text of a cell that everything goes by: space around it never counts.
func Clean(cell string) string {
	if n := len(cell); n == 0 || ' ' < cell[0] && cell[0] < 0x80 && ' ' < cell[n-1] && cell[n-1] < 0x80 { // as in most
		return cell
	}
	return strings.TrimSpace(cell)
}

// ParseNumber reads a decimal number, or an infinity, without space around it: what
// counts as a number in a cell, wherever cells are read. Hexadecimal numbers, NaN, digit
// separators and what exceeds a float64 are no numbers.
func ParseNumber(text string) (float64, bool) {
	if v, ok := parseDecimal(text); ok {
		return v, true
	}
	if text == "" || len(text) > 400 {
		return 0, false
	}
	switch c := text[len(text)-1]; {
	case '0' <= c && c <= '9' || c == '.':
		if len(text) > 2 && (text[1]|' ' == 'x' || text[2]|' ' == 'x') || strings.IndexByte(text, '_') >= 0 {
			return 0, false
		}
	case c != 'f' && c != 'F' && c != 'y' && c != 'Y': // inf, Infinity
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	return v + 0, true // -0 + 0 is 0
}

// FormatNumber returns the shortest text that ParseNumber reads back as v.
func FormatNumber(v float64) string {
	return strconv.FormatFloat(v, numberFormat(v), -1, 64)
}

// numberFormat returns the format of strconv in which a number is written: with an exponent if it is very small or large.
func numberFormat(v float64) byte {
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) {
		return 'g'
	}
	return 'f'
}

// powers of ten that are floats.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseDecimal reads a number of up to 15 digits without an exponent. Digits
// and the power of ten of its places are exact as floats then, so that their
// quotient is the float nearest to the number (Clinger, PLDI 1990).
func parseDecimal(text string) (float64, bool) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if len(text)-i > 16 || len(text) == i {
		return 0, false
	}
	digits, places, point := uint64(0), 0, 0
	for _, c := range []byte(text[i:]) {
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

// Where a semicolon separates fields, a comma is the decimal point: that is why
// it cannot separate. A cell that is a number then, such as 12,5 or -3,1e4, is
// read as if it was written with a point. So what is learned from such a table
// is written with points, and meets tables of both kinds. Two commas, or a comma
// and a point, are no number.

// WithPoint returns a number with a decimal comma with a point in its place, and
// any other text as it is.
func WithPoint(text string) string {
	at := strings.IndexByte(text, ',')
	if at < 0 || at+1 == len(text) || text[at+1] < '0' || text[at+1] > '9' || strings.ContainsAny(text, "._") ||
		strings.IndexByte(text[at+1:], ',') >= 0 {
		return text
	}
	pointed := text[:at] + "." + text[at+1:]
	if _, ok := ParseNumber(pointed); !ok {
		return text
	}
	return pointed
}

// MaySeparateThousands reports whether the point of a number stands where it may separate thousands, as in 12.500.
func MaySeparateThousands(text string) bool {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	whole, rest, _ := strings.Cut(text, ".")
	return len(rest) == 3 && 0 < len(whole) && len(whole) <= 3 && whole[0] != '0' && strings.Trim(whole+rest, "0123456789") == ""
}

// Missing are the texts of missing values, in any case; nil are the default ones. An empty text is always missing.
type Missing []string

// DefaultMissing are the texts of missing values besides the empty one.
var DefaultMissing = Missing{"?", "NA", "N/A", "NaN", "null"}

// Has reports whether a text, without space around it, is a missing value.
func (m Missing) Has(text string) bool {
	if text == "" {
		return true
	}
	if m == nil {
		m = DefaultMissing
	}
	for _, word := range m {
		if strings.EqualFold(word, text) {
			return true
		}
	}
	return false
}

// number returns the number of a text, NaN if it is missing.
func (m Missing) number(text string) (v float64, ok bool) {
	if m.Has(text) {
		return math.NaN(), true
	}
	return ParseNumber(text)
}
