// Package optionerr reports what is wrong with a field of options.
//
// Begin with [Error], which errors.As finds in what the packages that read, mine
// and search return. Texts name a field as "option MaxCard"; a front end that has
// other names for the fields, such as flags, puts them there with [Rename].
//
// The package imports nothing of this module.
package optionerr

import (
	"fmt"
	"regexp"
	"sync"
	"time"
)

// Error is a field that cannot be as it is, or whose value would mend what is
// wrong with the data.
type Error struct {
	Field    string // the name of the field, as in Options
	Value    string // what it is; "": the text says what is wrong
	Expected string // what it should be, after "expected"
	text     string
}

// Errorf returns an error about a field.
func Errorf(name, format string, args ...any) *Error {
	return &Error{Field: name, text: fmt.Sprintf(format, args...)}
}

// Bad returns the error of a field whose value is not what is expected.
func Bad(name string, value any, expected string, args ...any) *Error {
	return &Error{Field: name, Value: fmt.Sprint(value), Expected: fmt.Sprintf(expected, args...)}
}

// Error says what is wrong.
func (e *Error) Error() string {
	if e.text != "" {
		return e.text
	}
	return fmt.Sprintf("option %s is %s: expected %s", e.Field, e.Value, e.Expected)
}

// mention is parsed with the first error, not at each start.
var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\boption ([A-Z][A-Za-z0-9]*)\b`) })

// Rename returns a text with "option X" replaced by the name that call has for
// the field X. A field without a name ("") stays.
func Rename(text string, call func(field string) string) string {
	return mention().ReplaceAllStringFunc(text, func(found string) string {
		if name := call(found[len("option "):]); name != "" {
			return name
		}
		return found
	})
}

// Limits are the limits that the searches of all families have. A limit that a search lacks is 0.
type Limits struct {
	Workers int           // goroutines; 0: all cores
	Time    time.Duration // 0: no limit
	Nodes   int64         // 0: no limit
	Memory  int64         // bytes; 0: no limit
}

// Check returns the error of the first limit that is negative, or above mostWorkers.
func (l Limits) Check(mostWorkers int) error {
	switch {
	case l.Workers < 0 || l.Workers > mostWorkers:
		return Bad("Workers", l.Workers, "a number from 1 to %d (0: all cores)", mostWorkers)
	case l.Time < 0:
		return Errorf("Time", "option Time is %v: a limit cannot be negative", l.Time)
	case l.Nodes < 0:
		return Errorf("Nodes", "option Nodes is %d: a limit cannot be negative", l.Nodes)
	case l.Memory < 0:
		return Errorf("Memory", "option Memory is %d: a limit cannot be negative", l.Memory)
	}
	return nil
}
