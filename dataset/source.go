package dataset

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
	"os"
)

// peekSize is how much of a file is looked at before it is read: enough for
// the lines that tell the separator.
const peekSize = 1 << 16

// text is the uncompressed text of a file on its way in. It hashes what
// passes, counts lines, stops at a NUL byte and remembers why it stopped, as
// parsers downstream may not tell.
type text struct {
	name string
	from io.Reader
	raw  *raw      // nil: it is compressed
	hash hash.Hash // nil: not asked for
	line int       // of the next byte, from 1
	row  extent    // of the row at hand
	err  error     // first error but io.EOF
}

// openText unpacks r if it is gzip-compressed, by its first bytes, drops a
// byte order mark and refuses what is surely no text. The reader it returns
// has room to peek at so many bytes.
func openText(r io.Reader, name string, h hash.Hash, peek int) (*text, *bufio.Reader, error) {
	raw := newRaw(r, peek)
	t := &text{name: name, from: raw, raw: raw, hash: h, line: 1}
	if magic, _ := raw.Peek(2); string(magic) == gzipMagic {
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, nil, t.explain(err)
		}
		t.from, t.raw = newStreams(z, raw.Reader), nil
	}
	in := bufio.NewReaderSize(t, peek)
	head, err := in.Peek(8)
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return nil, nil, fmt.Errorf("%s: this is %s", name, f.what)
		}
	}
	if t.err != nil {
		return nil, nil, t.err
	}
	if len(head) == 0 && err == io.EOF {
		return nil, nil, fmt.Errorf("%s: the file is empty", name)
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, err = in.Discard(len("\ufeff"))
		return t, in, err
	}
	return t, in, nil
}

// raw is a file on its way in, with a buffer to peek into.
type raw struct {
	*bufio.Reader
	from io.Reader
}

func newRaw(r io.Reader, peek int) *raw {
	if r, ok := r.(*raw); ok {
		return r
	}
	return &raw{bufio.NewReaderSize(r, peek), r}
}

// rest returns a file that can be read at any place, by several at the same time,
// where begins what is not read yet, and about where it ends; nil if it is none.
func (r *raw) rest() (file io.ReaderAt, from, end int64) {
	if f, ok := r.from.(*os.File); ok {
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, 0, 0
		}
	}
	f, ok := r.from.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil, 0, 0
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err == nil {
		end, err = f.Seek(0, io.SeekEnd)
	}
	if err == nil {
		_, err = f.Seek(at, io.SeekStart)
	}
	if err != nil {
		return nil, 0, 0
	}
	return f, at - int64(r.Buffered()), end
}

// streams reads gzip streams that follow one another, as package gzip does, but
// tells what is no stream behind one from a stream that is damaged.
type streams struct {
	z   *gzip.Reader
	raw *bufio.Reader
}

var errJunk = errors.New("no gzip stream behind a gzip stream")

func newStreams(z *gzip.Reader, raw *bufio.Reader) *streams {
	z.Multistream(false)
	return &streams{z, raw}
}

// Read implements io.Reader.
func (s *streams) Read(p []byte) (int, error) {
	for {
		n, err := s.z.Read(p)
		if n > 0 || err != io.EOF {
			if err == io.EOF { // the next call meets it again
				err = nil
			}
			return n, err
		}
		magic, err := s.raw.Peek(len(gzipMagic))
		switch {
		case len(magic) == 0:
			return 0, err
		case string(magic) != gzipMagic:
			return 0, errJunk
		}
		if err := s.z.Reset(s.raw); err != nil {
			return 0, err
		}
		s.z.Multistream(false)
	}
}

// gzipMagic begins a gzip stream.
const gzipMagic = "\x1f\x8b"

// foreign are files that people mistake for tables, by their first bytes.
var foreign = []struct{ magic, what string }{
	{"PK\x03\x04", "a zip archive or a spreadsheet: unpack it, or save it as CSV"},
	{"BZh", "compressed by bzip2: unpack it first (gzip is read directly)"},
	{"\xfd7zXZ", "compressed by xz: unpack it first (gzip is read directly)"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first (gzip is read directly)"},
	{"PAR1", "a Parquet file: save it as CSV"},
	{"\xff\xfe", "UTF-16 text: save it as UTF-8"},
	{"\xfe\xff", "UTF-16 text: save it as UTF-8"},
}

// Read implements io.Reader.
func (t *text) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.from.Read(p)
	p = p[:n]
	if t.hash != nil {
		t.hash.Write(p)
	}
	null := bytes.IndexByte(p, 0)
	if null >= 0 {
		p = p[:null]
	}
	t.line += bytes.Count(p, []byte{'\n'})
	if long := t.row.add(p); long != nil {
		t.err = fmt.Errorf("%s: %w", t.name, long)
		return 0, t.err
	}
	if err = t.because(null >= 0, err); err != nil && err != io.EOF {
		t.err = err
	}
	return len(p), err
}

// because is the error of a text that ends in a NUL byte, or as a reader says.
func (t *text) because(null bool, end error) error {
	switch {
	case null:
		return fmt.Errorf("%s:%d: a NUL byte: this is no text file, or not UTF-8", t.name, t.line)
	case end == nil || end == io.EOF:
		return end
	}
	return t.explain(end)
}

// explain turns what a reader says into what it means for the file.
func (t *text) explain(err error) error {
	var corrupt flate.CorruptInputError
	var path *fs.PathError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return fmt.Errorf("%s: the gzip stream is truncated (in line %d)", t.name, t.line)
	case errors.Is(err, errJunk):
		return fmt.Errorf("%s: something else follows the gzip stream (in line %d)", t.name, t.line)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fmt.Errorf("%s: the gzip stream is damaged (in line %d)", t.name, t.line)
	case errors.As(err, &path):
		return fmt.Errorf("%s: %w", t.name, path.Err)
	}
	return fmt.Errorf("%s: %w", t.name, err)
}

// openFile opens a file for reading. Its error has the path once.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("%s: %w", path, fault.Err)
	}
	return f, err
}
