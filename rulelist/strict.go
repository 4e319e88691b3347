package rulelist

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"parcorels/internal/wording"
)

// checkFields compares the JSON text b with the document d that was decoded
// from it. Package json ignores unknown fields, takes other spellings of known
// ones, and leaves missing, null and repeated ones to chance; here each is an
// error. It suffices to hold b against what d would be written as.
func checkFields(b []byte, d document) error {
	canonical, err := json.Marshal(d)
	if err != nil {
		return err
	}
	given, err := tree(json.NewDecoder(bytes.NewReader(b)), "")
	if err != nil {
		return err
	}
	expected, err := tree(json.NewDecoder(bytes.NewReader(canonical)), "")
	if err != nil {
		return err
	}
	return sameShape("", given, expected)
}

// tree reads the next JSON value: a map, a slice, or a scalar. It may recurse:
// package json has accepted the text before, and bounds the depth.
func tree(d *json.Decoder, path string) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return object(d, path)
	case json.Delim('['):
		return array(d, path)
	}
	return token, nil
}

func object(d *json.Decoder, path string) (any, error) {
	fields := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if _, twice := fields[key]; twice {
			return nil, fmt.Errorf("field %s occurs twice", join(path, key))
		}
		if fields[key], err = tree(d, join(path, key)); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return fields, err
}

func array(d *json.Decoder, path string) (any, error) {
	elements := []any{}
	for d.More() {
		e, err := tree(d, index(path, len(elements)))
		if err != nil {
			return nil, err
		}
		elements = append(elements, e)
	}
	_, err := d.Token()
	return elements, err
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
	if path == "" {
		return wording.Printable(key)
	}
	return path + "." + wording.Printable(key)
}

func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
