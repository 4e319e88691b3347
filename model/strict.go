package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
)

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
