package dataset

import (
	"errors"
	"fmt"

	"parcorels/optionerr"
	"parcorels/table"
)

// reading is a table in the course of its one pass.
type reading struct {
	o        Options
	rows     *table.Rows
	name     string
	header   []string
	targetAt int
	weightAt int       // -1: none
	columns  []*column // by position; nil: ignored, or the weights
	weights  *decimals // nil: none
	n        int       // rows
	notes    []string
}

// readTable makes labels, weights and features of a table.
func readTable(rows *table.Rows, o Options) (*Dataset, error) {
	if o.Labels != "" {
		return nil, optionerr.Errorf("Labels", "%s: a label file, %s, goes with an .out file only; a table has its labels in a column", rows.Name, o.Labels)
	}
	r := &reading{o: o, rows: rows, name: rows.Name, header: rows.Header(), weightAt: -1}
	if table.DecimalComma(rows.Comma()) {
		r.o.Positive = withPoints(o.Positive)
	}
	if err := r.assign(newFinder(r.header, rows.Twice)); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	keep := make([]table.Keep, len(r.header))
	for i, c := range r.columns {
		if c != nil {
			keep[i] = c.keep
		}
	}
	if r.weightAt >= 0 {
		keep[r.weightAt] = table.KeepTexts
	}
	t, err := rows.ReadAll(keep)
	if err != nil {
		return nil, err
	}
	if r.n = t.Rows; r.n == 0 {
		return nil, fmt.Errorf("%s: there is a header, but no row of data", r.name)
	}
	for i, c := range r.columns {
		if c != nil {
			c.fill(t.Columns[i])
			t.Columns[i] = nil
		}
	}
	if r.weightAt >= 0 {
		if err := r.weigh(t.Columns[r.weightAt]); err != nil {
			return nil, err
		}
	}
	d := &Dataset{
		Source: r.name, Format: "csv", Columns: r.header, NoHeader: rows.NoHeader, Target: r.header[r.targetAt], Notes: append(rows.Notes, r.notes...),
		Hash: t.Hash,
	}
	if err := r.finish(d); err != nil {
		return nil, err
	}
	return d, nil
}

// alwaysKept is how many rows cost next to nothing to keep.
const alwaysKept = 500

// weigh reads the weights of the rows.
func (r *reading) weigh(c *table.Column) error {
	of := make([]decimal, len(c.Texts))
	for code, text := range c.Texts {
		var err error
		if of[code], err = r.weight(text); err != nil {
			if err == errNotPositive {
				err = fmt.Errorf("%w: leave such rows out", err)
			}
			return fmt.Errorf("%s:%d: weight %s in column %s %w", r.name, c.Lines[code], table.Quote(text), table.Quote(r.o.Weight), err)
		}
	}
	r.weights = &decimals{make([]int64, r.n), make([]int8, r.n)}
	for row, code := range c.Codes {
		r.weights.digits[row], r.weights.places[row] = of[code].digits, of[code].places
	}
	return nil
}

// weight reads the weight of a row; that of a row to be dropped is 0.
func (r *reading) weight(text string) (decimal, error) {
	switch {
	case !table.Missing(r.o.Missing).Has(text):
		return parseWeight(text)
	case !r.o.DropMissing:
		return decimal{}, errors.New("is missing: give every row a weight, or drop rows with missing values")
	}
	return decimal{}, nil
}

// keeps reports whether somebody may ask for cells when the features are made.
func (r *reading) keeps() bool { return r.o.KeepColumns || r.n <= alwaysKept }

// label sets labels and weights of d by the column of labels.
func (r *reading) label(d *Dataset, b *builder, target *column) error {
	if err := b.label(d, target); err != nil {
		return err
	}
	weights, places, err := r.weights.of()
	if err == nil {
		err = weigh(d, weights, places, r.o.ClassWeights)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

// finish makes labels, weights and features of what was read.
func (r *reading) finish(d *Dataset) error {
	if err := r.addParts(d); err != nil {
		return err
	}
	b := newBuilder(r.name, r.o, r.columns, r.n)
	r.columns = nil // so that rows that are dropped take no memory
	if err := b.choose(r.targetAt); err != nil {
		return err
	}
	if r.o.DropMissing || r.o.DropUnlabelled {
		if rows, note := b.incomplete(r.weights); rows.Any() {
			d.note("%s", note)
			d.dropped = rows
			b = b.within(rows.Complement())
			r.weights = r.weights.within(rows.Complement(), b.n)
		}
	}
	if b.n == 0 {
		return fmt.Errorf("%s: every one of the %d rows has a missing value: none is left", r.name, r.n)
	}
	d.N, d.Dropped = b.n, r.n-b.n
	if err := r.label(d, b, b.columns[r.targetAt]); err != nil {
		return err
	}
	b.columns[r.targetAt] = nil
	b.hintCodes(d)
	keep := r.keeps()
	b.once = !keep
	b.cutAll(b, d, nil, d.Weights)
	b.direction = directionOf(d)
	b.addAll(keep)
	if keep {
		d.kept = newBuilder(b.source, b.o, b.columns, b.n)
	}
	d.Features, d.Numbers = b.features, b.whole
	d.Notes = append(d.Notes, b.notes()...)
	return nil
}
