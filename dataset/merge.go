package dataset

import (
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"parcorels/internal/loop"
)

// shared returns a string that shares the memory of b, which must not change
// while the string is in use.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// tableReader reads the rows of a table in chunks into its columns.
type tableReader struct {
	*reading
	table  *table
	length int64           // of the file; 0: nobody knows
	states []atomic.Uint32 // columnState by position
}

// parsedRows is a chunk, cell by cell. It is used again once it is merged, for a
// chunk whose texts are mostly the same.
type parsedRows struct {
	fields  *fields
	columns []cellCodes // by position
	line    int         // of the first row
	fault   *cellError  // nil: none
}

// lineOf returns the line of a row.
func (p *parsedRows) lineOf(row int) int { return p.line + int(p.fields.lines[row]) }

// readRows reads all rows of t.
func (r *reading) readRows(t *table, p plan) error {
	p = p.withDefaults(len(r.header))
	t.chunks.size, t.chunks.least = p.size, p.size
	if r.comma = decimalComma(t.comma); r.comma {
		r.o.Positive = withPoints(r.o.Positive)
	}
	r.numbers = newNumberParser(r.o.Missing, r.comma)
	for _, c := range r.columns {
		if c != nil {
			c.comma = r.comma
		}
	}
	tr := &tableReader{reading: r, table: t, length: p.length, states: make([]atomic.Uint32, len(r.header))}
	return inChunks(t.chunks, p.workers, tr.newParser, tr.merge)
}

// newParser returns the parser of one worker.
func (r *tableReader) newParser() func(chunk) *parsedRows {
	p := &parsedRows{fields: newFields(r.table.comma, len(r.header)), columns: make([]cellCodes, len(r.header))}
	return func(c chunk) *parsedRows {
		p.fields.find(c)
		rows := p.fields.rows
		for i := range p.columns {
			e := &p.columns[i]
			switch e.begin(columnState(r.states[i].Load()), rows); {
			case i != r.weightAt && r.columns[i] == nil:
			case e.state == floatState:
				e.parse(p.fields, i, rows, r.numbers)
			case e.state == codedState:
				e.encode(p.fields, i)
			}
		}
		return p
	}
}

// cellError is an error at a cell of a chunk.
type cellError struct {
	row, column int
	err         error
}

// orEarlier returns the error of a cell if it is in an earlier row.
func (e *cellError) orEarlier(row, column int, err error) *cellError {
	if err != nil && (e == nil || row < e.row) {
		return &cellError{row, column, err}
	}
	return e
}

// columnsAtOnce returns how many of so many columns one goroutine merges.
func columnsAtOnce(columns int) int { return max(1, columns>>6) }

// merge adds the rows of chunks that follow one another. Columns do not know one another, and are merged side by
// side. One by one they take a quarter of the time of parsing, so that more than four processors would wait for that.
func (r *tableReader) merge(chunks []*parsedRows) error {
	line := r.table.line // of the first row of a chunk
	for _, p := range chunks {
		p.line = line
		line += int(p.fields.line)
		p.fault = nil
	}
	r.mergeColumns(chunks)
	for _, p := range chunks {
		if err := r.end(p); err != nil {
			return err
		}
	}
	if err := r.checkMemory(); err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, r.table.last, err)
	}
	return nil
}

// mergeColumns adds the cells of chunks, each up to its first fault.
func (r *tableReader) mergeColumns(chunks []*parsedRows) {
	each := columnsAtOnce(len(r.columns))
	parts := (len(r.columns) + each - 1) / each
	faults := make([]*cellError, parts*len(chunks))
	loop.Parallel(parts, func(part int) {
		for i := part * each; i < min((part+1)*each, len(r.columns)); i++ {
			c := r.columns[i]
			if c == nil {
				continue
			}
			for k, p := range chunks {
				row, err := r.mergeColumn(c, &p.columns[i], p.lineOf)
				if fault := &faults[k*parts+part]; err != nil {
					*fault = (*fault).orEarlier(row, i, err)
					break
				}
			}
			r.states[i].Store(uint32(c.state()))
		}
	})
	for k, p := range chunks {
		for _, e := range faults[k*parts : (k+1)*parts] {
			if e != nil {
				p.fault = p.fault.orEarlier(e.row, e.column, e.err)
			}
		}
	}
}

// end ends a chunk whose columns are merged. The error is the first that its text has.
func (r *tableReader) end(p *parsedRows) error {
	f, t := p.fields, r.table
	if r.weights != nil {
		row, err := r.mergeWeights(&p.columns[r.weightAt])
		p.fault = p.fault.orEarlier(row, r.weightAt, err)
	}
	if e := p.fault; e != nil {
		return r.errorAt(f.raw(string(f.text), e.row, e.column), e.column, p.lineOf(e.row), e.err)
	}
	if r.rows == 0 && f.rows > 0 { // all rows will be as long
		for _, c := range r.columns {
			if c != nil {
				c.codes.Expect(int(r.length/int64(f.length)*int64(f.rows)) * 65 / 64)
			}
		}
	}
	if r.rows += f.rows; r.rows > maxRows {
		return fmt.Errorf("%s:%d: more than %d rows", r.name, p.lineOf(f.rows-1-(r.rows-maxRows-1)), maxRows)
	}
	if f.rows > 0 {
		t.last = p.lineOf(f.rows - 1)
	}
	err := t.endOfChunk(f, p.line)
	t.line += int(f.line)
	return err
}

// mergeColumn adds the cells of a column. An error is that of the first cell
// that has one; line tells the line of a row.
func (r *reading) mergeColumn(c *column, e *cellCodes, line func(row int) int) (row int, err error) {
	switch {
	case c.free:
		return 0, nil
	case e.state == floatState:
		c.floats.AddAll(e.floats)
		if e.odd != "" {
			c.notNumber(e.odd, line(len(e.floats)))
		}
		return 0, nil
	}
	texts := e.texts
	first := len(c.texts) == 0 && !c.comma
	if first { // all are new, and are copied together
		texts = together(texts)
		c.texts, c.lines = make([]string, 0, len(texts)), make([]int, 0, len(texts))
	}
	for code := len(e.to); code < len(texts) && c.state() == codedState; code++ {
		text := c.canonical(texts[code])
		to, known := uint32(0), false
		if !first {
			to, known = c.find(text)
		}
		if !known {
			if !utf8.ValidString(text) {
				return e.first[code], errNotUTF8
			}
			if !first {
				text = strings.Clone(text) // cells share the memory of their row
			}
			if to, known = c.enter(text, line(e.first[code])); !known {
				break
			}
		}
		e.merged(to, c.texts[to])
	}
	switch c.state() {
	case codedState:
		c.codes.Append(e.codes, e.to)
	case floatState:
		r.addFloats(c, e, line)
	}
	return 0, nil
}

// together returns a copy of texts, all in one piece of memory.
func together(texts []string) []string {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	var all strings.Builder
	all.Grow(size)
	for _, t := range texts {
		all.WriteString(t)
	}
	rest, own := all.String(), make([]string, len(texts))
	for i, t := range texts {
		own[i], rest = rest[:len(t)], rest[len(t):]
	}
	return own
}

// addFloats adds cells that have codes to a column of floats.
func (r *reading) addFloats(c *column, e *cellCodes, line func(row int) int) {
	values := make([]float64, len(e.texts))
	for code, text := range e.texts {
		v, ok := r.numbers.parse([]byte(text))
		if !ok {
			c.notNumber(text, line(e.first[code]))
			return
		}
		values[code] = v
	}
	for _, code := range e.codes {
		c.floats.Add(values[code])
	}
}

// mergeWeights adds the weights of the rows.
func (r *reading) mergeWeights(e *cellCodes) (row int, err error) {
	of := make([]decimal, len(e.texts))
	for code, text := range e.texts {
		if of[code], err = r.weight(text); err != nil {
			return e.first[code], err
		}
	}
	for code := len(e.to); code < len(e.texts); code++ {
		e.merged(0, "")
	}
	for _, code := range e.codes {
		r.weights.append(of[code])
	}
	return 0, nil
}
