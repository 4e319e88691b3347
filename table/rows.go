package table

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/text/transform"

	"parcorels/optionerr"
)

// Options say how a table is read. The zero value is the default.
type Options struct {
	Comma    rune // separator of fields; 0: detected among , ; tab and |
	NoHeader bool // the first line is data, even if it does not look so; columns are called c1, c2, …
	Header   bool // the first line is no data, even if it looks so
	// DecimalComma says that numbers have a decimal comma, as they have where semicolons separate fields.
	DecimalComma bool
	Missing      Missing // texts of missing values
	NoHash       bool    // nobody asks for Table.Hash
	Memory       int64   // about how many bytes the cells may take; 0: no limit
}

// Rows are a table that is open: its header, and its rows one at a time by Next, or all by ReadAll.
type Rows struct {
	Name     string          // of the file, for messages
	Notes    []string        // what a person should know of the header
	Twice    map[string]bool // names that more than one column has
	Nameless bool            // the first column has no name
	NoHeader bool            // the first line is data
	Sent     bool            // a program sends the table, by columns

	DecimalComma bool // numbers have decimal commas

	header  []string
	comma   rune
	line    int
	raw     []string // cells of the row at hand
	pointed []string // with points for decimal commas
	next    func() (cells []string, line int, err error)
	text    *csvText  // nil: rows come one at a time only
	file    io.Closer // nil: none
}

// Table is all rows of a table.
type Table struct {
	Columns []*Column // by position; nil of those that are not kept
	Rows    int
	Hash    string // "sha256:…" of the uncompressed text, of the canonical text of columns, or of a file of Parquet
}

// New opens a table: a text, columns or a file of Parquet. Close closes the stream if it can be closed; name stands for the path.
func New(in io.Reader, name string, o Options) (r *Rows, err error) {
	f, isFile := in.(*os.File)
	buffered := bufio.NewReaderSize(in, peekSize)
	isParquet := isFile && IsParquet(f)
	sent := isParquet || isColumns(buffered)
	var from io.Reader // nil: the table is a text
	switch {
	case sent && o.Comma != 0:
		err = optionerr.Errorf("Comma", "a separator is an option for text, these are columns")
	case sent && o.NoHeader:
		err = optionerr.Errorf("NoHeader", "no header is an option for text, these are columns with names")
	case isParquet:
		from, err = opened("Parquet", f, sizeOf(f))
	case sent:
		from, name, err = columnsText(buffered, name, o.Memory)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t, size := &text{name: name}, int64(0)
	if !o.NoHash {
		t.hash = sha256.New()
	}
	if sent {
		o.Comma, o.Header = ',', true
		buffered = t.read(from)
	} else if buffered, err = t.open(buffered); err != nil {
		return nil, err
	} else if isFile {
		size = sizeOf(f)
	}
	if r, err = textRows(t, buffered, o, size); err != nil {
		return nil, err
	}
	r.Sent = sent
	r.file, _ = in.(io.Closer)
	return r, nil
}

// HashOf returns the Hash that the table in a file has.
func HashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var from io.Reader
	if IsParquet(f) {
		from, err = opened("Parquet", f, sizeOf(f))
	} else {
		from, err = Unpacked(bufio.NewReaderSize(f, peekSize))
	}
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, from); err != nil {
		return "", err
	}
	return HashText(h), nil
}

// NewRows returns rows that next gives, with their lines.
func NewRows(header []string, next func() (cells []string, line int, err error)) *Rows {
	return &Rows{header: header, comma: ',', next: next}
}

// Only returns some of the rows, by their numbers from 1, which ascend.
func (r *Rows) Only(numbers []int64) *Rows {
	n := int64(0)
	return NewRows(r.Header(), func() ([]string, int, error) {
		for len(numbers) > 0 {
			cells, err := r.Next()
			if n++; err != nil {
				return nil, 0, err
			}
			if n == numbers[0] {
				numbers = numbers[1:]
				return cells, r.Line(), nil
			}
		}
		return nil, 0, io.EOF
	})
}

// Header returns the names of the columns: free of space around them and of
// characters that do not print, and made different where they are not.
func (r *Rows) Header() []string { return r.header }

// Comma returns the character that separates fields.
func (r *Rows) Comma() rune { return r.comma }

// Line returns the line on which the row that Next returned last begins.
func (r *Rows) Line() int { return r.line }

// Next returns the cells of the next row, as many as the header has; they are
// valid until the next call. At the end it returns io.EOF. Where a semicolon
// separates, a decimal comma comes as a point; Raw has the cells as they are.
func (r *Rows) Next() ([]string, error) {
	cells, line, err := r.next()
	if err != nil {
		return cells, err
	}
	r.line = line
	r.raw = cells
	if !r.DecimalComma {
		return cells, nil
	}
	r.pointed = r.pointed[:0]
	for _, cell := range cells {
		if text := Clean(cell); WithPoint(text) != text {
			cell = WithPoint(text)
		}
		r.pointed = append(r.pointed, cell)
	}
	return r.pointed, nil
}

// Raw returns the cells of the row that Next returned last as the table has
// them.
func (r *Rows) Raw() []string { return r.raw }

// ReadAll reads all rows, of which Next has given none. keep says what is kept of each column.
func (r *Rows) ReadAll(keep []Keep) (*Table, error) {
	t, err := r.text.readAll(keep)
	if err == nil && r.text.letters.first != "" {
		r.Notes = append(r.Notes, "letters are not UTF-8 and were read as those of Windows-1252: "+Quote(r.text.letters.first)+
			" (if that looks wrong, save the table as UTF-8)")
	}
	return t, err
}

// Close closes the file.
func (r *Rows) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// csvText is the text of a table.
type csvText struct {
	name    string
	o       Options
	text    *text
	size    int64     // bytes of the file; 0: nobody knows
	chunk   int       // bytes of a chunk; 0: as many as do well
	letters *letters  // what in reads
	texts   sync.Pool // of *[]byte, the memory of chunks
	in      *bufio.Reader
	comma   rune
	header  bool
	width   int
	csv     *csv.Reader // of the rows one by one
	line    int         // of the row that comes next
	last    int         // of the row that was read last; 0: none
}

// textRows reads the header of a text.
func textRows(text *text, in *bufio.Reader, o Options, size int64) (*Rows, error) {
	name := text.name
	utf8 := &letters{}
	in = bufio.NewReaderSize(transform.NewReader(in, utf8), peekSize)
	head, _ := in.Peek(peekSize)
	comma := o.Comma
	if comma == 0 {
		comma = detectSeparator(head, text.end == nil, o.DecimalComma)
	}
	o.DecimalComma = o.DecimalComma || comma == ';'
	data := !o.NoHeader && !o.Header && beginsWithData(head, comma)
	t := &csvText{name: name, o: o, size: size, text: text, letters: utf8, in: in, comma: comma, header: !o.NoHeader && !data, line: 1}
	r := &Rows{Name: name, comma: comma, NoHeader: !t.header, next: t.next, text: t, DecimalComma: t.o.DecimalComma}
	first, err := t.first()
	if err != nil {
		return nil, err
	}
	t.width = len(first)
	if data {
		r.Notes = []string{"the first line is data, as its cells are values of their columns: the columns are called c1, c2, … (option " +
			"Header says otherwise)"}
	}
	if !t.header {
		r.header = numberedNames(len(first))
		return r, nil
	}
	r.Nameless = labelsRows(first[0])
	r.header, r.Notes, r.Twice, err = headings(first, fmt.Sprintf("%s:%d", name, t.last))
	return r, err
}

// newCSV returns a reader of records.
func newCSV(in io.Reader, comma rune) *csv.Reader {
	r := csv.NewReader(in)
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = comma, -1, trimsSpace(comma), true
	return r
}

// first returns the first record, which is left for Next and ReadAll if it is no header.
func (t *csvText) first() ([]string, error) {
	var seen bytes.Buffer
	if t.csv = newCSV(t.in, t.comma); !t.header {
		t.csv = newCSV(io.TeeReader(t.in, &seen), t.comma)
	}
	record, line, err := t.read()
	switch {
	case err == io.EOF:
		return nil, fmt.Errorf("%s: the file has no lines but empty ones", t.name)
	case err != nil:
		return nil, err
	case t.header:
		t.last = line
	default:
		t.in = bufio.NewReaderSize(io.MultiReader(&seen, t.in), peekSize)
		t.csv, t.line, t.last = newCSV(t.in, t.comma), 1, 0
	}
	return record, nil
}

// read returns the next record.
func (t *csvText) read() (cells []string, line int, err error) {
	t.text.row = 0
	cells, err = t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, 0, err
	case errors.As(err, &parse):
		return nil, 0, t.explainRow(err, 0)
	case err != nil:
		return nil, 0, t.endOf(err, t.line)
	}
	line, _ = t.csv.FieldPos(0)
	t.line = line + 1
	for _, cell := range cells {
		t.line += strings.Count(cell, "\n")
	}
	return cells, line, nil
}

// next returns the next row.
func (t *csvText) next() (cells []string, line int, err error) {
	if cells, line, err = t.read(); err != nil {
		return nil, 0, err
	}
	if len(cells) != t.width {
		return nil, 0, t.ragged(len(cells), line)
	}
	t.last = line
	return cells, line, nil
}

// endOf returns the error of a table that ends so in a line.
func (t *csvText) endOf(end error, line int) error {
	if end == errLongRow {
		return fmt.Errorf("%s: %w", t.name, longRow(t.last))
	}
	return t.text.explain(end, line)
}

// ragged is the error of a row of so many cells.
func (t *csvText) ragged(cells, line int) error {
	like := "the header"
	if !t.header {
		like = "the first line"
	}
	if t.header && cells == t.width+1 && line == 2 {
		like += " (if R wrote names of rows without a heading: use write.csv)"
	}
	return fmt.Errorf("%s:%d: fields separated by %q: %d, expected %d as in %s", t.name, line, t.comma, cells, t.width, like)
}

// explainRow says what a parse error means, behind so many lines that
// encoding/csv has not seen.
func (t *csvText) explainRow(err error, lines int) error {
	var parse *csv.ParseError
	switch {
	case !errors.As(err, &parse):
		return fmt.Errorf("%s: %w", t.name, err)
	case errors.Is(err, csv.ErrBareQuote):
		return fmt.Errorf(`%s:%d: a quote (") at byte %d inside a field that does not begin with one: quote the field and double the quote`, t.name, parse.Line+lines, parse.Column)
	case errors.Is(err, csv.ErrQuote):
		return fmt.Errorf(`%s:%d: the quoted field that begins in line %d is not closed by a quote (") before a %q or line end (if another sign separates fields, name it with option Comma)`, t.name, parse.Line+lines, parse.StartLine+lines, t.comma)
	}
	return fmt.Errorf("%s:%d: %w", t.name, parse.Line+lines, parse.Err)
}

// labelsRows reports whether the header of the first column says that it has the names
// of rows: nothing, or what pandas makes of that.
func labelsRows(heading string) bool {
	heading = strings.TrimSpace(heading)
	return heading == "" || heading == "Unnamed: 0"
}
