package table

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

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
	var bytes int64
	for _, c := range columns {
		if c != nil {
			bytes += c.memory()
		}
	}
	if most > 0 && bytes > most {
		return tooLarge(most)
	}
	return nil
}

// A text is read in chunks of whole rows, which are parsed side by side and added to the columns in their order. So the
// result and the first error are those of a reader that goes through the file once, whatever the number of workers.
//
// One goroutine reads the file, hashes its text and looks for a line end outside quotes near the end of each chunk. On 16
// processors the SHA-256 is what the others wait for.

// usualChunk is the bytes of a chunk.
const usualChunk = 1 << 17

// chunk is a piece of a text that ends where a row ends, unless the text ends there.
type chunk struct {
	text []byte
	end  error // why the text ends behind it; nil: it goes on
}

// cutRows cuts a text between rows. A line end is between rows if an even number of
// quotes is before it: quotes stand in pairs around a field, and in pairs inside one.
// That holds up to the first row with a stray quote, which is an error, so that no
// chunk behind the one with this row matters.
func cutRows(text []byte) (n int, err error) {
	odd := bytes.Count(text, []byte{'"'})&1 == 1
	for end := len(text); end > 0; {
		line := bytes.LastIndexByte(text[:end], '\n')
		if line < 0 {
			break
		}
		if bytes.Count(text[line:end], []byte{'"'})&1 == 1 {
			odd = !odd
		}
		if !odd {
			return line + 1, nil
		}
		end = line
	}
	if len(text) > maxRow {
		return 0, errLongRow
	}
	return 0, nil
}

// eachChunk calls yield with the chunks of a text, the last of which has an end. Chunks are of so many bytes, or of the
// longest row.
func eachChunk(in *bufio.Reader, t *text, size int, memory *sync.Pool, yield func(chunk) bool) {
	var carry []byte
	usual := size
	for {
		var buffer []byte
		if again, ok := memory.Get().(*[]byte); ok {
			buffer = (*again)[:0]
		}
		buffer = append(slices.Grow(buffer, len(carry)+size), carry...)[:len(carry)+size]
		t.row = 0 // cutRows looks for rows that are too long
		n, err := io.ReadFull(in, buffer[len(carry):])
		all := buffer[:len(carry)+n]
		cut, long := cutRows(all)
		switch {
		case err != nil && t.end != nil && t.end != io.EOF:
			yield(chunk{all[:cut], t.end}) // what is behind the last row is cut off
			return
		case long != nil:
			yield(chunk{nil, long})
			return
		case err != nil:
			yield(chunk{all, io.EOF})
			return
		}
		if carry = all; cut > 0 {
			carry, size = bytes.Clone(all[cut:]), usual
			if !yield(chunk{text: all[:cut]}) {
				return
			}
		} else {
			size = min(2*size, maxRow) // a long row is not looked at with every portion
		}
	}
}

// inChunks has chunks parsed side by side and added in order. It returns the first error of add, and reads no more then.
func inChunks(read func(yield func(chunk) bool), workers int, parse func(chunk) *chunkRows, add func(*chunkRows) error) error {
	order, stop := make(chan chan *chunkRows, 2*workers), make(chan struct{})
	var reader sync.WaitGroup
	defer reader.Wait()
	defer close(stop)
	reader.Go(func() {
		var parsers errgroup.Group
		parsers.SetLimit(workers)
		read(func(c chunk) bool {
			parsed := make(chan *chunkRows, 1)
			select {
			case order <- parsed:
			case <-stop:
				return false
			}
			parsers.Go(func() error { parsed <- parse(c); return nil })
			return true
		})
		close(order)
		_ = parsers.Wait() // none has an error
	})
	for parsed := range order {
		if err := add(<-parsed); err != nil {
			return err
		}
	}
	return nil
}
