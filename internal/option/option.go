// Package option describes options by rows of a table: name, type, range, default and help.
// Flags, help, manual pages, completions and parameters of other languages are made from the
// same rows. Begin with [Option].
package option

import (
	"errors"
	"slices"
	"strings"

	"parcorels/optionerr"
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
