package dataset

import (
	"errors"
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	store "parcorels/dataset/internal/column"
)

const (
	// maxTexts is how many distinct texts a column may have before it counts
	// as free text.
	maxTexts = 1 << 16
	// maxCodedNumbers is how many of them may be numbers before a column of
	// numbers is kept as floats, which then take less than their texts.
	maxCodedNumbers = 1 << 12
	// maxText bounds the bytes of a text that can be the value of a category.
	maxText = 256
)

var errNotUTF8 = errors.New("is not UTF-8 text")

// column is a column of a table in memory. It holds its cells as codes of
// distinct texts until it turns out to be of many numbers, which are kept as
// floats (NaN is missing), or to be free text, of which nothing is kept.
type column struct {
	name    string
	at      int // its position in the table
	missing missing
	comma   bool // numbers may have a decimal comma
	commas  bool // some have
	coded   bool // never give up texts: for labels
	// categories says that numbers are names.
	categories bool
	scale      Scale // what texts stand for
	// ambiguousDates says that all texts are dates, of days and months or of months and days.
	ambiguousDates bool

	texts     []string          // by code
	textBytes int64             // their length together
	parsed    []float64         // what ParseNumber says of the texts in front of the first that is no number; NaN of a missing one
	numbers   []float64         // of the texts, once all cells are read; see values
	ascending []int32           // codes of numbers in their order, likewise
	lines     []int             // where the text was first seen, by code
	index     map[string]uint32 // code by text; nil: nobody has asked for a text
	codes     store.Packed
	counts    []int // rows by code, once all cells are read

	floats   *store.Floats
	free     bool
	kind     kind      // of an attribute, once all cells are read
	decided  bool      // the kind is known
	groups   bool      // numbers that seem to be ids of several rows each
	maybe    string    // values that may mean missing
	maybeIDs bool      // numbers that differ in nearly every row, as ids do, and measures
	asked    *question // about how it is cut, if the cells are let go of since; nil: not asked yet

	// odd is the first text that is no number, oddLine its line; 0 if none.
	// It is news to a person if numbers came before it.
	odd          string
	oddLine      int
	numbersFirst bool
}

// canonical returns a text with a decimal point, if it has a decimal comma and
// the table may have such.
func (c *column) canonical(text string) string {
	if !c.comma {
		return text
	}
	pointed := withPoint(text)
	c.commas = c.commas || len(text) > 0 && pointed != text
	return pointed
}

func (c *column) find(text string) (code uint32, ok bool) {
	if c.index == nil {
		c.index = make(map[string]uint32, len(c.texts))
		for i, t := range c.texts {
			c.index[t] = uint32(i)
		}
	}
	code, ok = c.index[text]
	return code, ok
}

// enter gives a new text its code. It is not ok if the column is not to be coded any
// longer: if it is free text, or of floats, which the text is then to be added to. The text
// shares no memory that is used again.
func (c *column) enter(text string, line int) (code uint32, ok bool) {
	code = uint32(len(c.texts))
	v := math.NaN()
	if c.oddLine == 0 && !c.missing.has(text) {
		var isNumber bool
		if v, isNumber = ParseNumber(text); isNumber {
			c.numbersFirst = true
		} else {
			c.odd, c.oddLine = quote(text), line
		}
	}
	switch {
	case c.coded:
	case len(text) > maxText || code == maxTexts:
		c.giveUp()
		return 0, false
	case code == maxCodedNumbers && c.oddLine == 0 && !c.categories:
		c.toFloats()
		return 0, false
	}
	c.texts = append(c.texts, text)
	if c.oddLine == 0 {
		c.parsed = append(c.parsed, v)
	}
	c.textBytes += int64(len(text))
	c.lines = append(c.lines, line)
	if c.index != nil {
		c.index[text] = code
	}
	return code, true
}

// notNumber ends a column of floats.
func (c *column) notNumber(text string, line int) {
	c.odd, c.oddLine = quote(text), line
	c.giveUp()
}

// state returns what the column has become.
func (c *column) state() columnState {
	switch {
	case c.free:
		return freeState
	case c.floats != nil:
		return floatState
	}
	return codedState
}

// giveUp declares the column free text and lets go of what it holds.
func (c *column) giveUp() {
	c.free = true
	c.release()
}

// release lets go of the cells, which are needed no longer.
func (c *column) release() {
	c.texts, c.parsed, c.textBytes, c.numbers, c.ascending, c.lines, c.index, c.codes, c.counts, c.floats = nil, nil, 0, nil, nil, nil, nil, store.Packed{}, nil, nil
}

// toFloats replaces codes by the numbers that they stand for.
func (c *column) toFloats() {
	values := c.values()
	c.floats = &store.Floats{}
	for _, codes := range c.codes.Blocks() {
		for _, code := range codes {
			c.floats.Add(values[code])
		}
	}
	c.texts, c.parsed, c.textBytes, c.lines, c.index, c.codes = nil, nil, 0, nil, nil, store.Packed{}
}

// values returns the numbers of the texts, NaN for what is none or missing.
func (c *column) values() []float64 {
	switch {
	case c.numbers != nil:
		return c.numbers
	case c.scale.plain() && len(c.parsed) == len(c.texts):
		return c.parsed
	}
	values := make([]float64, len(c.texts))
	for i, t := range c.texts {
		v, ok := c.scale.Parse(t)
		if !ok || c.missing.has(t) {
			v = math.NaN()
		}
		values[i] = v
	}
	return values
}

// readNumbers reads the numbers of the texts, which are asked for often, and puts
// them in order.
func (c *column) readNumbers() {
	if c.floats != nil || c.free {
		return
	}
	c.numbers = c.values()
	for code, v := range c.numbers {
		if !math.IsNaN(v) {
			c.ascending = append(c.ascending, int32(code))
		}
	}
	numbers := c.numbers // a stable sort takes twice as long
	slices.SortFunc(c.ascending, func(x, y int32) int {
		switch a, b := numbers[x], numbers[y]; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return int(x - y)
	})
}

// count counts the rows of each code.
func (c *column) count() {
	if len(c.texts) == 0 {
		return
	}
	c.counts = make([]int, len(c.texts))
	if words, binary := c.codes.Bits(); binary && len(c.texts) == 2 {
		c.counts[1] = int(bitset.From(words).Count())
		c.counts[0] = c.codes.Len() - c.counts[1]
		return
	}
	for _, codes := range c.codes.Blocks() {
		for _, code := range codes {
			c.counts[code]++
		}
	}
}

// within returns the column of those rows alone.
func (c *column) within(rows *bitset.BitSet) *column {
	part := *c
	part.codes = store.Packed{}
	var places [1 << 10]uint
	if c.codes.Len() > 0 {
		codes := make([]uint32, 0, len(places))
		for i, some := rows.NextSetMany(0, places[:]); len(some) > 0; i, some = rows.NextSetMany(i+1, places[:]) {
			codes = codes[:0]
			for _, row := range some {
				codes = append(codes, c.codes.At(int(row)))
			}
			part.codes.Append(codes, nil)
		}
	}
	part.count()
	if c.floats != nil {
		part.floats = &store.Floats{}
		for i, some := rows.NextSetMany(0, places[:]); len(some) > 0; i, some = rows.NextSetMany(i+1, places[:]) {
			for _, row := range some {
				part.floats.Add(c.floats.At(int(row)))
			}
		}
	}
	return &part
}

// missingAt reports whether cell i is missing, given which codes are.
func (c *column) missingAt(i int, missingCodes []bool) bool {
	if c.floats != nil {
		return math.IsNaN(c.floats.At(i))
	}
	return missingCodes[c.codes.At(i)]
}

// missingCodes tells of each code whether its text is a missing value.
func (c *column) missingCodes() []bool {
	is := make([]bool, len(c.texts))
	for i, t := range c.texts {
		is[i] = c.missing.has(t)
	}
	return is
}
