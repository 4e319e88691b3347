package table

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"unicode/utf8"

	"parcorels/optionerr"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// peekSize is how much of a table is looked at before it is read: enough for
// the lines that tell the separator.
const peekSize = 1 << 16

// text is the uncompressed text of a table on its way in.
type text struct {
	name string
	from io.Reader
	hash hash.Hash // nil: not asked for
	end  error     // io.EOF or worse; nil: it goes on
	row  int       // bytes since the row at hand began; more than maxRow are an error
}

// read returns the text that comes from a reader.
func (t *text) read(from io.Reader) *bufio.Reader {
	t.from = from
	return bufio.NewReaderSize(t, peekSize)
}

// open unpacks a text if it is packed, by its first bytes, and refuses what is surely no text. A byte order mark is skipped.
func (t *text) open(raw *bufio.Reader) (*bufio.Reader, error) {
	from, err := Unpacked(raw)
	if err != nil {
		return nil, t.explain(err, 1)
	}
	in := t.read(from)
	head, _ := in.Peek(8) // t.end has the error
	if what := Foreign(head); what != "" {
		return nil, fmt.Errorf("%s: this is %s", t.name, what)
	}
	if len(head) == 0 {
		if t.end == io.EOF {
			return nil, fmt.Errorf("%s: the file is empty", t.name)
		}
		return nil, t.explain(t.end, 1)
	}
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		_, _ = in.Discard(len(byteOrderMark)) // is there
	}
	return in, nil
}

const byteOrderMark = "\ufeff"

// Unpacked returns the text that raw holds if it is gzip-compressed, an Excel file or in UTF-16, and raw itself otherwise.
func Unpacked(raw *bufio.Reader) (io.Reader, error) {
	switch magic, _ := raw.Peek(4); {
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return spreadsheet(raw)
	case bytes.HasPrefix(magic, []byte("\xff\xfe")), bytes.HasPrefix(magic, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(raw), nil
	case !bytes.HasPrefix(magic, []byte(gzipMagic)):
		return raw, nil
	}
	return gzip.NewReader(raw)
}

// errNull ends a text at a NUL byte.
var errNull = errors.New("a NUL byte")

// Read implements io.Reader. The text ends with an error at a NUL byte, and where a row is too long.
func (t *text) Read(p []byte) (n int, err error) {
	if t.end != nil {
		return 0, t.end
	}
	n, t.end = t.from.Read(p)
	if t.hash != nil {
		t.hash.Write(p[:n])
	}
	if null := bytes.IndexByte(p[:n], 0); null >= 0 {
		n, t.end = null, errNull
	}
	if t.row += n; t.row > maxRow+peekSize && t.end == nil {
		t.end = errLongRow
	}
	return n, t.end
}

// gzipMagic begins a gzip stream.
const gzipMagic = "\x1f\x8b"

// foreign are files that people mistake for tables, by their first bytes.
var foreign = []struct{ magic, what string }{
	{"PK\x03\x04", "a zip archive, or a damaged Excel file: unpack it (an Excel file, .xlsx, is read directly)"},
	{"\xd0\xcf\x11\xe0", "an Excel file of an old kind, or with a password: save it as .xlsx without one, or as CSV"},
	{"BZh", "compressed by bzip2: unpack it first (gzip is read directly)"},
	{"\xfd7zXZ", "compressed by xz: unpack it first (gzip is read directly)"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first (gzip is read directly)"},
	{"PAR1", "a Parquet file: name it as a file, as it cannot be read from a stream"},
	{"ARROW1", "an Arrow (Feather) file: save the table as Parquet or CSV"},
	{"FEA1", "a Feather file: save the table as Parquet or CSV"},
	{"[{", "JSON: save the table as CSV"},
	{"{\"", "JSON: save the table as CSV"},
}

// Foreign says what a file is that begins so, and that people mistake for a table; "" for nothing known.
func Foreign(head []byte) string {
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.what
		}
	}
	return ""
}

// explain turns the error that ends a text in a line into what it means for the file.
func (t *text) explain(err error, line int) error {
	var corrupt flate.CorruptInputError
	var path *fs.PathError
	switch {
	case err == errNull:
		return fmt.Errorf("%s:%d: a NUL byte: this is no text file, or not UTF-8", t.name, line)
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return fmt.Errorf("%s: the gzip stream is truncated (in line %d)", t.name, line)
	case errors.Is(err, gzip.ErrHeader) && t.from != nil:
		return fmt.Errorf("%s: something else follows the gzip stream (in line %d)", t.name, line)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fmt.Errorf("%s: the gzip stream is damaged (in line %d)", t.name, line)
	case errors.As(err, &path):
		return fmt.Errorf("%s: %w", t.name, path.Err)
	}
	return fmt.Errorf("%s: %w", t.name, err)
}

// What a file may ask for. Memory grows with what a file really holds, never
// with what it says; but a small compressed file may hold terabytes, and a
// quote that is not closed makes one row of all that follows it. A row is read
// as a whole, so it is bounded; so is what all rows together take, if the
// caller says how much that may be (Options.Memory).
const (
	maxRow  = 16 << 20      // bytes of a row, quoted line ends included
	maxRows = math.MaxInt32 // rows of a table, samples of an .out file
)

// errLongRow ends a text: its row is not read. The reader adds where the row stands.
var errLongRow = errors.New("long row")

// longRow is the error of the row behind the one of a line; 0: the first.
func longRow(after int) error {
	row := "the first row"
	if after > 0 {
		row = fmt.Sprintf("the row after that of line %d", after)
	}
	return fmt.Errorf("%s is longer than %d MiB: is a quote (\") not closed, or is this no table?", row, maxRow>>20)
}

// tooLarge is the error of a table that takes more memory than it may.
func tooLarge(limit int64) error {
	return optionerr.Errorf("Memory", "the table takes more than the %d MiB of memory that it may: leave columns out, or read it on a "+
		"larger machine", limit>>20)
}

// Text comes in UTF-8, or in what programs wrote before it. A byte that belongs to no letter of UTF-8 is read as in Windows-1252,
// which has all letters of ISO 8859-1. No letter outside ASCII is the same in both, so a text in UTF-8 stays as it is. A note
// shows the first line with such letters: whether they look right only a person knows.

// letters makes UTF-8 of text.
type letters struct {
	transform.NopResetter
	first string // piece of text around the first letter that was none of UTF-8; "" of none
}

// Transform implements transform.Transformer.
func (l *letters) Transform(to, from []byte, atEnd bool) (n, read int, err error) {
	if len(from) <= len(to) && utf8.Valid(from) { // as is most text
		return copy(to, from), len(from), nil
	}
	first := -1
	for read < len(from) && err == nil {
		r, size := utf8.DecodeRune(from[read:])
		switch {
		case n+utf8.UTFMax > len(to):
			err = transform.ErrShortDst
			continue
		case r != utf8.RuneError || size > 1:
		case !atEnd && !utf8.FullRune(from[read:]):
			err = transform.ErrShortSrc
			continue
		default:
			if r = charmap.Windows1252.DecodeByte(from[read]); r == utf8.RuneError { // a control character of ISO 8859-1
				r = rune(from[read])
			}
			if first < 0 {
				first = n
			}
		}
		n += utf8.EncodeRune(to[n:], r)
		read += size
	}
	if first >= 0 && l.first == "" {
		l.first = around(to[:n], first)
	}
	return n, read, err
}

// around returns the cell or line around a place in a text, at most 40 letters of it.
func around(text []byte, at int) string {
	const ends = ",;\t|\"\r\n"
	from := bytes.LastIndexAny(text[:at], ends) + 1
	to := len(text)
	if n := bytes.IndexAny(text[at:], ends); n >= 0 {
		to = at + n
	}
	all := []rune(string(text[from:to]))
	return string(all[:min(len(all), 40)])
}
