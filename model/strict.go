package model

import (
	"bytes"
	"encoding/json"
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
	given, err := shapeOf(b)
	if err != nil {
		return err
	}
	expected, err := shapeOf(canonical)
	if err != nil {
		return err
	}
	return sameShape("", given, expected)
}

// shapeOf returns the shape of a JSON value: maps, slices and present.
func shapeOf(text []byte) (any, error) {
	r := shapes{in: json.NewDecoder(bytes.NewReader(text))}
	return r.value()
}

// present stands for every scalar but null.
const present = true

// shapes reads shapes. It may recurse: package json has accepted the text
// before, and bounds the depth. The path to the value at hand is put together
// for an error only: of a deeply nested file of long names, the paths of all
// levels would take the square of its length.
type shapes struct {
	in   *json.Decoder
	path []step
}

// step is a key of an object, or the index of an array.
type step struct {
	key   string
	index int // −1: key counts
}

// value reads the next JSON value.
func (r *shapes) value() (any, error) {
	token, err := r.in.Token()
	switch {
	case err != nil:
		return nil, err
	case token == json.Delim('{'):
		return r.object()
	case token == json.Delim('['):
		return r.array()
	case token == nil:
		return nil, nil
	}
	return present, nil
}

func (r *shapes) object() (any, error) {
	fields := map[string]any{}
	for r.in.More() {
		token, err := r.in.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if _, twice := fields[key]; twice {
			return nil, fmt.Errorf("field %s occurs twice", r.where(key))
		}
		if fields[key], err = r.below(step{key, -1}); err != nil {
			return nil, err
		}
	}
	_, err := r.in.Token()
	return fields, err
}

func (r *shapes) array() (any, error) {
	elements := []any{}
	for r.in.More() {
		e, err := r.below(step{"", len(elements)})
		if err != nil {
			return nil, err
		}
		elements = append(elements, e)
	}
	_, err := r.in.Token()
	return elements, err
}

// below reads the value one step further.
func (r *shapes) below(s step) (any, error) {
	r.path = append(r.path, s)
	v, err := r.value()
	r.path = r.path[:len(r.path)-1]
	return v, err
}

// where returns the path of a field of the object at hand. The last steps of a
// deep one tell enough.
func (r *shapes) where(key string) string {
	const last = 8
	steps, path := r.path, ""
	if len(steps) > last {
		steps, path = steps[len(steps)-last:], "…"
	}
	for _, s := range steps {
		if s.index >= 0 {
			path = index(path, s.index)
		} else {
			path = join(path, s.key)
		}
	}
	return join(path, key)
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
