package dataset

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/loop"
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
	cuts     map[int][]float64   // of the columns that are cut, by position
	blocks   [][][]string        // texts that are put together, by position, see split.go; nil: none yet

	direction direction // of the features of numbers
}

func newBuilder(source string, o Options, columns []*column, n int, counts []int64) *builder {
	return &builder{source: source, o: o, columns: columns, n: n, counts: counts, rows: int(cuts.Total(counts, n)),
		names: table.Namer{}, said: map[remark][]string{}}
}

// take returns a builder of those samples alone, which stand for so many rows each.
func (b *builder) take(samples []int, counts []int64) *builder {
	columns := make([]*column, len(b.columns))
	loop.Parallel(len(columns), func(i int) {
		if b.columns[i] != nil {
			columns[i] = b.columns[i].take(samples, counts)
		}
	})
	return newBuilder(b.source, b.o, columns, len(samples), counts)
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
			return fmt.Errorf("%s:%d: %s in column %s is not a number, and the column has cuts", b.source, c.OddLine, c.Odd,
				table.Quote(c.name))
		}
	}
	return nil
}

// chooseKind decides the kind of an attribute whose cells are all there.
func (b *builder) chooseKind(c *column) {
	c.readTimes()
	c.readNumbers()
	c.count(b.counts)
	_, cut := b.o.Cuts[c.name]
	c.kind = c.decide(b.rows, b.o.DropMissing, cut)
	if c.kind == numericColumn && !cut && c.scale.Plain() && b.isLeftOut(c) {
		c.kind = rowNumbers
	}
	c.maybe = c.maybeMissing(b.rows)
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

// count returns how many rows of part are of the first class, and of others.
func (f direction) count(part []uint64) []int64 {
	all := bitset.From(part)
	if f.samples != nil {
		all = all.Intersection(f.samples)
	}
	one := f.of.RowsOf(all, f.ones)
	return []int64{f.of.RowsOf(all, all) - one, one}
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
	maybeCommas
	formattedNumbers
	pointsOfThousands
	infiniteValues
	sameValues
	uselessCuts
	differentTexts
	decimalCommas
	tellRowsApart
	risingNumbers
	maybeIDs
	uncutNumbers
	unnamedNumbers
	quantileCuts
	maybeMissing
	remarks // their number
)

// remarkText has a line for each remark, the note before the columns that it is about.
//
//go:embed remarks.txt
var remarkText string

var remarkTexts = strings.Split(remarkText, "\n")[:remarks]
