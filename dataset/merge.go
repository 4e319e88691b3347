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
}

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

// columnsAtOnce is how many columns of a chunk one goroutine merges.
const columnsAtOnce = 1 << 6

// merge adds the rows of a chunk.
func (r *tableReader) merge(p *parsedRows) error {
	f, t := p.fields, r.table
	line := func(row int) int { return t.line + int(f.lines[row]) }
	// Columns do not know one another. Those of a wide table are merged side by side: on many
	// processors, merging them one by one would take longer than parsing.
	errs := make([]*cellError, (len(r.columns)+columnsAtOnce-1)/columnsAtOnce)
	loop.Parallel(len(errs), func(at int) {
		for i := at * columnsAtOnce; i < min((at+1)*columnsAtOnce, len(r.columns)); i++ {
			if c := r.columns[i]; c != nil {
				row, err := r.mergeColumn(c, &p.columns[i], line)
				errs[at] = errs[at].orEarlier(row, i, err)
				r.states[i].Store(uint32(c.state()))
			}
		}
	})
	var first *cellError
	for _, e := range errs {
		if e != nil {
			first = first.orEarlier(e.row, e.column, e.err)
		}
	}
	if r.weights != nil {
		row, err := r.mergeWeights(&p.columns[r.weightAt])
		first = first.orEarlier(row, r.weightAt, err)
	}
	if first != nil {
		return r.errorAt(f.raw(string(f.text), first.row, first.column), first.column, line(first.row), first.err)
	}
	if r.rows == 0 && f.rows > 0 { // all rows will be as long
		for _, c := range r.columns {
			if c != nil {
				c.codes.Expect(int(r.length/int64(f.length)*int64(f.rows)) * 65 / 64)
			}
		}
	}
	if r.rows += f.rows; r.rows > maxRows {
		return fmt.Errorf("%s:%d: more than %d rows", r.name, line(f.rows-1-(r.rows-maxRows-1)), maxRows)
	}
	if f.rows > 0 {
		t.last = line(f.rows - 1)
	}
	if err := r.checkMemory(); err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, t.last, err)
	}
	err := t.endOfChunk(f, t.line)
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
