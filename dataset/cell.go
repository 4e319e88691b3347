package dataset

import (
	"math"
	"strconv"
	"strings"
)

// clean is the text of a cell that everything here goes by: space around it
// never counts.
func clean(cell string) string { return strings.TrimSpace(cell) }

// ParseNumber reads a decimal number, or an infinity, without space around it: what
// counts as a number in a cell, wherever cells are read. Hexadecimal numbers, NaN, digit
// separators and what exceeds a float64 are no numbers.
func ParseNumber(text string) (float64, bool) {
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

// formatNumber is the shortest text that ParseNumber reads back as v.
func formatNumber(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// truthKind tells ways of writing truth values apart: 0/1 is not yes/no.
type truthKind int

const (
	noTruth truthKind = iota
	digitTruth
	yesNo
	trueFalse
	tf
	yn
)

var truths = map[string]struct {
	kind  truthKind
	value bool
}{
	"0": {digitTruth, false}, "1": {digitTruth, true},
	"no": {yesNo, false}, "yes": {yesNo, true},
	"false": {trueFalse, false}, "true": {trueFalse, true},
	"f": {tf, false}, "t": {tf, true},
	"n": {yn, false}, "y": {yn, true},
}

// parseTruth reads a truth value in any case; 0.0 and 1.00 are 0 and 1.
func parseTruth(text string) (kind truthKind, value bool) {
	if t, ok := truths[strings.ToLower(text)]; ok {
		return t.kind, t.value
	}
	if v, ok := ParseNumber(text); ok && (v == 0 || v == 1) {
		return digitTruth, v == 1
	}
	return noTruth, false
}

// Where a semicolon separates fields, a comma is the decimal point: that is why
// it cannot separate. A cell that is a number then, such as 12,5 or -3,1e4, is
// read as if it was written with a point. So what is learned from such a table
// is written with points, and meets tables of both kinds. Two commas, or a comma
// and a point, are no number.

// decimalComma reports whether tables with this separator have decimal commas.
func decimalComma(separator rune) bool { return separator == ';' }

// withPoint returns a number with a decimal comma with a point in its place, and
// any other text as it is.
func withPoint(text string) string {
	at := strings.IndexByte(text, ',')
	if at < 0 || at+1 == len(text) || text[at+1] < '0' || text[at+1] > '9' || strings.ContainsAny(text, "._") || strings.IndexByte(text[at+1:], ',') >= 0 {
		return text
	}
	pointed := text[:at] + "." + text[at+1:]
	if _, ok := ParseNumber(pointed); !ok {
		return text
	}
	return pointed
}
