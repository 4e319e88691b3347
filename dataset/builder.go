package dataset

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/internal/loop"
	"parcorels/optionerr"
	"parcorels/table"
)

// uncut reports whether a column stays as it is.
func (b *builder) uncut(c *column) bool { return b.o.AllCuts && c.kind == numericColumn }

// builder makes features of the columns of a table.
type builder struct {
	o        Options
	source   string              // name of the file, for errors
	n        int                 // samples
	counts   []int64             // rows that each stands for; nil: one
	rows     int                 // their number
	sent     bool                // a program sends the table
	columns  []*column           // attributes by position; nil: ignored, the target or the weights
	names    table.Namer         // of features
	features []Feature           // so far
	whole    []Numbers           // columns of numbers that are not cut, so far
	groups   int                 // so far
	said     map[remark][]string // columns that a remark is about
	maybe    []string            // values that may mean missing
	cuts     map[int]cuts.Values // of the columns that are cut, by position
	blocks   [][][]string        // texts that are put together, by position, see split.go; nil: none yet

	direction direction // of the features of numbers
}

func newBuilder(source string, o Options, columns []*column, n int, counts []int64) *builder {
	return &builder{source: source, o: o, columns: columns, n: n, counts: counts, rows: total(counts, n),
		names: table.Namer{}, said: map[remark][]string{}}
}

// within returns a builder of those samples alone that are in rows, which stand for so many rows each.
func (b *builder) within(rows *bitset.BitSet, counts []int64) *builder {
	columns, n := make([]*column, len(b.columns)), int(rows.Count())
	loop.Parallel(len(columns), func(i int) {
		if b.columns[i] != nil {
			columns[i] = b.columns[i].within(rows, n, counts)
		}
	})
	return newBuilder(b.source, b.o, columns, n, counts)
}

// choose decides the kind of each attribute.
func (b *builder) choose(target int) error {
	loop.Parallel(len(b.columns), func(i int) {
		switch c := b.columns[i]; {
		case c == nil:
		case i == target:
			c.count(b.counts)
		default:
			b.chooseKind(c)
		}
	})
	for i, c := range b.columns {
		if c == nil || i == target {
			continue
		}
		if text, line := c.outside(); line > 0 {
			return optionerr.Errorf("Ordered", "%s:%d: %s in column %s is none of its levels %s", b.source, line, table.Quote(text),
				table.Quote(c.name), table.QuoteSome(c.scale.Levels))
		}
		_, cut := b.o.Cuts[c.name]
		if cut && c.kind != numericColumn && c.kind != constantColumn {
			return fmt.Errorf("%s:%d: %s in column %s is not a number, and the column has cuts", b.source, c.oddLine, c.odd,
				table.Quote(c.name))
		}
	}
	return nil
}

// chooseKind decides the kind of an attribute whose cells are all there.
func (b *builder) chooseKind(c *column) {
	c.count(b.counts)
	c.readTimes()
	c.readNumbers()
	_, cut := b.o.Cuts[c.name]
	c.kind = c.decide(b.rows, b.o.DropMissing, cut)
	if c.kind == numericColumn && !cut && c.scale.Plain() && b.isLeftOut(c) {
		c.kind = rowNumbers
	}
	c.maybe = c.maybeMissing()
}

// isLeftOut reports whether a column of numbers seems to number the rows, or did so to an earlier reading. In a table that
// a program sends somebody has chosen the columns: it must be called an id as well.
func (b *builder) isLeftOut(c *column) bool {
	switch {
	case b.o.LeftOut != nil:
		return slices.Contains(b.o.LeftOut, c.name)
	case slices.Contains(b.o.Use, c.name) || b.sent && !namesID(c.name):
		return false
	}
	return b.numbersRows(c)
}

// The model whose features come first is taken of equally good ones. So a column
// that runs the other way has to have the same features in the same order, or
// another of these models would be learned: x ≤ c where x > −c was. The features of
// numbers are therefore in the order from the end that the samples choose: part
// by part from there, the samples of the two classes are the smaller sequence. A
// column whose parts say the same from both ends keeps ascending order.

// direction is what the order of features is chosen by.
type direction struct {
	samples *bitset.BitSet // whose labels count; nil: all
	ones    *bitset.BitSet // those of them that are not of the first class
	of      *Dataset       // that they are of
}

// within returns the direction by the labels of rows alone.
func (f direction) within(rows *bitset.BitSet) direction {
	return direction{rows, f.ones.Intersection(rows), f.of}
}

// count returns how many rows of part are of the first class, and of others.
func (f direction) count(part []uint64) []int64 {
	n := make([]int64, 2)
	if f.of.counts != nil {
		all := bitset.From(part)
		if f.samples != nil {
			all = all.Intersection(f.samples)
		}
		n[1] = f.of.RowsOf(all, f.ones)
		n[0] = f.of.RowsOf(all, all) - n[1]
		return n
	}
	for i, word := range part {
		if f.samples != nil {
			word &= f.samples.Words()[i]
		}
		one := bits.OnesCount64(word & f.ones.Words()[i])
		n[0] += int64(bits.OnesCount64(word) - one)
		n[1] += int64(one)
	}
	return n
}

// say remarks on a column; detail follows its name.
func (b *builder) say(r remark, c *column, detail string) {
	b.said[r] = append(b.said[r], table.Quote(c.name)+detail)
}

// remark is something that a person might not expect of a column. Columns of
// the same remark share one note, as a table may have thousands of them.
type remark int

const (
	rareTexts remark = iota
	readAsText
	ambiguousDates
	missingCode
	maybeCommas
	formattedNumbers
	leadingZeros
	pointsOfThousands
	infiniteValues
	sameValues
	differentTexts
	decimalCommas
	tellRowsApart
	risingNumbers
	maybeIDs
	uncutNumbers
	quantileCuts
	maybeCodes
	maybeMissing
	remarks // their number
)

// remarkTexts are the notes, before the columns that they are about.
var remarkTexts = [remarks]string{
	rareTexts:      "only texts in at least 1% of the rows have a feature, in columns of many: ",
	readAsText:     "columns of numbers are read as text for what is no number (if it means missing, list it in option Missing): ",
	ambiguousDates: "dates may have the day or the month first, and are read as texts (write them as 2024-03-31): ",
	missingCode: "NA is read as missing, though all others are codes of two letters (if it is a code, leave it out of option " +
		"Missing): ",
	maybeCommas: "texts may be numbers with a decimal comma, and are read as texts (if they are, give option DecimalComma; if a comma " +
		"separates thousands, take it out): ",
	formattedNumbers: "texts are numbers with a unit or a separator, and have no cuts (if they are amounts, write them as 1234.5): ",
	leadingZeros: "numbers begin with a zero, as codes do, and are read as numbers (if they are codes, list them in option " +
		"Categories): ",
	pointsOfThousands: "a point is read as the decimal point, and stands before three digits everywhere (if it separates thousands, " +
		"take it out): ",
	infiniteValues: "infinite values lie beyond all other numbers: ",
	sameValues:     "columns are not used, as all values are the same: ",
	decimalCommas:  "a comma is read as the decimal point of numbers, as fields are separated by semicolons: ",
	differentTexts: "columns are not used, as nearly every row has another text: ",
	tellRowsApart:  "columns are not used, as they number rows or are ids (option Use keeps them): ",
	risingNumbers: "numbers never fall from row to row, as ids of groups do (if they are, leave them out, and keep rows of a group " +
		"together in tests, as option Groups does): ",
	maybeIDs: "numbers differ in nearly every row, and are read as a measure (if they are ids, leave them out, as option " +
		"Ignore does): ",
	maybeCodes: "numbers of few values tell the classes apart, but hardly by their order (if they are codes, list them in option " +
		"Categories): ",
	maybeMissing: "values may mean missing, and are read as values (if they do, list them in option Missing, as they are written): ",
	uncutNumbers: "columns of numbers are not used, as no threshold on one alone helps more than luck (give cuts): ",
	quantileCuts: "no threshold on one column alone helps more than luck, so numbers are cut at quantiles: ",
}
