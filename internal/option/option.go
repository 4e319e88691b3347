// Package option describes options by rows of a table: name, type, range, default and help.
// Flags, help, manual pages, completions and parameters of other languages are made from the
// same rows. Begin with [Option].
package option

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/optionerr"
	"parcorels/ratio"
)

// Option is a row of a table of options. It reads and writes the value of one field. As JSON it is read from files, and told to
// other front ends.
type Option struct {
	Name   string `json:"name"`            // as command lines spell it: "max-card"
	Field  string `json:"field,omitempty"` // of the options of the library: "MaxCard"; "" of a front end's own option
	Short  string `json:"short,omitempty"` // a letter that stands for the name; "" for none
	Group  string `json:"group"`           // the heading of the help
	Holder string `json:"holder"`          // what stands for the value in help: "N"; "" of a switch
	Help   string `json:"help"`

	// Default is the value that holds where none is given, and Defaults that of families
	// with another one. Unset says in words what holds where there is no value to name.
	Default  string            `json:"default,omitempty"`
	Defaults map[string]string `json:"defaults,omitempty"`
	Unset    string            `json:"unset,omitempty"`

	Families []string `json:"families,omitempty"` // names of the families that have the option; nil: all
	Tables   bool     `json:"tables,omitempty"`   // it has no meaning for a file of ready-made antecedents
	Decides  bool     `json:"decides,omitempty"`  // it decides which model is learned

	Value
}

// Value is what an option holds: its type, its range, and how it is read and written.
type Value struct {
	Type   string   `json:"type"`             // "integer", "number", "text", "switch", "choice", "list", "duration" or "size"
	Expect string   `json:"expect,omitempty"` // the values it takes
	Among  []string `json:"among,omitempty"`  // names of values, or of items of a list
	Least  int64    `json:"least"`            // of an integer
	Most   int64    `json:"most"`
	Many   bool     `json:"many,omitempty"` // it may be given more than once

	set   func(text string) error
	texts func() []string // none of the zero value
}

// Find returns the option of a name; nil if there is none.
func Find(table []*Option, name string) *Option {
	for _, o := range table {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Of reports whether a family has the option.
func (o *Option) Of(family string) bool {
	return o.Families == nil || slices.Contains(o.Families, family)
}

// DefaultOf returns the default of a family, "" for none.
func (o *Option) DefaultOf(family string) string {
	if text, ok := o.Defaults[family]; ok {
		return text
	}
	return o.Default
}

// Set reads a value. An error that is ErrExpected says no more than o.Expect does.
func (o *Option) Set(text string) error { return o.set(text) }

// Texts returns what Set reads to give the field its value: nothing for a zero value, a text
// for each time that an option of many values is given.
func (o *Option) Texts() []string { return o.texts() }

// ErrExpected reports a value that is not what the option expects.
var ErrExpected = errors.New("not what the option expects")

// Complain says which option has a value that Set reported an error of; nil of none.
func (o *Option) Complain(value string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrExpected):
		return optionerr.Bad(o.Field, value, "%s", o.Expect)
	}
	return optionerr.Errorf(o.Field, "option %s is %s: %v", o.Field, value, err)
}

// Check reports a value out of its range, or one that the family does not have.
func (o *Option) Check(family string) error {
	for _, text := range o.Texts() {
		if !o.Of(family) {
			return optionerr.Errorf(o.Field, "option %s is not an option of the family %s, but of %s", o.Field, family,
				strings.Join(o.Families, ", "))
		}
		if err := o.Complain(text, o.Set(text)); err != nil {
			return err
		}
		if o.Many {
			break // a second Set would add
		}
	}
	return nil
}

// Of returns a value of a field that is read by one function and written by another.
func Of[T comparable](typ, expect string, field *T, read func(string) (T, error), write func(T) string) Value {
	return Value{
		Type: typ, Expect: expect,
		set: func(text string) error {
			v, err := read(text)
			if err == nil {
				*field = v
			}
			return err
		},
		texts: func() []string {
			var zero T
			if *field == zero {
				return nil
			}
			return []string{write(*field)}
		},
	}
}

// plain writes a text as it is.
func plain[T ~string](text T) string { return string(text) }

// Switch is a field that is on where the option is given.
func Switch(field *bool) Value {
	return Of("switch", "", field, func(text string) (bool, error) {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return false, ErrExpected
		}
		return on, nil
	}, strconv.FormatBool)
}

// Text is any text but the empty one.
func Text(field *string, expect string) Value { return textBut(field, expect, "") }

// File is the name of a file that is no stream.
func File(field *string) Value { return textBut(field, "a file name", "", "-") }

func textBut(field *string, expect string, but ...string) Value {
	return Of("text", expect, field, func(text string) (string, error) {
		if slices.Contains(but, text) {
			return "", ErrExpected
		}
		return text, nil
	}, plain)
}

// LastingFile is the name of a file that belongs with others. Symbolic links are followed,
// so that it has one name whatever it is called.
func LastingFile(field *string) Value {
	v := File(field)
	read := v.set
	v.set = func(text string) error {
		if err := read(text); err != nil {
			return err
		}
		if target, err := filepath.EvalSymlinks(text); err == nil {
			*field = target
		}
		return nil
	}
	return v
}

// Integer is an integer from least to most.
func Integer[N int | int64 | uint64](field *N, least, most int64) Value {
	expect := fmt.Sprintf("an integer from %d to %d", least, most)
	if most == math.MaxInt64 {
		expect = fmt.Sprintf("an integer from %d", least)
	}
	v := Of("integer", expect, field, func(text string) (N, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < least || n > most {
			return 0, ErrExpected
		}
		return N(n), nil
	}, func(n N) string { return fmt.Sprint(n) })
	v.Least, v.Most = least, most
	return v
}

// Number is an exact number that ok accepts, as a decimal or a fraction.
func Number(field *string, expect string, ok func(ratio.Ratio) bool) Value {
	return Of("number", expect, field, func(text string) (string, error) {
		_, err := Exact(text, ok)
		return text, err
	}, plain)
}

// Exact returns the number that a text is, if ok accepts it.
func Exact(text string, ok func(ratio.Ratio) bool) (ratio.Ratio, error) {
	r, err := ratio.Parse(text)
	if errors.Is(err, ratio.ErrRange) {
		return r, errors.Unwrap(err) // the text is there already
	}
	if err != nil || !ok(r) {
		return r, ErrExpected
	}
	return r, nil
}

// Positive accepts numbers above 0.
func Positive(r ratio.Ratio) bool { return r.Den > 0 && r.Num > 0 }

// Duration is a time above 0.
func Duration(field *time.Duration) Value {
	return Of("duration", "a duration such as 90s, 10m or 1h30m", field, func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return 0, ErrExpected
		}
		return d, nil
	}, time.Duration.String)
}

// Choice is one of some names.
func Choice[T ~string](field *T, names ...T) Value {
	var among []string
	for _, n := range names {
		among = append(among, string(n))
	}
	v := Of("choice", OneOf(among), field, func(text string) (T, error) {
		if !slices.Contains(names, T(text)) {
			return "", ErrExpected
		}
		return T(text), nil
	}, plain)
	v.Among = among
	return v
}

// OneOf lists names: "list, tree or set".
func OneOf(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// List is texts with commas between them, which may be given more than once.
func List(field *[]string, expect string, read func(string) ([]string, error)) Value {
	return Many(expect, func(text string) error {
		items, err := read(text)
		*field = append(append([]string{}, *field...), items...)
		return err
	}, func() []string {
		if *field == nil {
			return nil
		}
		return []string{Join(*field)}
	})
}

// Many is a list that may be given more than once, and is read and written by the given functions.
func Many(expect string, set func(string) error, texts func() []string) Value {
	return Value{Type: "list", Expect: expect, Many: true, set: set, texts: texts}
}

// Custom is a value that is read and written by the given functions.
func Custom(typ, expect string, set func(string) error, texts func() []string) Value {
	return Value{Type: typ, Expect: expect, set: set, texts: texts}
}

// Split reads "a,b" as package csv does, so that a quoted item may hold commas.
func Split(text string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	items, err := r.Read()
	if errors.Is(err, io.EOF) {
		return []string{}, nil
	}
	if err != nil {
		return nil, ErrExpected
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		return nil, ErrExpected
	}
	return items, nil
}

// Join writes what Split reads.
func Join(items []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(items) // a builder takes all
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// SplitNames is Split for items that stand for something.
func SplitNames(text string) ([]string, error) {
	items, err := Split(text)
	if err != nil || len(items) == 0 || slices.Contains(items, "") {
		return nil, ErrExpected
	}
	return items, nil
}

// units of sizes in bytes. A single letter stands for the power of 1024, as in
// most tools.
var units = map[string]float64{
	"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
}

// leastSize is the least that a size may be: a number below it is most likely
// one without its unit.
const leastSize = 1 << 20

// Size is a number of bytes such as 8GiB, 512MB or 1.5g.
func Size(field *int64) Value {
	return Of("size", "a size from 1MiB, such as 8GiB or 500MB", field, parseSize, func(n int64) string { return strconv.FormatInt(n, 10) })
}

func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, ok := units[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	if text != "" && digits == text {
		unit, ok = 1, true
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(n*unit >= leastSize && n*unit < math.MaxInt64) {
		return 0, ErrExpected
	}
	return int64(n * unit), nil
}
