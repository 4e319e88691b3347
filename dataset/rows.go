package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Rows are the raw rows of a table, one at a time, in constant memory. An .out
// file is a table too: a column of 0 and 1 per feature, and the label as the
// last column if its label file is there.
type Rows struct {
	header   []string
	comma    rune
	notes    []string
	twice    map[string]bool // names that more than one column has
	nameless bool            // the first column
	noHeader bool            // the first line is data
	line     int
	raw      []string // cells of the row at hand
	pointed  []string // with points for decimal commas
	next     func() (cells []string, line int, err error)
	file     io.Closer // nil: none
}

// OpenRows opens a table for reading row by row, with the same options for the
// same understanding of separator and header as Read. Close it after use.
func OpenRows(path string, o Options) (*Rows, error) {
	f, err := Open(path)
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
	buffered := bufio.NewReaderSize(in, peekSize)
	switch {
	case IsOut(name):
		r, err = outRows(in, name, o)
	case isColumns(buffered):
		r, err = columnRows(buffered, name, o)
	default:
		var t *table
		if t, r, err = openTable(buffered, name, o, nil); err == nil {
			t.chunks.least = 1 // so that a row is there once its line is
			r.next = t.next
		}
	}
	if err != nil {
		return nil, err
	}
	r.file, _ = in.(io.Closer)
	return r, nil
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

// table is the text of a table, chunk by chunk.
type table struct {
	name    string
	text    *text
	chunks  *chunker
	comma   rune
	header  bool
	width   int
	fields  *fields // of the chunk at hand
	content string  // of that, for cells as strings
	row     int     // of it that comes next
	cells   []string
	line    int // at the beginning of the next chunk
	last    int // line of the row that was read last; 0: none
	ended   bool
}

// openTable reads the header of a table, and returns what is needed for the rows.
func openTable(in io.Reader, name string, o Options, h *textHash) (*table, *Rows, error) {
	text, err := openText(in, name, h, peekSize)
	if err != nil {
		return nil, nil, err
	}
	comma := o.Comma
	if comma == 0 {
		comma = detectSeparator(text.head, text.end == nil)
	}
	data := !o.NoHeader && !o.Header && beginsWithData(text.head, comma)
	t := &table{name: name, text: text, comma: comma, header: !o.NoHeader && !data, line: 1}
	t.chunks = newChunker(text, chunkSize, func(text []byte) (int, error) { return cutRows(text, comma) })
	r := &Rows{comma: comma, noHeader: !t.header}
	first, err := t.first()
	if err != nil {
		return nil, nil, err
	}
	t.width = len(first)
	t.fields = newFields(comma, t.width)
	if data {
		r.notes = []string{"the first line is data, as its cells are values of their columns: the columns are called c1, c2, … (option Header says otherwise)"}
	}
	if !t.header {
		t.last = 0
		r.header = numberedNames(len(first))
		return t, r, nil
	}
	r.nameless = labelsRows(first[0])
	r.header, r.notes, r.twice, err = headings(first, fmt.Sprintf("%s:%d", name, t.last))
	return t, r, err
}

// first returns the first record, and leaves the text behind it, or with it if it is no
// header, for the chunks to come.
func (t *table) first() ([]string, error) {
	for {
		c := t.chunks.next(nil)
		end := c.end
		if end == nil {
			end = io.EOF
		}
		r := csv.NewReader(io.MultiReader(bytes.NewReader(c.text), ending{end}))
		r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = t.comma, -1, trimsSpace(t.comma)
		record, err := r.Read()
		switch {
		case err == nil:
			line, _ := r.FieldPos(0)
			t.last = t.line + line - 1
			if t.header {
				n := r.InputOffset()
				t.line += bytes.Count(c.text[:n], []byte{'\n'})
				c.text = c.text[n:]
			}
			t.chunks.carry = append(c.text, t.chunks.carry...)
			return record, nil
		case err == io.EOF && c.end == nil:
			t.line += bytes.Count(c.text, []byte{'\n'})
		case err == io.EOF && c.end == io.EOF:
			return nil, fmt.Errorf("%s: the file has no lines but empty ones", t.name)
		case err == c.end:
			return nil, t.endOf(c.end, t.line+bytes.Count(c.text, []byte{'\n'}))
		default:
			return nil, t.explainRow(err, t.line-1)
		}
	}
}

// next returns the next row.
func (t *table) next() (cells []string, line int, err error) {
	f := t.fields
	for t.row == f.rows {
		if err := t.endOfChunk(f, t.line); err != nil || t.ended {
			return nil, 0, cmp.Or(err, io.EOF)
		}
		t.line += int(f.line)
		c := t.chunks.next(f.text)
		f.find(c)
		t.content, t.row, t.ended = string(f.text), 0, c.end != nil
	}
	t.cells = t.cells[:0]
	for column := range t.width {
		t.cells = append(t.cells, f.raw(t.content, t.row, column))
	}
	t.last = t.line + int(f.lines[t.row])
	t.row++
	return t.cells, t.last, nil
}

// endOfChunk returns the error behind the rows of a chunk that begins in a line, if
// there is one.
func (t *table) endOfChunk(f *fields, line int) error {
	switch fault := f.fault; {
	case fault != nil && fault.err == nil:
		return t.ragged(fault.cells, line+int(fault.line))
	case fault != nil:
		return t.explainRow(fault.err, line+int(fault.line)-1)
	case f.end == nil || f.end == io.EOF:
		return nil
	}
	return t.endOf(f.end, line+int(f.line))
}

// endOf returns the error of a table that ends so in a line.
func (t *table) endOf(end error, line int) error {
	switch end {
	case errLongRow:
		return fmt.Errorf("%s: %w", t.name, longRow(t.last))
	case errManyFields:
		return fmt.Errorf("%s: %w", t.name, manyFields(t.last))
	}
	return t.text.explain(end, line)
}

// ragged is the error of a row of so many cells.
func (t *table) ragged(cells, line int) error {
	like := "the header"
	if !t.header {
		like = "the first line"
	}
	if t.header && cells == t.width+1 && line == 2 {
		like += " (if R wrote names of rows without a heading: use write.csv)"
	}
	return fmt.Errorf("%s:%d: fields separated by %q: %d, expected %d as in %s", t.name, line, t.comma, cells, t.width, like)
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
		return fmt.Errorf(`%s:%d: the quoted field that begins in line %d is not closed by a quote (") before a %q or line end (if another sign separates fields, name it with option Comma)`, t.name, parse.Line+lines, parse.StartLine+lines, t.comma)
	}
	return fmt.Errorf("%s:%d: %w", t.name, parse.Line+lines, parse.Err)
}
