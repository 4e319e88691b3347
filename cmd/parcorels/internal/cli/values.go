package cli

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/ratio"
)

// The functions below read values of options into fields of the settings. They
// return errExpected where the range in the table says all there is to say.

// setter reads the value of an option.
type setter func(text string) error

// into sets a field to what a function makes of the value.
func into[T any](field *T, read func(string) (T, error)) setter {
	return func(text string) error {
		v, err := read(text)
		if err != nil {
			return errExpected
		}
		*field = v
		return nil
	}
}

// on sets the field of a switch.
func on(field *bool) setter {
	return func(string) error { *field = true; return nil }
}

// notEmpty reads any text but the empty one.
func notEmpty(field *string) setter {
	return into(field, func(text string) (string, error) {
		if text == "" {
			return "", errExpected
		}
		return text, nil
	})
}

// fileName reads the name of a file that is no stream.
func fileName(field *string) setter {
	return into(field, func(text string) (string, error) {
		if text == "" || text == "-" {
			return "", errExpected
		}
		return text, nil
	})
}

// lastingName reads the name of a checkpoint. Symbolic links are followed, so that it has
// one lock, and the proof beside it one name, whatever it is called.
func lastingName(field *string) setter {
	read := fileName(field)
	return func(text string) error {
		if err := read(text); err != nil {
			return err
		}
		if target, err := filepath.EvalSymlinks(text); err == nil {
			*field = target
		}
		return nil
	}
}

// whole reads an integer from low to high.
func whole[N int | int64 | uint64](field *N, low, high int64) setter {
	return into(field, func(text string) (N, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < low || n > high {
			return 0, errExpected
		}
		return N(n), nil
	})
}

// seed reads any integer that a seed can be.
func seed(field *uint64) setter {
	return into(field, func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) })
}

// share reads an exact number that ok accepts.
func share(field *ratio.Ratio, ok func(ratio.Ratio) bool) setter {
	return func(text string) (err error) {
		*field, err = exact(text, ok)
		return err
	}
}

// exact returns the number that a text is, if ok accepts it.
func exact(text string, ok func(ratio.Ratio) bool) (ratio.Ratio, error) {
	r, err := ratio.Parse(text)
	if errors.Is(err, ratio.ErrRange) {
		return r, errors.Unwrap(err) // the text is there already
	}
	if err != nil || !ok(r) {
		return r, errExpected
	}
	return r, nil
}

// positive accepts numbers above 0.
func positive(r ratio.Ratio) bool { return r.Den > 0 && r.Num > 0 }

// duration reads a time that is not 0.
func duration(field *time.Duration) setter {
	return into(field, func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return 0, errExpected
		}
		return d, nil
	})
}

// oneOf reads one of some names.
func oneOf[T ~string](field *T, names ...T) setter {
	return into(field, func(text string) (T, error) {
		if !slices.Contains(names, T(text)) {
			return "", errExpected
		}
		return T(text), nil
	})
}

// named reads the name of a value.
func named[T any](field *T, values map[string]T) setter {
	return into(field, func(text string) (T, error) {
		v, ok := values[text]
		if !ok {
			return v, errExpected
		}
		return v, nil
	})
}

// list reads "a,b" as package csv does, so that a quoted item may hold commas.
func list(text string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	items, err := r.Read()
	if errors.Is(err, io.EOF) {
		return []string{}, nil
	}
	if err != nil {
		return nil, errExpected
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		return nil, errExpected
	}
	return items, nil
}

// nonEmpty is list for items that stand for something.
func nonEmpty(text string) ([]string, error) {
	items, err := list(text)
	if err != nil || len(items) == 0 || slices.Contains(items, "") {
		return nil, errExpected
	}
	return items, nil
}

// cuts reads "age=18,21,23".
func cuts(text string) (column string, values []float64, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 1 {
		return "", nil, errExpected
	}
	for item := range strings.SplitSeq(text[i+1:], ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || len(values) > 0 && v <= values[len(values)-1] {
			return "", nil, errExpected
		}
		values = append(values, v)
	}
	return text[:i], values, nil
}

// separator reads the separator of fields.
func separator(text string) (rune, error) {
	switch text {
	case "tab", `\t`:
		return '\t', nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "space":
		return ' ', nil
	}
	r := []rune(text)
	if len(r) != 1 || strings.ContainsRune("\"\r\n", r[0]) {
		return 0, errExpected
	}
	return r[0], nil
}
