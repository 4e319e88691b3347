package rulelist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"parcorels/internal/wording"
	"parcorels/ratio"
)

const (
	// Format is the value of "format" in a model file.
	Format = "parcorels rule list"
	// Version is the value of "version" in the model files that this package
	// writes, and the only one that it reads.
	Version = 1
	// maxFile bounds what Load reads. A rule takes about a kilobyte; a list of
	// more than a hundred has no reader.
	maxFile = 16 << 20
)

// envelope opens every model file, whatever its version.
type envelope struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// document is a model file.
type document struct {
	envelope
	Model
}

// Encode writes the model as an indented JSON object. The same model always
// gives the same bytes.
func (m *Model) Encode(w io.Writer) error {
	b, err := json.MarshalIndent(document{envelope{Format, Version}, *m}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Load reads a model that Save wrote. What it accepts is complete, has no
// field that it does not know, and agrees with itself in every count; anything
// else is one error that names the file and what is wrong in it.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}

// Decode reads a model as Load does; name stands for the file in errors.
func Decode(r io.Reader, name string) (*Model, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wording.Printable(name), err)
	}
	m, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s%w", wording.Printable(name), err)
	}
	return m, nil
}

// decode returns errors that continue a file name: ":3:7: …" or ": …".
func decode(b []byte) (*Model, error) {
	if len(b) > maxFile {
		return nil, fmt.Errorf(": larger than %d MiB, this is no model file", maxFile>>20)
	}
	if err := checkEnvelope(b); err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(b, &d); err != nil {
		return nil, located(b, err)
	}
	if err := checkFields(b, d); err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	if err := d.Model.check(); err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	return &d.Model, nil
}

func checkEnvelope(b []byte) error {
	var e envelope
	if err := json.Unmarshal(b, &e); err != nil {
		return located(b, err)
	}
	if e.Format != Format {
		return fmt.Errorf(`: not a model file: "format" is %q, expected %q`, e.Format, Format)
	}
	if e.Version != Version {
		return fmt.Errorf(": version %d of the model format, this program reads version %d only", e.Version, Version)
	}
	return nil
}

// located puts the place of a JSON error, where it has one, before its text.
func located(b []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return errors.New(": empty, expected a model file")
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(b)):
		return fmt.Errorf("%s: the file ends within its JSON object: truncated?", place(b, int64(len(b))))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: not JSON: %s", place(b, syntax.Offset-1), syntax)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: %s is a JSON %s, expected %s", place(b, kind.Offset-1), fieldName(kind.Field), kind.Value, jsonName(kind.Type))
	}
	return fmt.Errorf(": %w", err)
}

// fieldName returns the path of a field in the file. Package json puts the
// embedded Model into it, which the file does not show.
func fieldName(path string) string {
	if path == "" {
		return "the file"
	}
	return strings.TrimPrefix(path, "Model.")
}

// jsonName returns what people who read JSON call a value for a Go type.
func jsonName(t reflect.Type) string {
	if t == reflect.TypeFor[ratio.Ratio]() {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct:
		return "an object"
	}
	return "a string"
}

// place returns ":line:column" of the byte at offset, both from 1.
func place(b []byte, offset int64) string {
	before := b[:min(max(offset, 0), int64(len(b)))]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf(":%d:%d", line, column)
}
