// Package cell evaluates conditions on cells of tables: texts, numbers, dates, levels and truth values. Begin with
// [Test.Holds].
package cell

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parcorels/table"
)

// TruthKind tells ways of writing truth values apart: 0/1 is not yes/no.
type TruthKind int

const (
	NoTruth TruthKind = iota
	digitTruth
	yesNo
	trueFalse
	tf
	yn
)

var truths = map[string]struct {
	kind  TruthKind
	value bool
}{
	"0": {digitTruth, false}, "1": {digitTruth, true},
	"no": {yesNo, false}, "yes": {yesNo, true},
	"false": {trueFalse, false}, "true": {trueFalse, true},
	"f": {tf, false}, "t": {tf, true},
	"n": {yn, false}, "y": {yn, true},
}

// ParseTruth reads a truth value in any case; 0.0 and 1.00 are 0 and 1.
func ParseTruth(text string) (kind TruthKind, value bool) {
	if t, ok := truths[strings.ToLower(text)]; ok {
		return t.kind, t.value
	}
	if v, ok := table.ParseNumber(text); ok && (v == 0 || v == 1) {
		return digitTruth, v == 1
	}
	return NoTruth, false
}

// Kind says what a Test asks of a cell.
type Kind string

// The kinds of tests.
const (
	Is       Kind = "is"       // the text is Value
	Among    Kind = "among"    // the text is one of Values
	Number   Kind = "number"   // the number is Value
	Interval Kind = "interval" // the number is at least Low and less than High
	// Threshold: the number is greater than Low and at most High.
	Threshold Kind = "threshold"
	True      Kind = "true"    // the truth value is true: 1, yes, true, t or y
	Missing   Kind = "missing" // the value is missing
	Given     Kind = "given"   // the cell of a feature that was given as such is 1, not 0
)

// Test evaluates a feature on a cell of a new table. It holds no reference to
// the data, and its JSON form reads back as the same test.
type Test struct {
	Kind  Kind   `json:"kind"`
	Value string `json:"value,omitempty"`
	// Values are texts, sorted.
	Values []string `json:"values,omitempty"`
	// Low and High bound an interval, Low ≤ x < High, or a threshold,
	// Low < x ≤ High; nil is unbounded.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Scale is that of the numbers that are compared.
	Scale
	// MissingWords are the texts of missing values; nil are the default ones.
	MissingWords []string `json:"missing_words,omitzero"`
	// Complete says that the column had no missing value in the samples of the
	// data set, so that no one can say what a missing cell means.
	Complete bool `json:"complete,omitempty"`
}

// Holds evaluates the test on a raw cell. It is an error if the cell is not of
// the kind that the column had: no number where numbers were, or missing where
// nothing was. A text or number that never occurred is no error.
func (t Test) Holds(cell string) (bool, error) {
	text := table.Clean(cell)
	if t.Kind == Given {
		return holdsGiven(text)
	}
	if table.Missing(t.MissingWords).Has(text) {
		if t.Complete {
			return false, fmt.Errorf("%s is a missing value, which this column had none of in training", table.Quote(cell))
		}
		return t.Kind == Missing, nil
	}
	switch t.Kind {
	case Is:
		return text == t.Value, nil
	case Among:
		_, is := slices.BinarySearch(t.Values, text)
		return is, nil
	case Missing:
		return false, nil
	case True:
		kind, value := ParseTruth(text)
		if kind == NoTruth {
			return false, fmt.Errorf("%s is not a truth value such as 0, 1, yes, no", table.Quote(cell))
		}
		return value, nil
	case Number, Interval, Threshold:
		return t.HoldsNumber(text)
	}
	return false, fmt.Errorf("unknown kind of test %s", table.Quote(string(t.Kind)))
}

func holdsGiven(text string) (bool, error) {
	if text != "0" && text != "1" {
		return false, fmt.Errorf("%s is not 0 or 1", table.Quote(text))
	}
	return text == "1", nil
}

func (t Test) HoldsNumber(text string) (bool, error) {
	x, ok := t.Parse(text)
	if !ok {
		return false, fmt.Errorf("%s is not %s", table.Quote(text), t.kindOfCell())
	}
	if t.Kind == Number {
		v, ok := t.Parse(t.Value)
		if !ok {
			return false, fmt.Errorf("the test's own value %s is not %s", table.Quote(t.Value), t.kindOfCell())
		}
		return x == v, nil
	}
	if t.Kind == Threshold {
		return (t.Low == nil || *t.Low < x) && (t.High == nil || x <= *t.High), nil
	}
	return (t.Low == nil || *t.Low <= x) && (t.High == nil || x < *t.High), nil
}

// kindOfCell names what a cell of the scale is.
func (s Scale) kindOfCell() string {
	switch {
	case s.Levels != nil:
		return "one of " + table.QuoteSome(s.Levels)
	case s.Time != "":
		return "a date such as 2019-03-31"
	}
	return "a number"
}

// Direction returns 1 of a test that large numbers pass, -1 of one that small ones pass, and 0 of others.
func (t Test) Direction() int {
	low, high := t.Low != nil, t.High != nil
	switch ordered := t.Kind == Interval || t.Kind == Threshold; {
	case t.Kind == True || ordered && low && !high:
		return 1
	case ordered && high && !low:
		return -1
	}
	return 0
}

// Number returns the number that a test of kind Number compares with.
func (t Test) Number() float64 {
	v, _ := t.Parse(t.Value)
	return v
}

// Scale says which numbers the texts of a column stand for, where they are not decimal
// numbers. At most one field is set; the zero value stands for decimal numbers.
type Scale struct {
	Levels []string   `json:"levels,omitempty"` // texts in ascending order; each stands for its index
	Time   table.Time `json:"time,omitempty"`   // texts are dates and times: days since 1970-01-01 00:00
}

// Plain reports whether the texts are decimal numbers.
func (s Scale) Plain() bool { return s.Levels == nil && s.Time == "" }

// Known reports whether the scale is one that this package reads.
func (s Scale) Known() bool {
	return s.Levels == nil && slices.Contains([]table.Time{"", table.ISODate, table.DayMonthYear, table.MonthDayYear, table.DottedDate},
		s.Time) || s.Levels != nil && s.Time == ""
}

// Parse returns the number that a text without space around it stands for.
func (s Scale) Parse(text string) (v float64, ok bool) {
	switch {
	case s.Levels != nil:
		i := slices.Index(s.Levels, text)
		return float64(i), i >= 0
	case s.Time != "":
		return s.Time.Parse(text)
	}
	return table.ParseNumber(text)
}

// Format returns a text that stands for v: of levels the last up to v, of dates the
// second next to v.
func (s Scale) Format(v float64) string {
	switch {
	case s.Levels != nil:
		return s.Levels[int(math.Max(0, math.Min(math.Floor(v), float64(len(s.Levels)-1))))]
	case s.Time != "":
		return table.FormatTime(v)
	}
	return table.FormatNumber(v)
}

// CheckLevels reports levels that cannot be in order.
func CheckLevels(column string, levels []string) error {
	for i, text := range levels {
		if text == "" || text != table.Clean(text) || slices.Contains(levels[:i], text) {
			return fmt.Errorf("the levels of column %s are %s: expected different texts", table.Quote(column), table.QuoteSome(levels))
		}
	}
	if len(levels) < 2 {
		return fmt.Errorf("column %s has %d levels, expected at least 2", table.Quote(column), len(levels))
	}
	return nil
}

// A label that is a number is made one of two classes by a threshold: "> 40"
// against all others.

// Classes reads "> 40", "≥ 40", "< 40" or "≤ 40", also written >= and
// <=. It returns the test for class 1 and the names of both classes.
func Classes(positive string) (test Test, classes [2]string, ok bool) {
	text := table.Clean(strings.NewReplacer(">=", "≥", "<=", "≤").Replace(positive))
	for _, sign := range []struct {
		name, opposite string
		kind           Kind
		low            bool
	}{{"≥", "<", Interval, true}, {">", "≤", Threshold, true}, {"≤", ">", Threshold, false}, {"<", "≥", Interval, false}} {
		rest, is := strings.CutPrefix(text, sign.name)
		if !is {
			continue
		}
		v, ok := table.ParseNumber(table.Clean(rest))
		if !ok {
			break
		}
		if test.Kind = sign.kind; sign.low {
			test.Low = &v
		} else {
			test.High = &v
		}
		text = table.FormatNumber(v)
		return test, [2]string{sign.opposite + " " + text, sign.name + " " + text}, true
	}
	return test, classes, false
}

// ClassHolds evaluates a class that is a threshold on the label of a row, as
// dataset.Options.Positive describes it. It is not ok if the class is none, or the label
// no number.
func ClassHolds(class, label string) (holds, ok bool) {
	test, _, ok := Classes(class)
	if !ok {
		return false, false
	}
	holds, err := test.HoldsNumber(table.Clean(label))
	return holds, err == nil
}
