package dataset

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"strings"
	"unicode"
)

// records parses the records of a CSV file. Package encoding/csv does it,
// except where there is little to do: a line without a quote is a record, and
// cutting it at the separators takes half the time. Both read from one buffer,
// of which encoding/csv takes nothing beyond the end of a record.
type records struct {
	in    *bufio.Reader
	csv   *csv.Reader
	comma byte // 0: all is left to encoding/csv
	cells []string
	cut   int // lines cut here, of which csv does not know
	whole int // lines read by csv
	begin int // line on which the record begins that was read last
}

// newRecords parses what is separated by comma. Space before a field does not
// count unless it is what separates.
func newRecords(in *bufio.Reader, comma rune) *records {
	r := &records{in: in, csv: csv.NewReader(in)}
	r.csv.Comma, r.csv.FieldsPerRecord, r.csv.ReuseRecord = comma, -1, true
	r.csv.TrimLeadingSpace = comma != '\t' && comma != ' '
	if comma < 0x80 && (!r.csv.TrimLeadingSpace || !unicode.IsSpace(comma)) {
		r.comma = byte(comma)
	}
	return r
}

// read returns the cells of the next record, valid until the next call, or
// the error of encoding/csv.
func (r *records) read() ([]string, error) {
	for r.comma != 0 {
		line, ok := r.plainLine()
		if !ok {
			break
		}
		text := string(bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'}))
		_, _ = r.in.Discard(len(line)) // it is in the buffer
		r.cut++
		if text != "" {
			r.split(text)
			r.begin = r.cut + r.whole
			return r.cells, nil
		}
	}
	cells, err := r.csv.Read()
	if err != nil {
		return nil, err
	}
	first, _ := r.csv.FieldPos(0)
	r.begin = r.cut + first
	last := len(cells) - 1
	r.whole, _ = r.csv.FieldPos(last)
	r.whole += strings.Count(cells[last], "\n")
	return cells, nil
}

// plainLine returns the next line, its end included, if it is in the buffer as
// a whole and has no quote. It stays in the buffer.
func (r *records) plainLine() (line []byte, ok bool) {
	for {
		buffered, _ := r.in.Peek(r.in.Buffered())
		if end := bytes.IndexByte(buffered, '\n'); end >= 0 {
			line = buffered[:end+1]
			return line, bytes.IndexByte(line, '"') < 0
		}
		if _, err := r.in.Peek(len(buffered) + 1); err != nil { // the file ends, or the line is too long
			return nil, false
		}
	}
}

// split cuts a line into cells. Most are a few bytes long, so that looking at
// each byte is faster than a search for the next separator.
func (r *records) split(line string) {
	r.cells = r.cells[:0]
	begin := 0
	for i := range len(line) {
		if line[i] == r.comma {
			r.cells = append(r.cells, r.trim(line[begin:i]))
			begin = i + 1
		}
	}
	r.cells = append(r.cells, r.trim(line[begin:]))
}

// trim drops the space before a cell if it does not count.
func (r *records) trim(cell string) string {
	if cell == "" || ' ' < cell[0] && cell[0] < 0x80 || !r.csv.TrimLeadingSpace {
		return cell
	}
	return trimLeft(cell)
}

func trimLeft(cell string) string { return strings.TrimLeftFunc(cell, unicode.IsSpace) }
