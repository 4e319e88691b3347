package table

import (
	"bytes"
	"encoding/csv"
)

// separators are the candidates of detection, the most common first.
var separators = []rune{',', ';', '\t', '|'}

// trimsSpace reports whether space before a field does not count.
func trimsSpace(separator rune) bool { return separator != '\t' && separator != ' ' }

// detectSeparator looks at the first lines of a table: the separator is the
// one that cuts most of them into as many fields as the first, at least two;
// among equals the one with more fields. A comma that may be decimal is no
// candidate. A table of one column gets a comma.
func detectSeparator(sample []byte, more, decimalComma bool) rune {
	if i := bytes.LastIndexByte(sample, '\n'); more && i >= 0 {
		sample = sample[:i+1] // the last line is not complete
	}
	best, bestAlike, bestFields := ',', 0, 1
	for _, comma := range separators {
		if decimalComma && comma == ',' {
			continue
		}
		alike, fields := tryout(sample, comma)
		if fields > 1 && (alike > bestAlike || alike == bestAlike && fields > bestFields) {
			best, bestAlike, bestFields = comma, alike, fields
		}
	}
	return best
}

// tryout returns the number of fields of the first line if comma separates
// them, and how many of the first lines have as many.
func tryout(sample []byte, comma rune) (alike, fields int) {
	const lines = 50
	r := csv.NewReader(bytes.NewReader(sample))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = comma, -1, true, true
	for i := range lines {
		record, err := r.Read()
		if err != nil {
			break
		}
		if i == 0 {
			fields = len(record)
		}
		if len(record) == fields {
			alike++
		}
	}
	return alike, fields
}
