package dataset

import (
	"fmt"
	"io"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"
)

// shared returns a string that shares the memory of b, which must not change
// while the string is in use.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// tableReader reads the rows of a table in chunks into its columns.
type tableReader struct {
	*reading
	table   *table
	source  *source
	states  []atomic.Uint32 // columnState by position
	numbers numberParser
	line    int // at the beginning of the next chunk
	last    int // line of the row before it; 0: none
}

// parsedRows is a chunk, cell by cell. It is used again once it is merged, for a
// chunk whose texts are mostly the same.
type parsedRows struct {
	fields  *fields
	columns []cellCodes // by position
	lines   int         // line ends
	end     error
}

// readRows reads all rows behind the first record of t.
func (r *reading) readRows(t *table, p plan) error {
	p = p.withDefaults(len(r.header))
	tr := &tableReader{
		reading: r, table: t, states: make([]atomic.Uint32, len(r.header)), numbers: newNumberParser(r.o.Missing, decimalComma(t.comma)),
		line: t.records.cut + t.records.whole + 1, last: t.records.begin,
	}
	if r.comma = decimalComma(t.comma); r.comma {
		r.o.Positive = withPoints(r.o.Positive)
	}
	for _, c := range r.columns {
		if c != nil {
			c.comma = r.comma
		}
	}
	if t.first != nil {
		if err := r.addRow(t.first, t.records.begin); err != nil {
			return err
		}
	}
	s := newSource(t.text, t.records.in, rowCutter{[]byte(string(t.comma))}, p.size)
	tr.source = s
	return inChunks(s, p.workers, tr.newParser, tr.merge)
}

// newParser returns the parser of one worker.
func (r *tableReader) newParser() func(chunk) *parsedRows {
	p := &parsedRows{fields: newFields(r.table.comma, len(r.header)), columns: make([]cellCodes, len(r.header))}
	return func(c chunk) *parsedRows {
		p.fields.find(c)
		p.end, p.lines = c.end, int(p.fields.line)
		rows := p.fields.rows
		for i := range p.columns {
			p.columns[i].begin(columnState(r.states[i].Load()), rows)
		}
		// Some rows of all columns, so that their text stays in the first-level cache.
		for first := 0; first < rows; first += rowsAtOnce {
			last := min(first+rowsAtOnce, rows)
			for i := range p.columns {
				e := &p.columns[i]
				switch {
				case i != r.weightAt && r.columns[i] == nil:
				case e.state == floatState && e.odd == "":
					e.parse(p.fields, i, first, last, r.numbers)
				case e.state == codedState:
					e.encode(p.fields, i, first, last)
				}
			}
		}
		return p
	}
}

// rowsAtOnce is how many rows are parsed column by column.
const rowsAtOnce = 1 << 7

// cellError is an error at a cell of a chunk.
type cellError struct {
	row, column int
	err         error
}

// merge adds the rows of a chunk.
func (r *tableReader) merge(p *parsedRows) error {
	f := p.fields
	var first *cellError
	note := func(row, column int, err error) {
		if err != nil && (first == nil || row < first.row) {
			first = &cellError{row, column, err}
		}
	}
	for i, c := range r.columns {
		if c != nil {
			row, err := r.mergeColumn(c, &p.columns[i], f)
			note(row, i, err)
			r.states[i].Store(uint32(c.state()))
		}
	}
	if r.weights != nil {
		row, err := r.mergeWeights(&p.columns[r.weightAt], f.rows)
		note(row, r.weightAt, err)
	}
	if first != nil {
		return r.cellError(f, first)
	}
	if r.rows += f.rows; r.rows > maxRows {
		return fmt.Errorf("%s:%d: more than %d rows", r.name, r.lineOf(f, f.rows-1-(r.rows-maxRows-1)), maxRows)
	}
	if f.rows > 0 {
		r.last = r.lineOf(f, f.rows-1)
	}
	if err := r.checkMemory(); err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, r.last, err)
	}
	if f.fault != nil {
		return r.rowFault(f.fault)
	}
	if r.rows == f.rows && f.rows > 0 {
		r.expect(f.rows, f.length)
	}
	r.line += p.lines
	return r.ended(p.end)
}

// expect tells the columns how many rows there will be, if all are as long as those
// of the first chunk: of so many rows and bytes.
func (r *tableReader) expect(rows, bytes int) {
	all := int(r.source.left() / int64(bytes) * int64(rows))
	for _, c := range r.columns {
		if c != nil {
			c.codes.Expect(all + all/64)
		}
	}
}

// ended returns the error of a file that ends so.
func (r *tableReader) ended(end error) error {
	switch {
	case end == errLongRow:
		return fmt.Errorf("%s: %w", r.name, longRow(r.last))
	case end == errManyFields:
		return fmt.Errorf("%s: %w", r.name, manyFields(r.last))
	case end != io.EOF:
		return end
	}
	return nil
}

func (r *tableReader) lineOf(f *fields, row int) int { return r.line + int(f.lines[row]) }

// mergeColumn adds the cells of a column. An error is that of the first cell
// that has one.
func (r *tableReader) mergeColumn(c *column, e *cellCodes, f *fields) (row int, err error) {
	if c.free {
		return 0, nil
	}
	if e.state == floatState {
		c.floats.AddAll(e.floats)
		if e.odd != "" {
			c.notNumber(e.odd, r.lineOf(f, len(e.floats)))
		}
		return 0, nil
	}
	if c.floats == nil {
		if row, err = r.mergeTexts(c, e, f); err != nil || c.free {
			return row, err
		}
	}
	if c.floats == nil {
		c.codes.AddAll(e.codes, e.to)
		return 0, nil
	}
	values := make([]float64, len(e.texts))
	for code, text := range e.texts {
		v, ok := r.numbers.parse([]byte(text))
		if !ok {
			c.notNumber(text, r.lineOf(f, e.first[code]))
			return 0, nil
		}
		values[code] = v
	}
	for _, code := range e.codes {
		c.floats.Add(values[code])
	}
	return 0, nil
}

// mergeTexts adds the new texts of a chunk, unless the column turns out to have no
// codes.
func (r *tableReader) mergeTexts(c *column, e *cellCodes, f *fields) (row int, err error) {
	for code := len(e.to); code < len(e.texts); code++ {
		text := c.canonical(e.texts[code])
		to, ok := c.find(text)
		if !ok {
			if !utf8.ValidString(text) {
				return e.first[code], errNotUTF8
			}
			if to = c.enter(text, r.lineOf(f, e.first[code])); c.free || c.floats != nil {
				return 0, nil
			}
		}
		e.merged(to, c.texts[to])
	}
	return 0, nil
}

// mergeWeights adds the weights of the rows.
func (r *tableReader) mergeWeights(e *cellCodes, rows int) (row int, err error) {
	of := make([]decimal, len(e.texts))
	for code, text := range e.texts {
		if of[code], err = r.weight(text); err != nil {
			return e.first[code], err
		}
	}
	for code := len(e.to); code < len(e.texts); code++ {
		e.merged(0, "")
	}
	for _, code := range e.codes[:rows] {
		r.weights.append(of[code])
	}
	return 0, nil
}

// cellError is the error of a cell of the chunk at hand.
func (r *tableReader) cellError(f *fields, e *cellError) error {
	return r.errorAt(f.raw(e.row, e.column), e.column, r.lineOf(f, e.row), e.err)
}

// rowFault is the error of a row that is none.
func (r *tableReader) rowFault(f *rowFault) error {
	if f.err == nil {
		return r.table.ragged(f.cells, r.line+int(f.line))
	}
	return r.table.explainRow(f.err, r.line+int(f.line)-1)
}
