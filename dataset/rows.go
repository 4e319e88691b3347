package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
)

// Rows are the raw rows of a table, one at a time, in constant memory. An .out
// file is a table too: a column of 0 and 1 per feature, and the label as the
// last column if its label file is there.
type Rows struct {
	header  []string
	comma   rune
	notes   []string
	twice   map[string]bool // names that more than one column has
	line    int
	raw     []string // cells of the row at hand
	pointed []string // with points for decimal commas
	next    func() (cells []string, line int, err error)
	file    io.Closer
}

// OpenRows opens a table for reading row by row, with the same options for the
// same understanding of separator and header as Read. Close it after use.
func OpenRows(path string, o Options) (*Rows, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	r, err := NewRows(f, path, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.file = f
	return r, nil
}

// NewRows is OpenRows on a stream; name stands for the path.
func NewRows(in io.Reader, name string, o Options) (*Rows, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if IsOut(name) {
		return outRows(in, name, o)
	}
	return tableRows(in, name, o, nil)
}

// Header returns the names of the columns: free of space around them and of
// characters that do not print, and made different where they are not.
func (r *Rows) Header() []string { return r.header }

// Comma returns the character that separates fields.
func (r *Rows) Comma() rune { return r.comma }

// Line returns the line on which the row that Next returned last begins.
func (r *Rows) Line() int { return r.line }

// Next returns the cells of the next row, as many as the header has; they are
// valid until the next call. At the end it returns io.EOF. Where a semicolon
// separates, a decimal comma comes as a point; Raw has the cells as they are.
func (r *Rows) Next() ([]string, error) {
	cells, line, err := r.next()
	if err != nil {
		return cells, err
	}
	r.line = line
	r.raw = cells
	if !decimalComma(r.comma) {
		return cells, nil
	}
	r.pointed = r.pointed[:0]
	for _, cell := range cells {
		if strings.IndexByte(cell, ',') >= 0 {
			if text := clean(cell); withPoint(text) != text {
				cell = withPoint(text)
			}
		}
		r.pointed = append(r.pointed, cell)
	}
	return r.pointed, nil
}

// Raw returns the cells of the row that Next returned last as the table has
// them.
func (r *Rows) Raw() []string { return r.raw }

// Close closes the file.
func (r *Rows) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// table parses the lines of a CSV file of a fixed number of columns.
type table struct {
	name    string
	text    *text
	records *records
	comma   rune
	width   int
	header  bool
	first   []string // without a header the first row, until it is handed out
}

func tableRows(in io.Reader, name string, o Options, h hash.Hash) (*Rows, error) {
	t, r, err := openTable(in, name, o, h)
	if err != nil {
		return nil, err
	}
	r.next = t.next
	return r, nil
}

// openTable reads the first record of a table, and returns what is needed for
// the others, in whatever way they are read.
func openTable(in io.Reader, name string, o Options, h hash.Hash) (*table, *Rows, error) {
	text, buffered, err := openText(in, name, h, peekSize)
	if err != nil {
		return nil, nil, err
	}
	comma := o.Comma
	if comma == 0 {
		comma = detectSeparator(buffered)
	}
	text.row.cut = []byte(string(comma))
	t := &table{name: name, text: text, records: newRecords(buffered, comma), comma: comma, header: !o.NoHeader}
	first, err := t.records.read()
	if err == io.EOF {
		return nil, nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	if err != nil {
		return nil, nil, t.explain(err)
	}
	text.row.next(t.records.begin)
	r := &Rows{comma: comma}
	t.width = len(first)
	if o.NoHeader {
		t.first = first
		r.header = numberedNames(len(first))
		return t, r, nil
	}
	r.header, r.notes, r.twice, err = headings(first, fmt.Sprintf("%s:%d", name, t.records.begin))
	return t, r, err
}

func (t *table) next() (cells []string, line int, err error) {
	if cells = t.first; cells != nil {
		t.first = nil
		return cells, t.records.begin, nil
	}
	if cells, err = t.records.read(); err != nil {
		return nil, 0, t.explain(err)
	}
	line = t.records.begin
	t.text.row.next(line)
	if len(cells) != t.width {
		return nil, 0, t.ragged(len(cells), line)
	}
	return cells, line, nil
}

// ragged is the error of a row of so many cells.
func (t *table) ragged(cells, line int) error {
	like := "the header"
	if !t.header {
		like = "the first line"
	}
	return fmt.Errorf("%s:%d: fields separated by %q: %d, expected %d as in %s", t.name, line, t.comma, cells, t.width, like)
}

// explain says what an error of the sequential reader means; io.EOF stays
// io.EOF.
func (t *table) explain(err error) error {
	switch {
	case t.text.err != nil:
		return t.text.err
	case err == io.EOF:
		return err
	}
	return t.explainRow(err, t.records.cut)
}

// explainRow says what a parse error means, behind so many lines that
// encoding/csv has not seen.
func (t *table) explainRow(err error, lines int) error {
	var parse *csv.ParseError
	switch {
	case !errors.As(err, &parse):
		return fmt.Errorf("%s: %w", t.name, err)
	case errors.Is(err, csv.ErrBareQuote):
		return fmt.Errorf(`%s:%d: a quote (") at byte %d inside a field that does not begin with one: quote the field and double the quote`, t.name, parse.Line+lines, parse.Column)
	case errors.Is(err, csv.ErrQuote):
		return fmt.Errorf(`%s:%d: the quoted field that begins in line %d is not closed by a quote (") before a separator or line end`, t.name, parse.Line+lines, parse.StartLine+lines)
	}
	return fmt.Errorf("%s:%d: %w", t.name, parse.Line+lines, parse.Err)
}
