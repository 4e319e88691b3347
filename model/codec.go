package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
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
