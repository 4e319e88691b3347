package dataset

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// reading is a table in the course of its one pass.
type reading struct {
	o          Options
	name       string
	header     []string
	targetAt   int
	weightAt   int       // -1: none
	columns    []*column // by position; nil: ignored, or the weights
	weights    *decimals // nil: none
	rows       int
	attributes int // columns that may become features
}

// readTable reads a CSV file: all rows into packed columns, then labels,
// weights and features.
func readTable(in io.Reader, name string, o Options) (*Dataset, error) {
	rows, err := tableRows(in, name, o)
	if err != nil {
		return nil, err
	}
	r := &reading{o: o, name: name, header: rows.Header(), weightAt: -1}
	if err := r.assign(rows.twice); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := r.readAll(rows); err != nil {
		return nil, err
	}
	d := &Dataset{
		Source: name, Format: "csv", Columns: r.header, Target: r.header[r.targetAt], Notes: rows.notes,
		Hash: "sha256:" + hex.EncodeToString(rows.text.hash.Sum(nil)),
	}
	if err := r.finish(d); err != nil {
		return nil, err
	}
	return d, nil
}

// assign finds the columns that options name and gives each column its part.
func (r *reading) assign(twice map[string]bool) error {
	at := make(map[string]int, len(r.header))
	for i, name := range r.header {
		at[name] = i
	}
	find := func(role, name string) (int, error) {
		i, ok := at[name]
		if !ok {
			return 0, fmt.Errorf("no column %s (%s); the columns are %s", quote(name), role, quoteSome(r.header))
		}
		if twice[name] && role != "to ignore" {
			return 0, fmt.Errorf("more than one column is called %s (%s): rename one", quote(name), role)
		}
		return i, nil
	}
	var err error
	r.targetAt = len(r.header) - 1
	if r.o.Target != "" {
		if r.targetAt, err = find("the target", r.o.Target); err != nil {
			return err
		}
	}
	if r.o.Weight != "" {
		if r.weightAt, err = find("the weights", r.o.Weight); err != nil {
			return err
		}
		r.weights = &decimals{}
	}
	if r.weightAt == r.targetAt {
		return fmt.Errorf("column %s cannot be both target and weight", quote(r.header[r.targetAt]))
	}
	ignored := make(map[int]bool, len(r.o.Ignore))
	for _, name := range r.o.Ignore {
		i, err := find("to ignore", name)
		if err != nil {
			return err
		}
		if i == r.targetAt || i == r.weightAt {
			return fmt.Errorf("column %s cannot be ignored: it is the target or the weight", quote(name))
		}
		ignored[i] = true
	}
	r.columns = make([]*column, len(r.header))
	for i, name := range r.header {
		if !ignored[i] && i != r.weightAt {
			r.columns[i] = &column{name: name, missing: r.o.Missing, coded: i == r.targetAt}
			r.attributes++
		}
	}
	r.attributes--
	for _, name := range slices.Sorted(maps.Keys(r.o.Cuts)) {
		if i, err := find("with cuts", name); err != nil {
			return err
		} else if r.columns[i] == nil || i == r.targetAt {
			return fmt.Errorf("column %s cannot have cuts: it is the target, the weight or ignored", quote(name))
		}
	}
	switch {
	case len(r.header) == 1:
		return fmt.Errorf("only one column, %s, is found: expected at least two; is the separator another than , ; | or tab?", quote(r.header[0]))
	case r.attributes == 0:
		return errors.New("no column is left besides the target: nothing to learn from")
	}
	return nil
}

// readAll reads the rows into the columns.
func (r *reading) readAll(rows *Rows) error {
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		r.rows++
		line := rows.Line()
		for i, c := range r.columns {
			if c == nil {
				continue
			}
			if err := c.add(cells[i], line); err != nil {
				return fmt.Errorf("%s:%d: %s in column %s %w: convert the file, or ignore the column", r.name, line, quote(cells[i]), quote(c.name), err)
			}
		}
		if r.weights == nil {
			continue
		}
		if err := r.addWeight(clean(cells[r.weightAt])); err != nil {
			return fmt.Errorf("%s:%d: weight %s in column %s %w", r.name, line, quote(cells[r.weightAt]), quote(r.o.Weight), err)
		}
	}
	if r.rows == 0 {
		return fmt.Errorf("%s: there is a header, but no row of data", r.name)
	}
	return nil
}

func (r *reading) addWeight(text string) error {
	if !missing(r.o.Missing).has(text) {
		return r.weights.add(text)
	}
	if !r.o.DropMissing {
		return errors.New("is missing: give every row a weight, or drop rows with missing values")
	}
	r.weights.addMissing()
	return nil
}

// finish makes labels, weights and features of what was read.
func (r *reading) finish(d *Dataset) error {
	target := r.columns[r.targetAt]
	b := newBuilder(r.name, r.o, r.rows)
	if err := b.choose(r.columns, r.targetAt); err != nil {
		return err
	}
	if r.o.DropMissing {
		d.Notes = append(d.Notes, b.drop(target, r.weights)...)
	}
	if b.n == 0 {
		return fmt.Errorf("%s: every one of the %d rows has a missing value: none is left", r.name, r.rows)
	}
	d.N, d.Dropped = b.n, r.rows-b.n
	if err := b.label(d, target); err != nil {
		return err
	}
	weights, places, err := r.weights.of(b)
	if err == nil {
		err = weigh(d, weights, places, r.o.ClassWeights)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	r.columns[r.targetAt] = nil
	for i, c := range r.columns {
		if c != nil {
			b.add(c)
			r.columns[i] = nil // its codes are needed no longer
		}
	}
	d.Features = b.features
	d.Notes = append(d.Notes, b.notes()...)
	return nil
}

// keptBits returns where the cells of a column that have one of the codes of
// is are, among the rows kept.
func keptBits(b *builder, c *column, is []bool) *bitset.BitSet {
	set := bitset.New(uint(b.n))
	for i, row := range b.kept() {
		if is[c.codes.at(row)] {
			set.Set(uint(i))
		}
	}
	return set
}
