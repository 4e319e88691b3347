package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"parcorels/internal/wording"
)

// Codec reads and writes the model files of one family: a JSON object with the
// fields of an Envelope and, behind them, those of M.
type Codec[M any] struct {
	Family  Family
	Version int            // the value of "version": that of the files written, and the only one read
	Check   func(*M) error // reports the first thing in which a model contradicts itself
}

// Encode writes a model as an indented JSON object. The same model always gives
// the same bytes.
func (c Codec[M]) Encode(w io.Writer, m *M) error {
	text, err := c.text(m)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// text returns the JSON object on one line.
func (c Codec[M]) text(m *M) ([]byte, error) {
	head, err := json.Marshal(Envelope{c.Family.Format(), c.Version})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

// FromFile reads a model that Encode wrote, from a file whose format is known. An accepted file
// is complete, has every field exactly once, none of them null, and no other, and agrees with
// itself in every count. Anything else is one error that names the file and what is wrong in it.
func (c Codec[M]) FromFile(f *File) (*M, error) {
	if f.Format != c.Family.Format() {
		return nil, f.errorf(`: not a model file: "format" is %q, expected %q`, f.Format, c.Family.Format())
	}
	if f.Version != c.Version {
		return nil, f.errorf(": version %d of the model format, this program reads version %d only", f.Version, c.Version)
	}
	m := new(M)
	if err := json.Unmarshal(f.text, m); err != nil {
		return nil, f.locate(err)
	}
	text, err := c.text(m)
	if err == nil {
		err = checkFields(f.text, text)
	}
	if err == nil {
		err = c.Check(m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return m, nil
}

var errFields = errors.New("no model file: a field is missing, unknown, null or there twice")

// checkFields compares the JSON text b with what the document that was decoded from
// it would be written as. Package json ignores unknown fields, takes other spellings of known
// ones, and leaves missing, null and repeated ones to chance; here each is an
// error.
func checkFields(b, canonical []byte) error {
	var given, expected any
	if err := errors.Join(json.Unmarshal(b, &given), json.Unmarshal(canonical, &expected)); err != nil {
		return err
	}
	if !reflect.DeepEqual(given, expected) || tokens(b) != tokens(canonical) { // package json keeps the last of equal names
		return errFields
	}
	return nil
}

// tokens counts names, values and brackets.
func tokens(text []byte) (n int) {
	in := json.NewDecoder(bytes.NewReader(text))
	for _, err := in.Token(); err == nil; _, err = in.Token() {
		n++
	}
	return n
}

// maxFile bounds what ReadFile reads. A rule takes about a kilobyte; a model of
// more than a hundred has no reader.
const maxFile = 16 << 20

// Envelope opens every model file, whatever its family and version.
type Envelope struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// File is a model file that has been read, but not understood.
type File struct {
	Envelope
	name string // printable
	text []byte
}

// ReadFile reads a model file of any family; name stands for it in errors. The
// format tells which family's Decode is to understand it.
func ReadFile(r io.Reader, name string) (*File, error) {
	f := &File{name: wording.Printable(name)}
	var err error
	if f.text, err = io.ReadAll(io.LimitReader(r, maxFile+1)); err != nil {
		return nil, f.errorf(": %w", err)
	}
	if len(f.text) > maxFile {
		return nil, f.errorf(": larger than %d MiB, this is no model file", maxFile>>20)
	}
	if err := json.Unmarshal(f.text, &f.Envelope); err != nil {
		return nil, f.locate(err)
	}
	return f, nil
}

// Unknown returns the error of a file whose format no family has.
func (f *File) Unknown() error {
	return f.errorf(`: not a model file: "format" is %q, expected "parcorels rule list", "parcorels tree" or another family`, f.Format)
}

// errorf returns an error that begins with the name of the file.
func (f *File) errorf(format string, args ...any) error {
	return fmt.Errorf("%s%w", f.name, fmt.Errorf(format, args...))
}

// locate puts the place of a JSON error, where it has one, before its text.
func (f *File) locate(err error) error {
	b := f.text
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return f.errorf(": empty, expected a model file")
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(b)):
		return f.errorf("%s: the file ends within its JSON object: truncated?", place(b, int64(len(b))))
	case errors.As(err, &syntax):
		return f.errorf("%s: no model file, which is JSON: %s", place(b, syntax.Offset-1), syntax)
	case errors.As(err, &kind):
		return f.errorf("%s: a JSON %s cannot be here", place(b, kind.Offset-1), kind.Value)
	}
	return f.errorf(": %w", err)
}

// place returns ":line:column" of the byte at offset, both from 1.
func place(b []byte, offset int64) string {
	before := b[:min(max(offset, 0), int64(len(b)))]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf(":%d:%d", line, column)
}
