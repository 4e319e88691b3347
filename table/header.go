package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxName bounds the bytes of a column's name: what is longer is no name.
const maxName = 1024

// numberedNames are the columns of a table without a header.
func numberedNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "c" + strconv.Itoa(i+1)
	}
	return names
}

// At least fewestCompared of the rows behind the first line tell whether it is data, and at
// most mostCompared are compared with it.
const fewestCompared, mostCompared = 10, 200

// beginsWithData reports whether the first line of a table is data and no header, given the
// beginning of its text. A header does not consist of values of the columns below it: most
// texts of the line must be cells of their columns again, in rows that are no copies of it. A
// line of numbers alone must not ascend, as the years and 0, 1, 2, … do that name columns.
func beginsWithData(head []byte, comma rune) bool {
	r := csv.NewReader(bytes.NewReader(head[:bytes.LastIndexByte(head, '\n')+1]))
	r.Comma, r.TrimLeadingSpace = comma, trimsSpace(comma)
	first, err := r.Read()
	if err != nil {
		return false
	}
	rows, again := 0, make([]bool, len(first))
	for ; rows < mostCompared; rows++ {
		row, err := r.Read()
		if err != nil {
			break
		}
		if !slices.Equal(row, first) {
			for i, cell := range row {
				again[i] = again[i] || cell == first[i]
			}
		}
	}
	texts, repeated, ascends, last := 0, 0, true, math.Inf(-1)
	for i, cell := range first {
		switch v, isNumber := ParseNumber(Clean(cell)); {
		case isNumber:
			ascends, last = ascends && v > last, v
		case Clean(cell) != "":
			texts++
			if again[i] {
				repeated++
			}
		}
	}
	return rows >= fewestCompared && (2*repeated > texts || texts == 0 && !ascends)
}

// headings makes the names of columns from the first line. Nameless columns
// are called by their number, and the second of two equal names x is called
// x.1, as other tools for tables do; notes say so, and twice has these x.
func headings(cells []string, where string) (names, notes []string, twice map[string]bool, err error) {
	if len(cells) < 3 && strings.HasPrefix(strings.ToLower(cells[0]), "sep=") {
		return nil, nil, nil, fmt.Errorf("%s: the line %s tells spreadsheets the separator and is no header: remove it", where,
			Quote(cells[0]))
	}
	names = make([]string, len(cells))
	taken := make(Namer, len(cells))
	for i, cell := range cells {
		if names[i], err = heading(cell); err != nil {
			return nil, nil, nil, fmt.Errorf("%s: the name of column %d %w", where, i+1, err)
		}
		taken[names[i]] = 1
	}
	var repeated, nameless, numeric []string
	seen := make(map[string]bool, len(cells))
	twice = map[string]bool{}
	for i, name := range names {
		if _, isNumber := ParseNumber(name); isNumber {
			numeric = append(numeric, name)
		}
		switch {
		case name == "":
			names[i] = taken.Unique("c"+strconv.Itoa(i+1), ".", 1)
			if i > 0 { // of the first another note tells
				nameless = append(nameless, names[i])
			}
		case seen[name]:
			names[i] = taken.Unique(name, ".", 1)
			repeated = append(repeated, names[i])
			twice[name] = true
		}
		seen[name] = true
	}
	if len(nameless) > 0 {
		notes = append(notes, "columns without a name are called by their number: "+QuoteSome(nameless))
	}
	if len(repeated) > 0 {
		notes = append(notes, "columns with the name of an earlier one are numbered: "+QuoteSome(repeated))
	}
	if len(numeric) > 0 {
		notes = append(notes, "the first line was taken for the header though it has numbers ("+QuoteSome(numeric)+"); if it is data, "+
			"say so by option NoHeader")
	}
	return names, notes, twice, nil
}

// heading is the name in a cell of the header, on one line and printable.
func heading(cell string) (string, error) {
	switch {
	case len(cell) > maxName:
		return "", fmt.Errorf("has %d bytes, %s: is this a header?", len(cell), Quote(cell))
	case strings.ContainsRune(cell, '\r'):
		return "", fmt.Errorf("has a carriage return, %s: lines must end in \\n or \\r\\n", Quote(cell))
	}
	words := strings.FieldsFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
	return strings.Join(words, " "), nil
}

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

// Quote quotes text for a message, shortened to what fits on a line.
func Quote(text string) string {
	const limit = 60
	if len(text) <= limit {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(strings.ToValidUTF8(text[:limit], "")), len(text))
}

// QuoteSome lists texts for a message: the first few, and how many more.
func QuoteSome(texts []string) string {
	quoted := make([]string, min(len(texts), Listed))
	for i := range quoted {
		quoted[i] = Quote(texts[i])
	}
	return Some(append(quoted, texts[len(quoted):]...))
}

// Listed is how many things a message lists.
const Listed = 8

// Some lists the first of what is already fit to print, and how many more.
func Some(items []string) string {
	list := strings.Join(items[:min(len(items), Listed)], ", ")
	if more := len(items) - Listed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// Namer makes names different. It maps a name that is taken to the number that
// the next of the same name gets.
type Namer map[string]int

// Unique takes name if it is free, or else name, mark and a number that makes
// it free: the smallest from first on that was not tried before.
func (taken Namer) Unique(name, mark string, first int) string {
	k, ok := taken[name]
	if !ok {
		taken[name] = first
		return name
	}
	for {
		other := name + mark + strconv.Itoa(k)
		k++
		if _, ok := taken[other]; !ok {
			taken[name], taken[other] = k, first
			return other
		}
	}
}

// Printable is text as it is if it can be shown, and quoted if not.
func Printable(text string) string {
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
