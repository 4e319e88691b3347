package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/dataset/labels"
	"parcorels/optionerr"
	"parcorels/table"
	"parcorels/weights"
)

// Read reads a table, or an .out file with its labels, as o says. The path
// decides: .out and .out.gz are the reference format, all others are tables.
// An error is one line that names the file, the line and the value; table.ErrRewritten of a file that changed meanwhile.
func Read(path string, o Options) (*Dataset, error) { return ReadUntil(context.Background(), path, o) }

// ReadUntil is Read until ctx is done, whose error it then returns.
func ReadUntil(ctx context.Context, path string, o Options) (*Dataset, error) {
	f, err := table.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = f.Close() })() // the next read fails
	defer f.Close()
	d, err := readFrom(f, path, o, table.Watch(f))
	return d, cmp.Or(ctx.Err(), err)
}

// ReadFrom is Read on a stream; name stands for the path. The labels of an
// .out stream are read from the file that o.Labels or name leads to. A stream
// may also be a table of columns, as docs/column-protocol.md describes it.
func ReadFrom(r io.Reader, name string, o Options) (*Dataset, error) {
	return readFrom(struct{ io.Reader }{r}, name, o, func() error { return nil }) // which is not closed
}

func readFrom(in io.Reader, name string, o Options, unchanged func() error) (d *Dataset, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if IsOut(name) {
		d, err = readOut(in, name, o)
	} else {
		var rows *table.Rows
		if rows, err = table.New(in, name, o.ofTable()); err != nil {
			return nil, err
		}
		defer rows.Close()
		d, err = readTable(rows, o)
	}
	if err := cmp.Or(err, unchanged()); err != nil {
		return nil, err
	}
	return d, nil
}

// Rows are the rows of a table, one at a time. An .out
// file is a table too: a column of 0 and 1 per feature, and the label as the
// last column if its label file is there.
type Rows = table.Rows

// OpenRows opens a table for reading row by row, with the same options for the
// same understanding of separator and header as Read. Close it after use.
func OpenRows(path string, o Options) (*Rows, error) {
	f, err := table.OpenFile(path)
	if err != nil {
		return nil, err
	}
	r, err := NewRows(f, path, o)
	if err != nil {
		f.Close()
	}
	return r, err
}

// NewRows is OpenRows on a stream, which Close closes if it can be closed; name stands for
// the path.
func NewRows(in io.Reader, name string, o Options) (r *Rows, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if IsOut(name) {
		return outRows(in, name, o)
	}
	o.NoHash = true
	return table.New(in, name, o.ofTable())
}

// HashOf returns the Hash that a data set of this table has.
func HashOf(path string) (string, error) { return table.HashOf(path) }

// incomplete returns the rows with a missing value in the label, the weight or an
// attribute that can have features; without Options.DropMissing, in the label only. Its
// note says how many there are.
func (b *builder) incomplete(of []weights.Decimal) (rows *bitset.BitSet, note string) {
	rows = bitset.New(uint(b.n))
	var columns []string
	missing := map[string]int{} // rows by column
	add := func(column string, is func(row int) bool) {
		columns, missing[column] = append(columns, column), mark(rows, b.n, is)
	}
	for _, c := range b.columns {
		if c == nil || c.keep != table.KeepTexts && (!c.kind.used() || !b.o.DropMissing) {
			continue
		}
		if isMissing := c.missingCodes(); slices.Contains(isMissing, true) {
			add(c.name, func(row int) bool { return isMissing[c.Codes[row]] })
		}
	}
	if of != nil && b.o.DropMissing && b.o.Costs == nil {
		add(b.o.Weight, func(row int) bool { return of[row].Zero() })
	}
	slices.SortStableFunc(columns, func(x, y string) int { return missing[y] - missing[x] })
	var most []string
	for _, name := range columns[:min(len(columns), table.Listed)] {
		if n := missing[name]; n > 0 {
			most = append(most, fmt.Sprintf("%s in %d", table.Quote(name), n))
		}
	}
	return rows, fmt.Sprintf("%d of %d rows are dropped for a missing value, most often %s", rows.Count(), b.n, strings.Join(most, ", "))
}

// mark adds the rows that are so to a set, and returns how many these are.
func mark(set *bitset.BitSet, rows int, is func(row int) bool) (n int) {
	for row := range rows {
		if is(row) {
			set.Set(uint(row))
			n++
		}
	}
	return n
}

// readTable makes labels, weights and features of a table.
func readTable(rows *table.Rows, o Options) (*Dataset, error) {
	if o.Labels != "" {
		return nil, optionerr.Errorf("Labels", "%s: a label file, %s, goes with an .out file only; a table has its labels in a column",
			rows.Name, o.Labels)
	}
	r := &reading{o: o, rows: rows, name: rows.Name, header: rows.Header(), weightAt: -1}
	if rows.DecimalComma {
		r.o.Positive = labels.WithPoints(o.Positive)
	}
	if err := r.assign(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	keep := make([]table.Keep, len(r.header))
	for i, c := range r.columns {
		switch {
		case i == r.weightAt || r.isCost(i):
			keep[i] = table.KeepTexts
		case c != nil:
			keep[i] = c.keep
		}
	}
	t, err := rows.ReadAll(keep)
	if err != nil {
		return nil, err
	}
	if r.n = t.Rows; r.n == 0 {
		return nil, fmt.Errorf("%s: there is a header, but no row of data", r.name)
	}
	r.noteMarks(t.Columns)
	for i, c := range r.columns {
		if c != nil {
			c.Column, t.Columns[i] = *t.Columns[i], nil
		}
	}
	if r.weightAt >= 0 {
		if err := r.weigh(t.Columns[r.weightAt]); err != nil {
			return nil, err
		}
	}
	d := &Dataset{
		Source: r.name, Format: "csv", Columns: r.header, NoHeader: rows.NoHeader, DecimalComma: r.o.DecimalComma, Target: r.target(),
		Notes: append(rows.Notes, r.notes...),
		Hash:  t.Hash,
	}
	if r.o.Costs != nil {
		if err := r.decide(d, t.Columns); err != nil {
			return nil, err
		}
	}
	if err := r.finish(d); err != nil {
		return nil, err
	}
	return d, nil
}

// noteMarks remarks on columns with a decimal comma in some numbers and a point in others. 1,5 and 1.5 are then the same, as text, too.
func (r *reading) noteMarks(columns []*table.Column) {
	var both []string
	for i, c := range columns {
		if c != nil && c.Commas && c.Pointed != "" {
			both = append(both, fmt.Sprintf("%s (%s)", table.Quote(r.header[i]), table.Quote(c.Pointed)))
		}
	}
	if len(both) > 0 {
		r.notes = append(r.notes, "beside decimal commas a point is read as a decimal point too (if it separates "+
			"thousands, take it out): "+table.Some(both))
	}
}

// Rows that cost next to nothing to keep, and little beside a search.
const alwaysKept = 500
const weighedKept = 1 << 16

// weigh reads the weights of the rows.
func (r *reading) weigh(c *table.Column) error {
	of := make([]weights.Decimal, len(c.Texts))
	for code, text := range c.Texts {
		var err error
		if of[code], err = r.weight(text); err != nil {
			if err == weights.ErrNotPositive {
				err = fmt.Errorf("%w: leave such rows out", err)
			}
			return fmt.Errorf("%s:%d: weight %s in column %s %w", r.name, c.Lines[code], table.Quote(text), table.Quote(r.o.Weight), err)
		}
	}
	r.weights = cuts.Taken(of, c.Codes)
	return nil
}

// weight reads the weight of a row; that of a row to be dropped is 0.
func (r *reading) weight(text string) (weights.Decimal, error) {
	switch {
	case !table.Missing(r.o.Missing).Has(text):
		return weights.Parse(text)
	case !r.o.DropMissing:
		return weights.Decimal{}, errors.New("is missing: give every row a weight, or drop rows with missing values")
	}
	return weights.Decimal{}, nil
}

// keeps reports whether somebody may ask for cells when the features are made: the default λ does where classes have weights.
func (r *reading) keeps() bool {
	return r.o.KeepColumns || r.n <= alwaysKept || r.n <= weighedKept && r.o.ClassWeights+r.o.CostMatrix != ""
}

// label sets labels and weights of d by the column of labels.
func (r *reading) label(d *Dataset, b *builder, target *column) error {
	if err := b.label(d, target); err != nil {
		return err
	}
	outcomes, err := r.o.outcomes(d.ClassCount())
	switch {
	case err != nil:
	case outcomes != nil && len(outcomes[0]) == 2:
		err = r.weighTwo(d, outcomes)
	case outcomes != nil:
		err = r.weighOutcomes(d, outcomes)
	case r.costs == nil || d.ClassCount() == 2:
		err = d.weigh(r.weights, r.costs != nil, r.o.ClassWeights, r.o.Digits)
		if d.Weights == nil && r.costs != nil { // all differences are alike
			d.Costs.Error = r.weights[0].Rat()
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	if r.costs != nil && d.ClassCount() > 2 {
		d.Gains, d.Weights, d.WeightUnit, d.Costs.Error = r.costs.Gains()
	}
	return nil
}

// finish makes labels, weights and features of what was read.
func (r *reading) finish(d *Dataset) error {
	b := newBuilder(r.name, r.o, r.columns, r.n, r.counts())
	b.sent = r.rows.Sent
	r.columns = nil // so that rows that are dropped take no memory
	if err := b.choose(r.targetAt); err != nil {
		return err
	}
	if r.o.DropMissing || r.o.DropUnlabelled || d.Costs != nil {
		rows, note := b.incomplete(r.weights)
		if rows.Any() {
			d.note("%s", note)
		}
		if d.Costs != nil {
			if err := r.alike(d, rows); err != nil {
				return err
			}
		}
		if rows.Any() {
			left := members(rows.Complement())
			d.dropped, r.costs, r.weights = rows, r.costs.Within(left), Taken(r.weights, left)
			b = b.take(left, r.counts())
		}
	}
	if b.n == 0 {
		return fmt.Errorf("%s: every one of the %d rows has a missing value: none is left", r.name, r.n)
	}
	d.N, d.Dropped, d.counts = b.n, r.n-b.n, b.counts
	if err := r.label(d, b, b.columns[r.targetAt]); err != nil {
		return err
	}
	b.columns[r.targetAt] = nil
	d.LeftOut = r.leftOut
	for _, c := range b.columns {
		if c != nil && c.kind == rowNumbers {
			d.LeftOut = append(d.LeftOut, c.name)
		}
	}
	keep := r.keeps()
	b.makeFeatures(b, d, nil, d, keep)
	if keep {
		d.kept = newBuilder(b.source, b.o, b.columns, b.n, b.counts)
	}
	d.Features, d.Numbers = b.features, b.whole
	d.ChosenCuts, d.ChosenGroups = b.chosen()
	d.Notes = append(d.Notes, b.notes()...)
	slices.Sort(b.maybe)
	d.MaybeMissing, d.MaybeCommas = slices.Compact(b.maybe), b.said[maybeCommas] != nil
	return nil
}

// counts returns how many rows each row stands for; nil: one.
func (r *reading) counts() []int64 {
	if r.costs != nil {
		return nil
	}
	return weights.Counts(r.weights)
}

// alike marks the rows for which all decisions cost the same.
func (r *reading) alike(d *Dataset, rows *bitset.BitSet) error {
	switch n := mark(rows, r.n, func(row int) bool { return r.weights[row].Zero() }); n {
	case 0:
	case r.n:
		return fmt.Errorf("%s: all decisions cost the same in each of the %d rows: there is nothing to decide", r.name, n)
	default:
		d.note("%d of %d rows are left out, as all decisions cost the same there", n, r.n)
	}
	return nil
}
