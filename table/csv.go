package table

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"parcorels/loop"
)

// chunkRows are the rows of a chunk.
type chunkRows struct {
	cells   [][]string // of the columns that are kept, by row
	lines   []int32    // on which rows begin, from 1 in the first line of the chunk
	newline int        // how many lines the chunk has
	fault   error      // of encoding/csv, or errRagged, behind the rows
	width   int        // cells of the ragged row
	at      int        // the line of that
	length  int        // bytes of the chunk
	end     error      // why the text ends behind it
}

var errRagged = errors.New("ragged row")

// csvReader reads all rows of a text.
type csvReader struct {
	*csvText
	columns []*Column
	kept    []int // positions of the columns that are kept
	rows    int
	spare   sync.Pool // of *chunkRows
}

// readAll reads all rows.
func (t *csvText) readAll(keep []Keep) (*Table, error) {
	r := &csvReader{csvText: t, columns: make([]*Column, t.width)}
	for i, k := range keep {
		if k != KeepNothing {
			r.columns[i] = newColumn(k, t.o.Missing, t.o.DecimalComma)
			r.kept = append(r.kept, i)
		}
	}
	read := func(yield func(chunk) bool) { eachChunk(t.in, t.text, cmp.Or(t.chunk, usualChunk), &t.texts, yield) }
	if err := inChunks(read, runtime.GOMAXPROCS(0), r.parse, r.add); err != nil {
		return nil, err
	}
	return &Table{Columns: r.columns, Rows: r.rows, Hash: HashText(t.text.hash)}, nil
}

// parse parses a chunk.
func (r *csvReader) parse(c chunk) *chunkRows {
	p, ok := r.spare.Get().(*chunkRows)
	if !ok {
		p = &chunkRows{cells: make([][]string, len(r.kept))}
	}
	*p = chunkRows{cells: p.cells, lines: p.lines[:0], newline: bytes.Count(c.text, []byte{'\n'}), length: len(c.text), end: c.end}
	for k, cells := range p.cells {
		p.cells[k] = cells[:0]
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
			p.fault, p.width, p.at = errRagged, len(record), line
			break
		}
		p.lines = append(p.lines, int32(line))
		for k, i := range r.kept {
			p.cells[k] = append(p.cells[k], record[i])
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
		for _, i := range r.kept {
			r.columns[i].expect = rows
		}
	}
	loop.Parts(len(r.kept), max(1, len(r.kept)>>6), func(first, last int) {
		for k := first; k < last; k++ {
			c := r.columns[r.kept[k]]
			for row, cell := range p.cells[k] {
				c.add(cell, begin+int(p.lines[row]))
			}
		}
	})
	n := len(p.lines)
	if r.rows += n; r.rows > maxRows {
		return fmt.Errorf("%s:%d: more than %d rows", r.name, begin+int(p.lines[n-1-(r.rows-maxRows-1)]), maxRows)
	}
	if n > 0 {
		r.last = begin + int(p.lines[n-1])
	}
	r.line += p.newline
	switch {
	case p.fault == errRagged:
		return r.ragged(p.width, begin+p.at)
	case p.fault != nil:
		return r.explainRow(p.fault, begin)
	case p.end != nil && p.end != io.EOF:
		return r.endOf(p.end, r.line)
	}
	if err := checkMemory(r.columns, r.o.Memory); err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, r.last, err)
	}
	r.spare.Put(p)
	return nil
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
