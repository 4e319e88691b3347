package table

import (
	"slices"
	"strings"
)

const (
	// MaxTexts is how many distinct texts a column may have before it counts as free text.
	MaxTexts = 1 << 16
	// MaxCodedNumbers is how many of them may be numbers before a column of numbers is kept as such, which then
	// take less than their texts.
	MaxCodedNumbers = 1 << 12
	// maxText bounds the bytes of a text that can be the value of a category.
	maxText = 256
)

// Keep says what of a column is kept.
type Keep uint8

// Parts of a column that are kept.
const (
	KeepNothing    Keep = iota
	KeepCells           // texts while they are few, or numbers
	KeepCategories      // texts while they are few, though they may be numbers
	KeepTexts           // texts, however many there are
)

// Column is a column of a table in memory. It holds its cells as codes of distinct texts, or as numbers where these are
// many, or nothing where texts are many or long.
type Column struct {
	Texts []string // by code, in the order in which they come first
	Lines []int    // where a text comes first, by code
	Codes []uint32 // by row

	Numbers []float64 // by row, NaN of a missing one; nil: of codes or of nothing
	Free    bool      // texts are so many or so long that nothing is kept

	// Odd is the first text that is no number, quoted, and OddLine its line; 0 if there is none. NumbersFirst says
	// that numbers came before it.
	Odd          string
	OddLine      int
	NumbersFirst bool
	Marks

	keep           Keep
	missing        Missing
	comma          bool              // numbers may have a decimal comma
	missingNumbers bool              // some missing value is a number
	index          map[string]uint32 // code by text
	expect         int               // about how many rows there will be; 0: nobody knows
	state          columnState
	bytes          int64 // of texts
}

// Marks are how the numbers of a column are written, where they may have decimal commas.
type Marks struct {
	Commas  bool   // some have one
	Pointed string // the first one with a point, of those that may separate thousands if there are such; "": none has
}

// see returns a text with a point for a decimal comma, and notes which it has.
func (m *Marks) see(text string) string {
	pointed := WithPoint(text)
	if pointed != text {
		m.Commas = true
	} else if strings.IndexByte(text, '.') >= 0 {
		m.point(text)
	}
	return pointed
}

// point takes a text with a point if it is a number and the first one to be told.
func (m *Marks) point(text string) {
	if m.Pointed != "" && (MaySeparateThousands(m.Pointed) || !MaySeparateThousands(text)) {
		return
	}
	if _, ok := ParseNumber(text); ok {
		m.Pointed = strings.Clone(text) // it may share the memory of its row
	}
}

// columnState is what a column has become.
type columnState uint32

const (
	coded columnState = iota
	numeric
	free
)

func newColumn(keep Keep, missing Missing, comma bool) *Column {
	isNumber := func(word string) bool { _, ok := ParseNumber(word); return ok }
	return &Column{keep: keep, missing: missing, comma: comma, missingNumbers: slices.ContainsFunc(missing, isNumber),
		index: map[string]uint32{}}
}

// enter returns the code of a text, without space around it, that comes first in a line unless it is known. It is not ok
// if the column has no codes any longer: the text is then to be added to its numbers, if it has these.
func (c *Column) enter(text string, line int) (code uint32, ok bool) {
	if c.comma {
		text = c.see(text)
	}
	if code, ok = c.index[text]; ok {
		return code, true
	}
	code = uint32(len(c.Texts))
	if c.OddLine == 0 && !c.missing.Has(text) {
		if _, isNumber := ParseNumber(text); isNumber {
			c.NumbersFirst = true
		} else {
			c.Odd, c.OddLine = Quote(text), line
		}
	}
	switch {
	case c.keep == KeepTexts:
	case len(text) > maxText || code == MaxTexts:
		c.giveUp()
		return 0, false
	case code == MaxCodedNumbers && c.OddLine == 0 && c.keep == KeepCells:
		c.toNumbers()
		return 0, false
	}
	text = strings.Clone(text) // it may share the memory of its row
	c.Texts, c.Lines = append(c.Texts, text), append(c.Lines, line)
	c.index[text] = code
	c.bytes += int64(len(text)) + 100 // with its header, its line and its place in the index
	return code, true
}

// giveUp declares the column free text and lets go of what it holds.
func (c *Column) giveUp() {
	c.state, c.Free = free, true
	c.Texts, c.Lines, c.Codes, c.Numbers, c.index, c.bytes = nil, nil, nil, nil, nil, 0
}

// toNumbers replaces codes by the numbers that they stand for.
func (c *Column) toNumbers() {
	values := make([]float64, len(c.Texts))
	for i, text := range c.Texts {
		values[i], _ = c.missing.number(text)
	}
	c.Numbers = make([]float64, 0, max(c.expect, len(c.Codes)))
	for _, code := range c.Codes {
		c.Numbers = append(c.Numbers, values[code])
	}
	c.state = numeric
	c.Texts, c.Lines, c.Codes, c.index, c.bytes = nil, nil, nil, nil, 0
}

// number returns the number of a cell of a column of numbers.
func (c *Column) number(text string) (float64, bool) {
	if c.comma {
		text = c.see(text)
	}
	if !c.missingNumbers {
		if v, ok := parseDecimal(text); ok {
			return v, true
		}
	}
	return c.missing.number(text)
}

// add adds a cell of a row that begins on a line.
func (c *Column) add(cell string, line int) {
	if c.state == numeric && !c.comma && !c.missingNumbers {
		if v, ok := parseDecimal(cell); ok { // as in most cells
			c.Numbers = append(c.Numbers, v)
			return
		}
	}
	text := Clean(cell)
	if c.state == coded {
		if code, ok := c.enter(text, line); ok {
			if c.Codes == nil {
				c.Codes = make([]uint32, 0, c.expect)
			}
			c.Codes = append(c.Codes, code)
			return
		}
	}
	if c.state == numeric {
		v, ok := c.number(text)
		if !ok {
			c.Odd, c.OddLine = Quote(text), line
			c.giveUp()
			return
		}
		c.Numbers = append(c.Numbers, v)
	}
}

// memory returns about how many bytes the column takes.
func (c *Column) memory() int64 {
	return c.bytes + 4*int64(len(c.Codes)) + 8*int64(len(c.Numbers))
}
