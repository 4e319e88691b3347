package table

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
)

// A program that has a table in memory need not write it as text: it sends the
// columns as they are, after a line of JSON that says what they hold.
// docs/column-protocol.md describes the format byte by byte.
//
// Such a table is read as its canonical text. So a model is the same, byte for byte, whichever of the two it was learned from.

// columnsMagic begins every table of columns.
const columnsMagic = `{"format":"parcorels columns"`

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

// columnsText reads the header of a table of columns that comes from a stream of this name, and all its columns. It returns
// their text, and the name of the table. Columns take half of so many bytes of memory at most; 0: no limit.
func columnsText(in *bufio.Reader, stream string, memory int64) (text *Canonical, name string, err error) {
	h, err := readColumnsHeader(in)
	if err != nil {
		return nil, stream, err
	}
	name = cmp.Or(h.Source, stream)
	names, cells, row := make([]string, len(h.Columns)), make([]appendCell, len(h.Columns)), -1
	left := memory / 2 // what is made of these cells takes as much again
	for i, column := range h.Columns {
		if left -= 8*h.Rows + column.Bytes; memory > 0 && left < 0 {
			return nil, name, tooLarge(memory)
		}
		if cells[i], err = readCells(in, column, int(h.Rows)); err != nil {
			return nil, name, fmt.Errorf("column %s: %w", Quote(column.Name), err)
		}
		names[i] = column.Name
	}
	return NewCanonical(names, func(to *Canonical) error {
		if row++; row >= int(h.Rows) {
			return io.EOF
		}
		for i, cell := range cells {
			to.cell = cell(to.cell[:0], row)
			to.Add(i, to.cell)
		}
		return nil
	}), name, nil
}

// appendCell appends the text of the cell in a row.
type appendCell func(to []byte, row int) []byte

// readColumnsHeader reads the line of JSON.
func readColumnsHeader(in *bufio.Reader) (*columnsHeader, error) {
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
		if len(line) > maxRow {
			return nil, fmt.Errorf("the line that describes the columns is longer than %d MiB", maxRow>>20)
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
	case len(h.Columns) == 0:
		return errors.New("there is no column")
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
func readCells(in io.Reader, h columnHeader, rows int) (_ appendCell, err error) {
	var missing bitset.BitSet
	if h.Missing {
		words, err := readAll[uint64](in, (rows+63)/64)
		if err != nil {
			return nil, fmt.Errorf("cut short in its set of missing cells: %w", err)
		}
		missing = *bitset.FromWithLength(uint(rows), words)
	}
	var cell appendCell
	switch h.Type {
	case "int64":
		var cells []int64
		cells, err = readAll[int64](in, rows)
		cell = func(to []byte, row int) []byte { return strconv.AppendInt(to, cells[row], 10) }
	case "float64":
		var cells []float64
		cells, err = readAll[float64](in, rows)
		cell = func(to []byte, row int) []byte { return AppendFloat(to, cells[row]) }
	case "bool":
		var cells []uint8
		cells, err = readAll[uint8](in, rows)
		for row, v := range cells {
			if v > 1 {
				return nil, fmt.Errorf("row %d holds %d, expected 0 to 1", row+1, v)
			}
		}
		cell = func(to []byte, row int) []byte { return AppendBool(to, cells[row] == 1) }
	default:
		var texts []string
		var codes []int32
		if texts, err = readTexts(in, h); err == nil {
			codes, err = readAll[int32](in, rows)
		}
		for row, code := range codes {
			if err == nil && !missing.Test(uint(row)) && (code < 0 || int64(code) >= h.Texts) {
				err = fmt.Errorf("row %d holds %d, expected 0 to %d", row+1, code, h.Texts-1)
			}
		}
		cell = func(to []byte, row int) []byte { return append(to, texts[codes[row]]...) }
	}
	return func(to []byte, row int) []byte {
		if missing.Test(uint(row)) {
			return to
		}
		return cell(to, row)
	}, err
}

// readAll reads n numbers, some at a time, so that memory grows with what is really there and not with what the
// header says.
func readAll[T int64 | float64 | uint8 | int32 | uint64](in io.Reader, n int) (to []T, err error) {
	for len(to) < n {
		some := make([]T, min(1<<16, n-len(to)))
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
	lengths, err := readAll[int32](in, int(h.Texts))
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
		if err := CheckText(texts[i]); err != nil {
			return nil, err
		}
	}
	if left != 0 {
		return nil, fmt.Errorf("its texts have %d bytes less than the header says", left)
	}
	return texts, nil
}

// CheckText reports a text that no table can hold.
func CheckText(text string) error {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return fmt.Errorf("text %s has a NUL byte or is not UTF-8", Quote(text))
	}
	return nil
}

// errCutShort is the end of a stream that comes too early.
var errCutShort = errors.New("unexpected EOF")

// noEOF is err, where an end of the stream comes too early.
func noEOF(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errCutShort
	}
	return err
}
