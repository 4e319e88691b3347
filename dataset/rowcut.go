package dataset

import (
	"bytes"
	"errors"
)

// rowCutter cuts a table between rows. A line end is between rows if an even
// number of quotes is before it: quotes stand in pairs around a field, and in
// pairs inside one. That holds up to the first row with a stray quote, which is
// an error, so that no chunk behind the one with this row matters.
type rowCutter struct {
	comma []byte
}

// What no text of a row is read for. The reader adds where the row stands.
var (
	errLongRow    = errors.New("long row")
	errManyFields = errors.New("many fields")
)

func (c rowCutter) cut(text []byte, _ bool) (n int, mid bool, err error) {
	odd := bytes.Count(text, []byte{'"'})&1 == 1
	for end := len(text); end > 0; {
		line := bytes.LastIndexByte(text[:end], '\n')
		if line < 0 {
			break
		}
		if bytes.Count(text[line:end], []byte{'"'})&1 == 1 {
			odd = !odd
		}
		if !odd {
			return line + 1, false, nil
		}
		end = line
	}
	switch {
	case len(text) > maxRow:
		return 0, false, errLongRow
	case bytes.Count(text, c.comma) > maxCut:
		return 0, false, errManyFields
	}
	return 0, false, nil
}
