package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
)

// Cells are the cells of a column in the types in which columns come from other programs: exactly one of Ints, Floats,
// Bools and Codes is set.
type Cells struct {
	Ints    []int64
	Floats  []float64 // NaN is missing, too
	Bools   []bool
	Codes   []int32        // places in Texts
	Texts   []string       // different texts, in no order
	Missing *bitset.BitSet // rows without a value, whose cells may be anything; nil: none
}

// setMissing marks a row without a value.
func (c *Cells) setMissing(row int) {
	if c.Missing == nil {
		c.Missing = new(bitset.BitSet)
	}
	c.Missing.Set(uint(row))
}

// isMissing reports whether a row has no value.
func (c *Cells) isMissing(row int) bool { return c.Missing != nil && c.Missing.Test(uint(row)) }

// checkText reports a text that no table can hold.
func checkText(text string) error {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return fmt.Errorf("text %s has a NUL byte or is not UTF-8", Quote(text))
	}
	return nil
}

// appendText appends the text of a cell, "" of a missing one. Columns mean what their text in CSV means:
// docs/column-protocol.md.
func (c *Cells) appendText(to []byte, row int) []byte {
	switch {
	case c.isMissing(row):
		return to
	case c.Ints != nil:
		return strconv.AppendInt(to, c.Ints[row], 10)
	case c.Bools != nil && c.Bools[row]:
		return append(to, "True"...)
	case c.Bools != nil:
		return append(to, "False"...)
	case c.Codes != nil:
		return append(to, c.Texts[c.Codes[row]]...)
	}
	switch v := c.Floats[row] + 0; { // −0 is 0
	case math.IsNaN(v):
		return to
	case math.IsInf(v, 1):
		return append(to, "inf"...)
	case math.IsInf(v, -1):
		return append(to, "-inf"...)
	default:
		return append(to, FormatNumber(v)...)
	}
}

// LineOf returns the line of a row of columns in their text in CSV, if no text has a line end.
func LineOf(row int) int { return row + 2 }

// cellsAtATime is how many cells go into a column at a time.
const cellsAtATime = 1 << 16

// column makes a column of so many cells. An error is that of a row.
func (c *Cells) column(keep Keep, missing Missing, rows int) *Column {
	of := newColumn(keep, missing, false)
	of.expect = rows
	known := map[uint64]uint32{} // code of a cell that was met
	key := c.keyOf()
	for begin := 0; begin < rows && of.state != free; begin += cellsAtATime {
		end := min(begin+cellsAtATime, rows)
		if of.state == numeric && c.takeNumbers(of, begin, end) {
			continue
		}
		codes, texts, first := make([]uint32, end-begin), []string(nil), []int32(nil)
		for i := range codes {
			k := key(begin + i)
			code, ok := known[k]
			if !ok {
				code = uint32(len(texts))
				known[k] = code
				texts = append(texts, Clean(string(c.appendText(nil, begin+i))))
				first = append(first, int32(i))
			}
			codes[i] = code
		}
		clear(known)
		of.add(codes, texts, first, func(row int) int { return LineOf(begin + row) })
	}
	return of
}

// missingKey is the key of a missing cell; floats and codes have others.
const missingKey = 0x7ff8_dead_dead_dead

// keyOf returns what tells the value of a cell from others.
func (c *Cells) keyOf() func(row int) uint64 {
	value := func(row int) uint64 {
		switch {
		case c.Ints != nil:
			return uint64(c.Ints[row])
		case c.Codes != nil:
			return uint64(c.Codes[row])
		case c.Floats != nil && !math.IsNaN(c.Floats[row]):
			return math.Float64bits(c.Floats[row] + 0)
		case c.Bools != nil && c.Bools[row]:
			return 1
		case c.Bools != nil:
			return 0
		}
		return missingKey
	}
	if c.Missing == nil {
		return value
	}
	return func(row int) uint64 {
		if c.isMissing(row) {
			return missingKey
		}
		return value(row)
	}
}

// takeNumbers adds cells that are numbers, or NaN, to a column that is numeric. It reports false where texts tell more.
func (c *Cells) takeNumbers(of *Column, begin, end int) bool {
	if of.missingNumbers || c.Ints == nil && c.Floats == nil {
		return false
	}
	numbers := make([]float64, end-begin)
	for i := range numbers {
		switch row := begin + i; {
		case c.isMissing(row):
			numbers[i] = math.NaN()
		case c.Ints != nil:
			numbers[i] = float64(c.Ints[row])
		default:
			numbers[i] = c.Floats[row] + 0 // −0 is 0
		}
	}
	of.addNumbers(numbers)
	return true
}
