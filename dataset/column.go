package dataset

import (
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/table"
)

// column is a column of a table with what it means. Its cells are codes of distinct texts, or numbers where these are
// many, or nothing where they are free text.
type column struct {
	name    string
	at      int // its position in the table
	missing table.Missing
	comma   bool        // numbers may have a decimal comma
	marks   table.Marks // how they are written, where they may
	keep    table.Keep
	// categories says that numbers are names.
	categories bool
	scale      Scale // what texts stand for
	// ambiguousDates says that all texts are dates, of days and months or of months and days.
	ambiguousDates bool

	texts     []string  // by code
	lines     []int     // where the text was first seen, by code
	codes     []uint32  // by row
	counts    []int     // rows by code
	rows      []int64   // that each row of the table stands for; nil: one
	values    []float64 // by code, NaN of what is no number or missing
	ascending []int32   // codes of numbers in their order

	many       bool      // cells are numbers, without codes
	numbers    []float64 // by row, of these; NaN of a missing one
	anyMissing bool      // of these

	free     bool
	kind     kind     // of an attribute
	groups   bool     // numbers that seem to be ids of several rows each
	maybe    []string // values that may mean missing
	maybeIDs bool     // numbers that differ in nearly every row, as ids do, and measures

	// odd is the first text that is no number, oddLine its line; 0 if none.
	// It is news to a person if numbers came before it.
	odd          string
	oddLine      int
	numbersFirst bool
}

// fill takes the cells of a column that was read.
func (c *column) fill(from *table.Column) {
	c.texts, c.lines, c.codes, c.free, c.marks = from.Texts, from.Lines, from.Codes, from.Free, from.Marks
	c.odd, c.oddLine, c.numbersFirst = from.Odd, from.OddLine, from.NumbersFirst
	c.numbers, c.many = from.Numbers, from.Numbers != nil
	c.anyMissing = slices.ContainsFunc(c.numbers, math.IsNaN)
}

// isCoded reports whether the cells are codes of texts.
func (c *column) isCoded() bool { return !c.many && !c.free }

// release lets go of the cells, which are needed no longer.
func (c *column) release() {
	c.texts, c.lines, c.counts, c.values, c.ascending, c.codes, c.numbers = nil, nil, nil, nil, nil, nil, nil
}

// readNumbers reads the numbers of the texts, and puts them in order.
func (c *column) readNumbers() {
	if !c.isCoded() {
		return
	}
	c.values, c.ascending = make([]float64, len(c.texts)), nil
	for code, t := range c.texts {
		v, ok := c.scale.Parse(t)
		if !ok || c.missing.Has(t) {
			c.values[code] = math.NaN()
			continue
		}
		c.values[code] = v
		c.ascending = append(c.ascending, int32(code))
	}
	slices.SortFunc(c.ascending, func(x, y int32) int {
		switch a, b := c.values[x], c.values[y]; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return int(x - y)
	})
}

// count counts the rows of each code, where a row of the table stands for so many.
func (c *column) count(rows []int64) {
	c.counts, c.rows = make([]int, len(c.texts)), rows
	for i, code := range c.codes {
		c.counts[code] += c.rowsAt(i)
	}
}

// rowsAt is how many rows a row of the table stands for.
func (c *column) rowsAt(i int) int { return int(countAt(c.rows, i)) }

// take returns the column of those rows alone, each for so many.
func (c *column) take(rows []int, counts []int64) *column {
	part := *c
	part.codes, part.numbers = taken(c.codes, rows), taken(c.numbers, rows)
	part.count(counts)
	part.anyMissing = slices.ContainsFunc(part.numbers, math.IsNaN)
	return &part
}

// number returns the number of a row, NaN of a missing one.
func (c *column) number(row int) float64 {
	if c.many {
		return c.numbers[row]
	}
	return c.values[c.codes[row]]
}

// missingAt reports whether cell i is missing, given which codes are.
func (c *column) missingAt(i int, missingCodes []bool) bool {
	if c.many {
		return math.IsNaN(c.numbers[i])
	}
	return missingCodes[c.codes[i]]
}

// missingCodes tells of each code whether its text is a missing value.
func (c *column) missingCodes() []bool {
	is := make([]bool, len(c.texts))
	for i, t := range c.texts {
		is[i] = c.missing.Has(t)
	}
	return is
}

// cells returns the cells of a column of numbers.
func (c *column) cells() *cuts.Column {
	return &cuts.Column{Numbers: c.numbers, Codes: c.codes, Rows: c.rows, Values: c.values, Counts: c.counts, Ascending: c.ascending}
}

// uncutValues returns what is known of a column of numbers before it is cut; of many numbers, only whether some are infinite.
func (c *column) uncutValues() cuts.Values {
	if !c.many {
		return cuts.ValuesOf(c.cells().Levels())
	}
	var v cuts.Values
	for _, x := range c.numbers {
		v.Infinite = v.Infinite || math.IsInf(x, 0)
	}
	return v
}

// readTimes finds out whether the texts of a column are dates.
func (c *column) readTimes() {
	if !c.isCoded() || c.categories || c.oddLine == 0 || !c.scale.Plain() {
		return
	}
	var texts []string
	for _, t := range c.texts {
		if !c.missing.Has(t) {
			texts = append(texts, t)
		}
	}
	c.scale.Time, c.ambiguousDates = table.TimeOf(texts)
}

// outside returns the first text of a column of levels that is none of them.
func (c *column) outside() (text string, line int) {
	if c.scale.Levels == nil {
		return "", 0
	}
	for code, t := range c.texts {
		if _, ok := c.scale.Parse(t); !ok && !c.missing.Has(t) {
			return t, c.lines[code]
		}
	}
	return "", 0
}

// members returns the rows of a set.
func members(rows *bitset.BitSet) []int {
	list := make([]int, 0, rows.Count())
	for i, ok := rows.NextSet(0); ok; i, ok = rows.NextSet(i + 1) {
		list = append(list, int(i))
	}
	return list
}

// taken returns the values of samples; nil of none.
func taken[T any](values []T, samples []int) []T {
	if values == nil {
		return nil
	}
	list := make([]T, len(samples))
	for i, from := range samples {
		list[i] = values[from]
	}
	return list
}
