package table

import (
	"bytes"
	"math"
	"strconv"
	"time"
)

// A table that is no text means what its canonical text in CSV means, and is read as that text. The text has commas, lines
// that end in \n, a header, and quotes around those cells only that hold a comma, a quote or a line end. A number has the
// fewest digits that read back as it, a truth value is True or False, and a missing value is empty.

// Canonical is the canonical text of rows.
type Canonical struct {
	next  func(to *Canonical) error // adds the cells of the next row; io.EOF: there is none
	width int                       // cells of a row
	text  []byte                    // is to be read
	space []byte                    // where text begins
	cell  []byte                    // room for one
	end   error                     // behind text
}

// NewCanonical returns the text of a table whose columns have these names.
func NewCanonical(names []string, next func(to *Canonical) error) *Canonical {
	c := &Canonical{next: next, width: len(names)}
	for i, name := range names {
		c.Add(i, []byte(name))
	}
	c.space = c.text
	return c
}

// Read implements io.Reader. A row that cannot be read as a whole is left out.
func (c *Canonical) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		c.text = c.space[:0]
		for begin := 0; begin < peekSize && c.end == nil; begin = len(c.text) {
			if c.end = c.next(c); c.end != nil {
				c.text = c.text[:begin]
			}
		}
		c.space = c.text
	}
	n := copy(p, c.text)
	if c.text = c.text[n:]; n == 0 {
		return 0, c.end
	}
	return n, nil
}

// Add adds the text of a cell, with quotes if it needs them.
func (c *Canonical) Add(column int, cell []byte) {
	if column > 0 {
		c.text = append(c.text, ',')
	}
	switch {
	case bytes.ContainsAny(cell, ",\"\n\r"):
		c.text = append(c.text, '"')
		c.text = append(c.text, bytes.ReplaceAll(cell, []byte{'"'}, []byte(`""`))...)
		c.text = append(c.text, '"')
	case len(cell) == 0 && c.width == 1: // an empty line is no row
		c.text = append(c.text, `""`...)
	default:
		c.text = append(c.text, cell...)
	}
	if column == c.width-1 {
		c.text = append(c.text, '\n')
	}
}

// AppendFloat appends a number; NaN is missing.
func AppendFloat(to []byte, v float64) []byte {
	switch v += 0; { // −0 is 0
	case math.IsNaN(v):
		return to
	case math.IsInf(v, 1):
		return append(to, "inf"...)
	case math.IsInf(v, -1):
		return append(to, "-inf"...)
	}
	return strconv.AppendFloat(to, v, numberFormat(v), -1, 64)
}

// AppendBool appends a truth value.
func AppendBool(to []byte, v bool) []byte {
	if v {
		return append(to, "True"...)
	}
	return append(to, "False"...)
}

// AppendTime appends seconds since 1970 as a date, with the time of day unless it is midnight.
func AppendTime(to []byte, seconds int64) []byte {
	t := time.Unix(seconds, 0).UTC()
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.AppendFormat(to, time.DateOnly)
	}
	return t.AppendFormat(to, time.DateTime)
}
