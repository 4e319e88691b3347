package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parcorels/internal/wording"
)

// checkFields compares the JSON text b with what the document that was decoded from
// it would be written as. Package json ignores unknown fields, takes other spellings of known
// ones, and leaves missing, null and repeated ones to chance; here each is an
// error.
func checkFields(b, canonical []byte) error {
	var given, expected any
	if err := errors.Join(json.Unmarshal(b, &given), json.Unmarshal(canonical, &expected)); err != nil {
		return err
	}
	if err := sameShape("", given, expected); err != nil {
		return err
	}
	if tokens(b) != tokens(canonical) { // package json keeps the last of equal names
		return errors.New("a field occurs twice")
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

// sameShape reports the first field, in alphabetical order, that only one of
// the two values has, or that is null in the given one.
func sameShape(path string, given, expected any) error {
	switch e := expected.(type) {
	case map[string]any:
		g, ok := given.(map[string]any)
		if !ok {
			return fmt.Errorf("field %s is no JSON object", path)
		}
		return sameFields(path, g, e)
	case []any:
		g, ok := given.([]any)
		if !ok || len(g) != len(e) {
			return fmt.Errorf("field %s is no JSON array of %d elements", path, len(e))
		}
		for i := range e {
			if err := sameShape(index(path, i), g[i], e[i]); err != nil {
				return err
			}
		}
	default:
		if given == nil && expected != nil {
			return fmt.Errorf("field %s is null", path)
		}
	}
	return nil
}

func sameFields(path string, given, expected map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if _, known := expected[key]; !known {
			return fmt.Errorf("unknown field %s", join(path, key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(expected)) {
		g, present := given[key]
		if !present {
			return fmt.Errorf("field %s is missing", join(path, key))
		}
		if err := sameShape(join(path, key), g, expected[key]); err != nil {
			return err
		}
	}
	return nil
}

func join(path, key string) string {
	const longest = 100 // bytes of a key that an error shows
	if len(key) > longest {
		key = strings.ToValidUTF8(key[:longest], "") + "…"
	}
	if path == "" {
		return wording.Printable(key)
	}
	return path + "." + wording.Printable(key)
}

func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
