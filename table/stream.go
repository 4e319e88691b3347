package table

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"

	"parcorels/internal/loop"
	"parcorels/optionerr"
)

// A program that has a table in memory need not write it as text: it sends the
// columns as they are, after a line of JSON that says what they hold.
// docs/column-protocol.md describes the format byte by byte.
//
// Such a table means exactly what its canonical CSV text means: every cell has
// one text, columns are filled with these texts, and the hash is that of the whole text. So a model is the same, byte
// for byte, whichever of the two it was learned from.

// columnsMagic begins every table of columns.
const columnsMagic = `{"format":"parcorels columns"`

// maxColumnsHeader bounds the bytes of the line of JSON.
const maxColumnsHeader = maxRow

// columnsHeader is the line of JSON.
type columnsHeader struct {
	Format  string         `json:"format"`
	Version int            `json:"version"`
	Source  string         `json:"source"` // file name to give the table; "": the name of the stream
	Rows    int64          `json:"rows"`
	Columns []columnHeader `json:"columns"`
}

// columnHeader describes a column and the block of bytes that holds it.
type columnHeader struct {
	Name    string `json:"name"`
	Type    string `json:"type"`    // int64, float64, bool or text
	Missing bool   `json:"missing"` // a set of rows without a value comes first
	Texts   int64  `json:"texts"`   // different texts, of type text only
	Bytes   int64  `json:"bytes"`   // of all these texts together
}

// isColumns reports whether what comes is a table of columns.
func isColumns(in *bufio.Reader) bool {
	head, _ := in.Peek(len(columnsMagic))
	return string(head) == columnsMagic
}

// columnRows reads the header of a table of columns.
func columnRows(in *bufio.Reader, name string, o Options) (*Rows, error) {
	h, err := readColumnsHeader(in, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if h.Source != "" {
		name = h.Source
	}
	names := make([]string, len(h.Columns))
	for i, c := range h.Columns {
		names[i] = c.Name
	}
	read := func() ([]*Cells, error) {
		all := make([]*Cells, len(h.Columns))
		left := o.Memory / 2 // the columns of these cells take as much again
		for i, c := range h.Columns {
			if all[i], err = readCells(in, c, int(h.Rows)); err != nil {
				return nil, fmt.Errorf("column %s: %w", Quote(c.Name), err)
			}
			if left -= 8 * h.Rows; o.Memory > 0 && left-c.Bytes < 0 {
				return nil, tooLarge(o.Memory)
			}
		}
		return all, nil
	}
	columns := func(keep []Keep) (*Table, error) {
		all, err := read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t := &Table{Columns: make([]*Column, len(all)), Rows: int(h.Rows)}
		var g errgroup.Group
		if !o.NoHash {
			g.Go(func() error {
				t.Hash = hashColumns(names, all, t.Rows)
				return nil
			})
		}
		loop.Parallel(len(all), func(i int) {
			if keep[i] != KeepNothing {
				t.Columns[i] = all[i].column(keep[i], o.Missing, t.Rows)
			}
		})
		return t, g.Wait()
	}
	return cellRows(name, names, int(h.Rows), read, columns)
}

// cellRows returns rows of columns. As columns come one behind the other, all are in memory before the first row.
func cellRows(name string, names []string, rows int, read func() ([]*Cells, error), columns func([]Keep) (*Table, error)) (r *Rows,
	err error) {
	r = &Rows{Name: name, comma: ',', Sent: true, Nameless: labelsRows(names[0]), readAll: columns}
	if r.header, r.Notes, r.Twice, err = headings(names, name); err != nil {
		return nil, err
	}
	var all []*Cells
	row, cells, text := 0, make([]string, len(names)), []byte(nil)
	r.next = func() ([]string, int, error) {
		if all == nil {
			var err error
			if all, err = read(); err != nil {
				return nil, 0, fmt.Errorf("%s: %w", name, err)
			}
		}
		if row == rows {
			return nil, 0, io.EOF
		}
		for i, c := range all {
			text = c.appendText(text[:0], row)
			cells[i] = string(text)
		}
		row++
		return cells, LineOf(row - 1), nil
	}
	return r, nil
}

func readColumnsHeader(in *bufio.Reader, o Options) (*columnsHeader, error) {
	switch {
	case o.Comma != 0:
		return nil, optionerr.Errorf("Comma", "a separator is an option for text, these are columns")
	case o.NoHeader:
		return nil, optionerr.Errorf("NoHeader", "no header is an option for text, these are columns with names")
	}
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("the line that describes the columns is cut short: %w", noEOF(err))
		}
		if len(line) > maxColumnsHeader {
			return nil, fmt.Errorf("the line that describes the columns is longer than %d MiB", maxColumnsHeader>>20)
		}
	}
	h := &columnsHeader{}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(h); err != nil {
		return nil, fmt.Errorf("the line that describes the columns: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("the line that describes the columns goes on after its object")
	}
	return h, h.check()
}

// check reports the first thing that no table can have.
func (h *columnsHeader) check() error {
	switch {
	case h.Version != 1:
		return fmt.Errorf("columns in version %d of the format, this program reads version 1", h.Version)
	case h.Rows < 1:
		return errors.New("there is no row of data")
	case h.Rows > maxRows:
		return fmt.Errorf("%d rows, more than %d", h.Rows, maxRows)
	case len(h.Columns) == 0 || len(h.Columns) > maxCut:
		return fmt.Errorf("%d columns, expected 2 to %d", len(h.Columns), maxCut)
	case strings.ContainsAny(h.Source, "\x00\n\r") || !utf8.ValidString(h.Source):
		return fmt.Errorf("the source %s is no file name", Quote(h.Source))
	}
	for _, c := range h.Columns {
		isText := c.Type == "text"
		switch {
		case !isText && c.Type != "int64" && c.Type != "float64" && c.Type != "bool":
			return fmt.Errorf("column %s is of the unknown type %s", Quote(c.Name), Quote(c.Type))
		case strings.ContainsRune(c.Name, 0):
			return fmt.Errorf("the name of column %s has a NUL byte", Quote(c.Name))
		case c.Texts < 0 || c.Bytes < 0 || c.Texts > maxRows || !isText && c.Texts+c.Bytes > 0:
			return fmt.Errorf("column %s has %d texts of %d bytes", Quote(c.Name), c.Texts, c.Bytes)
		}
	}
	return nil
}

// readCells reads the cells of a column.
func readCells(in io.Reader, h columnHeader, rows int) (c *Cells, err error) {
	c = &Cells{}
	if h.Missing {
		words, err := readAll(in, make([]uint64, 0), (rows+63)/64)
		if err != nil {
			return nil, fmt.Errorf("cut short in its set of missing cells: %w", err)
		}
		c.Missing = bitset.FromWithLength(uint(rows), words)
	}
	switch h.Type {
	case "int64":
		c.Ints, err = readAll(in, []int64{}, rows)
	case "float64":
		c.Floats, err = readAll(in, []float64{}, rows)
	case "bool":
		var cells []uint8
		if cells, err = readAll(in, []uint8{}, rows); err == nil {
			c.Bools, err = truths(cells)
		}
	default:
		if c.Texts, err = readTexts(in, h); err == nil {
			c.Codes, err = readAll(in, []int32{}, rows)
		}
		for row, code := range c.Codes {
			if err == nil && !c.isMissing(row) && (code < 0 || int64(code) >= h.Texts) {
				err = fmt.Errorf("row %d holds %d, expected 0 to %d", row+1, code, h.Texts-1)
			}
		}
	}
	return c, err
}

// truths returns cells of 0 and 1 as truth values.
func truths(cells []uint8) ([]bool, error) {
	all := make([]bool, len(cells))
	for row, v := range cells {
		if v > 1 {
			return nil, fmt.Errorf("row %d holds %d, expected 0 to 1", row+1, v)
		}
		all[row] = v == 1
	}
	return all, nil
}

// readAll appends n numbers, some at a time, so that memory grows with what is really there and not with what the
// header says.
func readAll[T int64 | float64 | uint8 | int32 | uint64](in io.Reader, to []T, n int) ([]T, error) {
	for len(to) < n {
		some := make([]T, min(cellsAtATime, n-len(to)))
		if err := binary.Read(in, binary.LittleEndian, some); err != nil {
			return nil, fmt.Errorf("cut short after %d of %d cells: %w", len(to), n, noEOF(err))
		}
		to = append(to, some...)
	}
	return to, nil
}

// lineEnd is what a reader of CSV takes for \n in a field in quotes.
var lineEnd = []byte("\r\n")

// readTexts reads the lengths of the texts of a column, then the texts.
func readTexts(in io.Reader, h columnHeader) ([]string, error) {
	lengths, err := readAll(in, []int32{}, int(h.Texts))
	if err != nil {
		return nil, fmt.Errorf("the lengths of its texts: %w", err)
	}
	texts := make([]string, len(lengths))
	left := h.Bytes
	for i, n := range lengths {
		if n < 0 || int64(n) > left || n > maxRow {
			return nil, fmt.Errorf("text %d has %d bytes, %d are left", i, n, left)
		}
		left -= int64(n)
		text := make([]byte, n)
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, fmt.Errorf("cut short in its texts: %w", noEOF(err))
		}
		texts[i] = string(bytes.ReplaceAll(text, lineEnd, lineEnd[1:]))
		if err := checkText(texts[i]); err != nil {
			return nil, err
		}
	}
	if left != 0 {
		return nil, fmt.Errorf("its texts have %d bytes less than the header says", left)
	}
	return texts, nil
}

// hashColumns returns the hash of a table of columns: that of its text in CSV. The text has commas, lines
// that end in \n, a header, and quotes around those cells only that hold a comma, a
// quote or a line end. A number has the fewest digits that read back as it, a truth
// value is True or False, and a missing value is empty.
func hashColumns(names []string, columns []*Cells, rows int) string {
	h := newTextHash(false)
	var text, cell []byte
	for i, name := range names {
		text = appendCell(appendComma(text, i), []byte(name))
	}
	for row := range rows {
		if text = append(text, '\n'); len(text) > leastChunk {
			h.write(text)
			text = text[:0]
		}
		for i, c := range columns {
			cell = c.appendText(cell[:0], row)
			text = appendCell(appendComma(text, i), cell)
		}
	}
	h.write(append(text, '\n'))
	return h.end()
}

func appendComma(line []byte, column int) []byte {
	if column > 0 {
		return append(line, ',')
	}
	return line
}

// appendCell appends a text, with quotes if it needs them.
func appendCell(line, text []byte) []byte {
	if !bytes.ContainsAny(text, ",\"\n\r") {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, bytes.ReplaceAll(text, []byte{'"'}, []byte(`""`))...)
	return append(line, '"')
}
