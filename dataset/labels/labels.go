// Package labels says which classes the texts of a column of labels are. Begin with [Column.Classes].
package labels

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"parcorels/dataset/cell"
	"parcorels/optionerr"
	"parcorels/table"
)

// Column is a column of labels, by its distinct texts.
type Column struct {
	Source, Name string   // of the table and of the column, for errors
	Texts        []string // by code
	Counts       []int    // rows of each; 0 of one that is in no row
	Lines        []int    // where each was first seen
	Missing      table.Missing
	Rows         int
	Others       []string // columns that could be the target instead, as they have two values

	Target, Positive string // options of the data set
	Multiclass       bool
}

// Classes are what the texts of labels mean.
type Classes struct {
	Names     []string // the texts by class, at least two; "" of one that never occurs
	OneVsRest bool     // class 0 is every label but Names[1]
	Of        []uint16 // by code, its class; 0 of a text that is in no row
	Notes     []string // what a person should read
}

// Decisions returns classes that are decisions, by code.
func Decisions(names []string) *Classes {
	c := &Classes{Names: names}
	for code := range names {
		c.Of = append(c.Of, uint16(code))
	}
	return c
}

func (c *Classes) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// Where nobody has named a target, the last column has at most mostImpliedClasses classes, or
// more if they are texts and so frequent on average.
const mostImpliedClasses, fewestOfImpliedClass = 20, 5

// Classes returns the classes of a column. Errors of options are *optionerr.Error.
func (c *Column) Classes() (*Classes, error) {
	name := table.Quote(c.Name)
	if _, _, threshold := cell.Classes(c.Positive); len(c.Texts) > table.MaxTexts && !threshold {
		return nil, fmt.Errorf("%s: target %s has more than %d different values, expected two classes", c.Source, name, table.MaxTexts)
	}
	values, err := c.values()
	if err != nil {
		return nil, err
	}
	d := &Classes{Names: make([]string, 2), Of: make([]uint16, len(c.Texts))}
	d.noteCases(values)
	if asked, err := c.byThreshold(d, c.Positive, values); asked {
		return d, err
	}
	chosen := c.Positive != ""
	switch {
	case c.Target == "" && !chosen && len(values) > mostImpliedClasses &&
		(allNumbers(values) || len(values)*fewestOfImpliedClass > c.Rows):
		return nil, optionerr.Errorf("Target", "%s: the last column %s has %d different values: name the target with option Target%s; to "+
			"predict this column, name one of its values with option Positive%s",
			c.Source, name, len(values), c.others(), someThreshold(values))
	case c.Multiclass && !chosen && len(values) > 2 && amounts(values):
		return nil, optionerr.Errorf("Positive", "%s: target %s has %d different numbers, which are amounts rather than classes: "+
			"name the one to tell from all others with option Positive%s", c.Source, name, len(values), someThreshold(values))
	case c.Multiclass && !chosen && len(values) > 2:
		if len(values) > math.MaxUint16 {
			return nil, fmt.Errorf("%s: target %s has %d values, more than %d classes", c.Source, name, len(values), math.MaxUint16)
		}
		d.chooseAll(values)
		if threshold := someThreshold(values); threshold != "" {
			d.note("each of the %d numbers in target %s is a class of its own; for two classes give one of them by option Positive%s; "+
				"for another target, option Target", len(values), name, threshold)
		}
		classes := make(map[string]uint16, len(values))
		for class, text := range values {
			classes[text] = uint16(class)
		}
		for code, text := range c.Texts {
			d.Of[code] = classes[text]
		}
		return d, nil
	}
	if err := d.choose(values, c.Positive); err != nil {
		return nil, fmt.Errorf("%s: target %s %w", c.Source, name, err)
	}
	for code, text := range c.Texts {
		if text == d.Names[1] {
			d.Of[code] = 1
		}
	}
	return d, nil
}

// values returns the sorted texts that are in some row, or an error if one of them is missing.
func (c *Column) values() (values []string, err error) {
	name := table.Quote(c.Name)
	for code, text := range c.Texts {
		if c.Counts[code] > 0 && !c.Missing.Has(text) {
			values = append(values, text)
		}
	}
	for code, text := range c.Texts {
		switch {
		case c.Counts[code] == 0 || !c.Missing.Has(text):
		case len(values) == 0:
			return nil, optionerr.Errorf("Target", "%s: every label in column %s is missing: name the column of the labels with option "+
				"Target", c.Source, name)
		default:
			return nil, optionerr.Errorf("DropUnlabelled", "%s:%d: the label in column %s is missing (%s): complete it, drop the "+
				"rows without a label (option DropUnlabelled), or name another target with option Target%s", c.Source,
				c.Lines[code], name, table.Quote(text), c.others())
		}
	}
	slices.Sort(values)
	return values, nil
}

// others names the columns that could be the target.
func (c *Column) others() string {
	if len(c.Others) == 0 {
		return ""
	}
	return " (with two values: " + table.QuoteSome(c.Others) + ")"
}

// chooseAll makes a class of each value: numbers in ascending order, texts behind them in the order of texts.
func (d *Classes) chooseAll(values []string) {
	slices.SortStableFunc(values, func(x, y string) int {
		a, isNumberA := table.ParseNumber(x)
		b, isNumberB := table.ParseNumber(y)
		switch {
		case isNumberA && isNumberB:
			return cmp.Compare(a, b)
		case isNumberA:
			return -1
		case isNumberB:
			return 1
		}
		return 0 // as they are: sorted
	})
	d.Names = values
}

// noteCases notes the first two labels that differ in upper and lower case alone.
func (d *Classes) noteCases(values []string) {
	folded := map[string]string{}
	for _, v := range values {
		lower := strings.ToLower(v)
		if other, ok := folded[lower]; ok {
			d.note("labels that differ in upper and lower case are different classes: %s and %s", table.Quote(other), table.Quote(v))
			return
		}
		folded[lower] = v
	}
}

// choose sets the classes of the sorted distinct label texts. Without a
// positive label it takes of two the natural one: the true one, the larger
// number, +, a yes, or the one later in the order of texts; and says so in a note
// where the labels do not.
func (d *Classes) choose(values []string, positive string) error {
	switch {
	case positive != "" && !slices.Contains(values, positive):
		return optionerr.Errorf("Positive", "has no value %s for class 1; its values are %s", table.Quote(positive),
			table.QuoteSome(values))
	case len(values) == 1:
		class := 1
		kind, truth := cell.ParseTruth(values[0])
		if positive == "" && (kind != cell.NoTruth && !truth || values[0] == "-") {
			class = 0
		}
		d.Names[class] = values[0]
		d.Notes = append(d.Notes, NoteOne(values[0]))
	case len(values) > 2 && positive == "":
		return optionerr.Errorf("Positive", "has %d values, %s, expected two: name the one to tell from all others with option Positive%s",
			len(values), table.QuoteSome(values), someThreshold(values))
	case len(values) > 2:
		d.Names, d.OneVsRest = []string{"not " + positive, positive}, true
	default:
		d.Names = values
		if a, b := values[0], values[1]; positive == a || positive == "" && Natural(a, b) > 0 {
			slices.Reverse(d.Names)
		}
		if positive == "" {
			d.Notes = append(d.Notes, NoteTwo(d.Names)...)
		}
	}
	return nil
}

// NoteTwo notes which class is 1, unless the labels are a falsehood and a truth of one kind, as no and yes, and say it themselves.
func NoteTwo(two []string) []string {
	kind0, truth0 := cell.ParseTruth(two[0])
	kind1, truth1 := cell.ParseTruth(two[1])
	if kind0 != cell.NoTruth && kind0 == kind1 && !truth0 && truth1 {
		return nil
	}
	one, zero := table.Quote(two[1]), table.Quote(two[0])
	return []string{fmt.Sprintf("class 1 is %s, class 0 is %s; option Positive chooses otherwise", one, zero)}
}

// NoteOne notes that there is one class.
func NoteOne(value string) string {
	return fmt.Sprintf("every sample has the label %s: the list without rules is optimal", table.Quote(value))
}

// Natural reports which of two label texts is class 1: b if it is negative, a
// if it is positive, and neither if it is 0.
func Natural(a, b string) int {
	kindA, trueA := cell.ParseTruth(a)
	kindB, trueB := cell.ParseTruth(b)
	x, isNumberA := table.ParseNumber(a)
	y, isNumberB := table.ParseNumber(b)
	switch {
	case kindA != cell.NoTruth && kindA == kindB && trueA != trueB:
		if trueA {
			return 1
		}
		return -1
	case isNumberA && isNumberB:
		return cmp.Compare(x, y)
	case a == "+" && b == "-", strings.Contains(yesBeforeNo, " "+strings.ToLower(a+"/"+b)+" "):
		return 1
	}
	return 0
}

// yesBeforeNo are a yes and a no of other languages that stand in this order of texts.
const yesBeforeNo = " ja/nein ja/nee ja/nej ja/nei ano/ne evet/hayır да/нет "

// manyLabels is how many labels that are numbers look like amounts.
const manyLabels = 10

// mostClassCodes is how many different integers may be codes of classes.
const mostClassCodes = 100

func allNumbers(labels []string) bool {
	return !slices.ContainsFunc(labels, func(text string) bool { _, ok := table.ParseNumber(text); return !ok })
}

// amounts reports whether labels are numbers and so many, or with fractions, that they are no
// codes of classes.
func amounts(labels []string) bool {
	isFraction := func(text string) bool { v, _ := table.ParseNumber(text); return v != math.Trunc(v) }
	return allNumbers(labels) && (len(labels) >= manyLabels && slices.ContainsFunc(labels, isFraction) || len(labels) > mostClassCodes)
}

// someThreshold proposes a threshold, the middle of labels that look like amounts.
func someThreshold(labels []string) string {
	var numbers []float64
	for _, text := range labels {
		if v, ok := table.ParseNumber(text); ok {
			numbers = append(numbers, v)
		}
	}
	if len(numbers) < len(labels) || len(numbers) < manyLabels {
		return ""
	}
	slices.Sort(numbers)
	return ", or a threshold such as " + table.Quote("> "+table.FormatNumber(numbers[(len(numbers)-1)/2]))
}

// WithPoints returns a label or threshold with a point for a decimal comma.
func WithPoints(positive string) string {
	text := table.Clean(positive)
	number := strings.TrimLeft(text, "<>=≤≥")
	if pointed := table.WithPoint(table.Clean(number)); pointed != table.Clean(number) {
		return text[:len(text)-len(number)] + pointed
	}
	return positive
}

// byThreshold makes classes of labels that are numbers. It is not asked for if positive is a label itself, or no threshold.
func (c *Column) byThreshold(d *Classes, positive string, values []string) (asked bool, err error) {
	test, classes, ok := cell.Classes(positive)
	if !ok || slices.Contains(values, positive) {
		return false, nil
	}
	var occurs [2]bool
	for code, text := range c.Texts {
		if c.Counts[code] == 0 {
			continue
		}
		holds, err := test.HoldsNumber(text)
		if err != nil {
			return true, optionerr.Errorf("Positive", "%s:%d: label %s in column %s is not a number, and class 1 is to be %s",
				c.Source, c.Lines[code], table.Quote(text), table.Quote(c.Name), table.Quote(classes[1]))
		}
		if holds {
			d.Of[code] = 1
		}
		occurs[d.Of[code]] = true
	}
	for class, name := range classes {
		if occurs[class] {
			d.Names[class] = name
		} else {
			d.Notes = append(d.Notes, NoteOne(classes[1-class]))
		}
	}
	return true, nil
}
