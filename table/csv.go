package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"parcorels/loop"
)

// chunkRows are the rows of a chunk, column by column.
type chunkRows struct {
	columns []chunkColumn // by position
	lines   []int32       // on which rows begin, from 1 in the first line of the chunk
	newline int           // how many lines the chunk has
	fault   error         // of encoding/csv, or errRagged, behind the rows
	cells   int           // how many the ragged row has
	at      int           // the line of that
	length  int           // bytes of the chunk
	end     error         // why the text ends behind it
}

var errRagged = errors.New("ragged row")

// chunkColumn is the cells of a column in a chunk. It is parsed without knowledge of the chunks before it, but for
// what the column has become by then: a column that is given up stays so, and one of numbers has no codes any more.
// Whatever becomes of a column becomes so at a text that it has not had before, so that adding the distinct texts
// of a chunk, in the order in which they come, is the same as adding the cells.
type chunkColumn struct {
	state   columnState
	codes   []uint32
	texts   []string // by code
	first   []int32  // row in which a text comes first, by code
	index   map[string]uint32
	numbers []float64
	parsed  bool   // cells are numbers
	marks   Marks  // of these
	odd     string // the first cell that is no number, behind numbers; "": none
}

// begin begins a chunk of a column in a state.
func (c *chunkColumn) begin(state columnState) {
	if c.state, c.odd, c.parsed = state, "", state == numeric; state == coded && c.index == nil {
		c.index = map[string]uint32{}
	}
	c.codes, c.numbers, c.marks = c.codes[:0], c.numbers[:0], Marks{}
}

// add adds a cell.
func (c *chunkColumn) add(cell string, of *Column) {
	switch text := Clean(cell); c.state {
	case numeric:
		v, ok := of.number(text, &c.marks)
		if !ok {
			c.odd, c.state = text, free
			return
		}
		c.numbers = append(c.numbers, v)
	case coded:
		code, ok := c.index[text]
		if !ok {
			code = uint32(len(c.texts))
			c.index[text] = code
			c.texts, c.first = append(c.texts, text), append(c.first, int32(len(c.codes)))
		}
		c.codes = append(c.codes, code)
	}
}

// forget lets go of what is in the column.
func (c *chunkColumn) forget() {
	clear(c.index)
	clear(c.texts)
	c.texts, c.first = c.texts[:0], c.first[:0]
}

// csvReader reads all rows of a text.
type csvReader struct {
	*csvText
	columns []*Column
	states  []atomic.Uint32 // columnState by position
	rows    int
	spare   sync.Pool // of *chunkRows
}

// readAll reads all rows.
func (t *csvText) readAll(keep []Keep) (*Table, error) {
	r := &csvReader{csvText: t, columns: make([]*Column, t.width), states: make([]atomic.Uint32, t.width)}
	for i, k := range keep {
		if k != KeepNothing {
			r.columns[i] = newColumn(k, t.o.Missing, t.o.DecimalComma)
		}
	}
	if t.chunk == 0 {
		t.chunk = min(max(leastChunk, t.width*cellsAtOnce), mostChunk)
	}
	read := func(yield func(chunk) bool) { eachChunk(t.in, t.text, t.chunk, &t.texts, yield) }
	if err := inChunks(read, runtime.GOMAXPROCS(0), r.parse, r.add); err != nil {
		return nil, err
	}
	return &Table{Columns: r.columns, Rows: r.rows, Hash: HashText(t.text.hash)}, nil
}

// parse parses a chunk.
func (r *csvReader) parse(c chunk) *chunkRows {
	p, ok := r.spare.Get().(*chunkRows)
	if !ok {
		p = &chunkRows{columns: make([]chunkColumn, r.width)}
	}
	*p = chunkRows{columns: p.columns, lines: p.lines[:0], newline: bytes.Count(c.text, []byte{'\n'}), length: len(c.text), end: c.end}
	var kept []int
	for i, of := range r.columns {
		if state := columnState(r.states[i].Load()); of != nil {
			p.columns[i].begin(state)
			if state != free {
				kept = append(kept, i)
			}
		}
	}
	in := newCSV(bytes.NewReader(c.text), r.comma)
	if bytes.IndexByte(c.text, '"') < 0 { // Clean takes away what is before a cell that is not quoted
		in.TrimLeadingSpace = false
	}
	for {
		record, err := in.Read()
		if err != nil {
			if err != io.EOF {
				p.fault = err
			}
			break
		}
		line, _ := in.FieldPos(0)
		if len(record) != r.width {
			p.fault, p.cells, p.at = errRagged, len(record), line
			break
		}
		p.lines = append(p.lines, int32(line))
		for _, i := range kept {
			p.columns[i].add(record[i], r.columns[i])
		}
	}
	r.texts.Put(&c.text)
	return p
}

// add adds the rows of the chunk that follows. Columns do not know one another, and are added to side by side.
func (r *csvReader) add(p *chunkRows) error {
	begin := r.line - 1
	if r.rows == 0 && len(p.lines) > 0 { // all rows will be as long
		rows := int(r.size / int64(p.length) * int64(len(p.lines)) * 65 / 64)
		for _, c := range r.columns {
			if c != nil {
				c.expect = rows
			}
		}
	}
	lineOf := func(row int) int { return begin + int(p.lines[row]) }
	loop.Parts(len(r.columns), max(1, len(r.columns)>>6), func(first, last int) {
		for i := first; i < last; i++ {
			if r.columns[i] != nil {
				r.columns[i].addChunk(&p.columns[i], lineOf)
				r.states[i].Store(uint32(r.columns[i].state))
			}
		}
	})
	n := len(p.lines)
	if r.rows += n; r.rows > maxRows {
		return fmt.Errorf("%s:%d: more than %d rows", r.name, lineOf(n-1-(r.rows-maxRows-1)), maxRows)
	}
	if n > 0 {
		r.last = lineOf(n - 1)
	}
	r.line += p.newline
	switch {
	case p.fault == errRagged:
		return r.ragged(p.cells, begin+p.at)
	case p.fault != nil:
		return r.explainRow(p.fault, begin)
	case p.end != nil && p.end != io.EOF:
		return r.endOf(p.end, r.line)
	}
	if err := checkMemory(r.columns, r.o.Memory); err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, r.last, err)
	}
	for i := range p.columns {
		p.columns[i].forget()
	}
	r.spare.Put(p)
	return nil
}

// addChunk adds the cells of a chunk.
func (c *Column) addChunk(p *chunkColumn, line func(row int) int) {
	if !p.parsed {
		c.add(p.codes, p.texts, p.first, line)
		return
	}
	c.addNumbers(p.numbers)
	c.Commas = c.Commas || p.marks.Commas
	c.point(p.marks.Pointed)
	if p.state == free && c.state == numeric {
		c.notNumber(p.odd, line(len(p.numbers)))
	}
}

// checkMemory weighs columns, as it is done behind each chunk.
func checkMemory(columns []*Column, most int64) error {
	if most == 0 {
		return nil
	}
	var bytes int64
	for _, c := range columns {
		if c != nil {
			bytes += c.memory()
		}
	}
	if bytes > most {
		return tooLarge(most)
	}
	return nil
}
