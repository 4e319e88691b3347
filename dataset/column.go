package dataset

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/table"
)

// column is a column of a table with what it means. Its cells are codes of distinct texts, or of numbers where these are
// many, or nothing where they are free text.
type column struct {
	table.Column
	name    string
	at      int // its position in the table
	missing table.Missing
	comma   bool // numbers may have a decimal comma
	keep    table.Keep
	// categories says that numbers are names.
	categories bool
	scale      Scale // what texts stand for
	// ambiguousDates says that all texts are dates, of days and months or of months and days.
	ambiguousDates bool

	counts    []int     // rows by code
	rows      []int64   // that each row of the table stands for; nil: one
	values    []float64 // by code, NaN of what is no number or missing
	ascending []int32   // codes of numbers in their order; nil: they ascend
	many      bool      // codes are of numbers, whose texts are not known

	kind     kind     // of an attribute
	groups   bool     // numbers that seem to be ids of several rows each
	maybe    []string // values that may mean missing
	maybeIDs bool     // numbers that differ in nearly every row, as ids do, and measures
}

// release lets go of the cells, which are needed no longer.
func (c *column) release() {
	c.Column, c.counts, c.values, c.ascending = table.Column{}, nil, nil, nil
}

// readNumbers reads the numbers of the texts, and puts them in order.
func (c *column) readNumbers() {
	if c.many = c.Numbers != nil; c.many {
		c.values, c.Codes = cuts.Rank(c.Numbers)
		c.Numbers = nil
		return
	}
	c.values, c.ascending = slices.Repeat([]float64{math.NaN()}, len(c.Texts)), make([]int32, 0, len(c.Texts))
	for code, t := range c.present() {
		if v, ok := c.scale.Parse(t); ok {
			c.values[code] = v
			c.ascending = append(c.ascending, int32(code))
		}
	}
	slices.SortFunc(c.ascending, func(x, y int32) int { return cmp.Or(cmp.Compare(c.values[x], c.values[y]), int(x-y)) })
}

// count counts the rows of each code, where a row of the table stands for so many.
func (c *column) count(rows []int64) {
	c.counts, c.rows = make([]int, max(len(c.Texts), len(c.values))), rows
	for i, code := range c.Codes {
		c.counts[code] += int(cuts.At(rows, i))
	}
}

// rowsAt is how many rows a row of the table stands for.
func (c *column) rowsAt(i int) int { return int(cuts.At(c.rows, i)) }

// take returns the column of those rows alone, each for so many.
func (c *column) take(rows []int, counts []int64) *column {
	part := *c
	part.Codes = Taken(c.Codes, rows)
	part.count(counts)
	return &part
}

// number returns the number of a row, NaN of a missing one.
func (c *column) number(row int) float64 { return c.values[c.Codes[row]] }

// present yields the texts that do not mean that a cell is missing, with their codes.
func (c *column) present() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for code, t := range c.Texts {
			if !c.missing.Has(t) && !yield(code, t) {
				return
			}
		}
	}
}

// missingCodes tells of each code whether it is that of a missing value.
func (c *column) missingCodes() []bool {
	is := make([]bool, len(c.counts))
	for code := range is {
		is[code] = c.many && math.IsNaN(c.values[code]) || !c.many && c.missing.Has(c.Texts[code])
	}
	return is
}

// cells returns the cells of a column of numbers.
func (c *column) cells() *cuts.Column {
	return &cuts.Column{Codes: c.Codes, Values: c.values, Counts: c.counts, Ascending: c.ascending}
}

// isInfinite reports whether some numbers are.
func (c *column) isInfinite() bool {
	for code, v := range c.values {
		if c.counts[code] > 0 && math.IsInf(v, 0) {
			return true
		}
	}
	return false
}

// readTimes finds out whether the texts of a column are dates.
func (c *column) readTimes() {
	if c.categories || c.OddLine == 0 || !c.scale.Plain() {
		return
	}
	var texts []string
	for _, t := range c.present() {
		texts = append(texts, t)
	}
	c.scale.Time, c.ambiguousDates = table.TimeOf(texts)
}

// outside returns the first text of a column of levels that is none of them.
func (c *column) outside() (text string, line int) {
	if c.scale.Levels == nil {
		return "", 0
	}
	for code, t := range c.present() {
		if _, ok := c.scale.Parse(t); !ok {
			return t, c.Lines[code]
		}
	}
	return "", 0
}

// members returns the rows of a set.
func members(rows *bitset.BitSet) []int {
	list := make([]int, 0, rows.Count())
	for i := range rows.EachSet() {
		list = append(list, int(i))
	}
	return list
}

// Taken returns the values of samples, in their order; nil of none.
func Taken[T any](values []T, samples []int) []T {
	return cuts.Taken(values, samples)
}
