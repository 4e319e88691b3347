package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A program that has a table in memory need not write it as text: it sends the
// columns as they are, after a line of JSON that says what they hold.
// docs/column-protocol.md describes the format byte by byte.
//
// Such a table means exactly what its canonical CSV text means: every cell has
// one text (columnblock.go), columns are filled with these texts, and the hash
// is that of the whole text (columnhash.go). So a model is the same, byte for
// byte, whichever of the two it was learned from.

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
	First   []int          `json:"first"` // columns whose blocks come before all others, in this order
	order   []int          // columns in the order of their blocks
	Columns []columnHeader `json:"columns"`
}

// columnHeader describes a column and the block of bytes that holds it.
type columnHeader struct {
	Name  string `json:"name"`
	Type  string `json:"type"`  // a key of blockTypes
	Scale int    `json:"scale"` // of integers: numbers are these divided by 10^scale
	Texts int64  `json:"texts"` // different texts, of type text only
	Bytes int64  `json:"bytes"` // of all these texts together
}

func (h *columnsHeader) names() []string {
	names := make([]string, len(h.Columns))
	for i, c := range h.Columns {
		names[i] = c.Name
	}
	return names
}

// isColumns reports whether what comes is a table of columns.
func isColumns(in *bufio.Reader) bool {
	head, _ := in.Peek(len(columnsMagic))
	return string(head) == columnsMagic
}

// readColumns reads a table of columns.
func readColumns(in *bufio.Reader, name string, o Options) (*Dataset, error) {
	header, err := readColumnsHeader(in, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if header.Source != "" {
		name = header.Source
	}
	names := header.names()
	columns, _, twice, err := headings(names, name)
	if err != nil {
		return nil, err
	}
	r := &reading{o: o, name: name, header: columns, weightAt: -1, rows: int(header.Rows), rowNames: labelsRows(names[0])}
	if err := r.assign(newFinder(r.header, twice)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d := &Dataset{Source: name, Format: "csv", Columns: r.header, Target: r.header[r.targetAt], Notes: r.notes}
	blocks, err := r.readBlocks(in, header, d)
	if err != nil {
		return nil, err
	}
	h, hashed := newTextHash(o), make(chan struct{})
	go func() {
		if h != nil {
			hashColumns(h, names, blocks, r.rows)
		}
		close(hashed)
	}()
	err = r.finish(d)
	<-hashed
	d.Hash = h.end()
	if err != nil {
		return nil, err
	}
	return d, nil
}

// columnRows gives the rows of a table of columns one by one. As columns come one behind the
// other, all are in memory.
func columnRows(in *bufio.Reader, name string, o Options) (*Rows, error) {
	header, err := readColumnsHeader(in, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	blocks := make([]*block, len(header.Columns))
	names := header.names()
	for _, i := range header.order {
		c := header.Columns[i]
		b, err := newBlock(in, c, int(header.Rows))
		if err == nil {
			err = b.read(in, func(int) {})
		}
		if err == nil {
			err = b.check(0, b.rows)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: column %s: %w", name, quote(c.Name), err)
		}
		blocks[i] = b
	}
	r := &Rows{comma: ',', nameless: labelsRows(names[0])}
	if r.header, r.notes, r.twice, err = headings(names, name); err != nil {
		return nil, err
	}
	row, cells, text := 0, make([]string, len(blocks)), []byte(nil)
	r.next = func() ([]string, int, error) {
		if row == int(header.Rows) {
			return nil, 0, io.EOF
		}
		for i, b := range blocks {
			text = b.appendText(text[:0], row)
			cells[i] = string(text)
		}
		row++
		return cells, lineOf(row - 1), nil
	}
	return r, nil
}

// columnsOnly reports an option that only text can need.
func (o Options) columnsOnly() error {
	switch {
	case o.Comma != 0:
		return errors.New("a separator is an option for text, these are columns")
	case o.NoHeader:
		return errors.New("no header is an option for text, these are columns with names")
	case o.Labels != "":
		return errors.New("a label file goes with an .out file only, these are columns")
	}
	return nil
}

func readColumnsHeader(in *bufio.Reader, o Options) (*columnsHeader, error) {
	if err := o.columnsOnly(); err != nil {
		return nil, err
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
		return fmt.Errorf("the source %s is no file name", quote(h.Source))
	}
	isFirst := make([]bool, len(h.Columns))
	for _, i := range h.First {
		if i < 0 || i >= len(h.Columns) || isFirst[i] {
			return fmt.Errorf("%d is first of %d columns, or twice", i, len(h.Columns))
		}
		isFirst[i] = true
	}
	h.order = h.First
	for i, is := range isFirst {
		if !is {
			h.order = append(h.order, i)
		}
	}
	for _, c := range h.Columns {
		t, known := blockTypes[c.Type]
		switch {
		case !known:
			return fmt.Errorf("column %s is of the unknown type %s", quote(c.Name), quote(c.Type))
		case strings.ContainsRune(c.Name, 0):
			return fmt.Errorf("the name of column %s has a NUL byte", quote(c.Name))
		case c.Texts < 0 || c.Bytes < 0 || c.Texts > maxRows || !t.isText && c.Texts+c.Bytes > 0:
			return fmt.Errorf("column %s has %d texts of %d bytes", quote(c.Name), c.Texts, c.Bytes)
		case c.Scale < 0 || c.Scale > maxPlaces || c.Scale > 0 && !t.isInteger():
			return fmt.Errorf("column %s of type %s has a scale of %d", quote(c.Name), quote(c.Type), c.Scale)
		}
	}
	return nil
}

// noEOF is err, where an end of the stream comes too early.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
