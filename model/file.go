package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"parcorels/internal/wording"
)

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
