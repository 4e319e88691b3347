package dataset

import (
	"errors"
	"fmt"
	"io"

	"parcorels/optionerr"
)

// reading is a table in the course of its one pass.
type reading struct {
	o        Options
	name     string
	header   []string
	targetAt int
	weightAt int       // -1: none
	columns  []*column // by position; nil: ignored, or the weights
	weights  *decimals // nil: none
	rows     int
	comma    bool // numbers may have a decimal comma
	rowNames bool // the first column has no name
	notes    []string
	numbers  numberParser
	labelled bool      // labels and weights were made before all columns were read
	asking   *guessing // asked about columns then; nil: it was not
}

// readTable reads a CSV file: all rows into packed columns, then labels,
// weights and features.
func readTable(in io.Reader, name string, o Options, p plan) (*Dataset, error) {
	if o.Labels != "" {
		return nil, optionerr.Errorf("Labels", "%s: a label file, %s, goes with an .out file only; a table has its labels in a column", name, o.Labels)
	}
	h := newTextHash(o)
	defer h.end()
	t, rows, err := openTable(in, name, o, h)
	if err != nil {
		return nil, err
	}
	r := &reading{o: o, name: name, header: rows.Header(), weightAt: -1, rowNames: rows.nameless}
	if err := r.assign(newFinder(r.header, rows.twice)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := r.readRows(t, p); err != nil {
		return nil, err
	}
	if r.rows == 0 {
		return nil, fmt.Errorf("%s: there is a header, but no row of data", r.name)
	}
	d := &Dataset{
		Source: name, Format: "csv", Columns: r.header, NoHeader: rows.noHeader, Target: r.header[r.targetAt], Notes: append(rows.notes, r.notes...),
		Hash: h.end(),
	}
	if err := r.finish(d); err != nil {
		return nil, err
	}
	return d, nil
}

// alwaysKept is how many rows cost next to nothing to keep.
const alwaysKept = 500

// errorAt is the error of a cell.
func (r *reading) errorAt(cell string, column, line int, err error) error {
	if column == r.weightAt {
		if err == errNotPositive {
			err = fmt.Errorf("%w: leave such rows out", err)
		}
		return fmt.Errorf("%s:%d: weight %s in column %s %w", r.name, line, quote(cell), quote(r.o.Weight), err)
	}
	return fmt.Errorf("%s:%d: %s in column %s %w: convert the file by iconv -f LATIN1 -t UTF-8, if that is its encoding, or ignore the column", r.name, line, quote(cell), quote(r.header[column]), err)
}

// weight reads the weight of a row; that of a row to be dropped is 0.
func (r *reading) weight(text string) (decimal, error) {
	if r.comma {
		text = withPoint(text)
	}
	switch {
	case !missing(r.o.Missing).has(text):
		return parseWeight(text)
	case !r.o.DropMissing:
		return decimal{}, errors.New("is missing: give every row a weight, or drop rows with missing values")
	}
	return decimal{}, nil
}

// keeps reports whether somebody may ask for cells when the features are made.
func (r *reading) keeps() bool { return r.o.KeepColumns || r.rows <= alwaysKept }

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
	b := newBuilder(r.name, r.o, r.columns, r.rows)
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
		return fmt.Errorf("%s: every one of the %d rows has a missing value: none is left", r.name, r.rows)
	}
	d.N, d.Dropped = b.n, r.rows-b.n
	if !r.labelled {
		if err := r.label(d, b, b.columns[r.targetAt]); err != nil {
			return err
		}
	}
	b.columns[r.targetAt] = nil
	b.hintCodes(d)
	keep := r.keeps()
	b.once, b.asking = !keep, r.asking
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
