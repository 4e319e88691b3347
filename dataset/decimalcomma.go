package dataset

import "strings"

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
