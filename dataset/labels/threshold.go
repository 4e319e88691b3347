package labels

import (
	"math"
	"slices"
	"strings"

	"parcorels/dataset/cell"
	"parcorels/optionerr"
	"parcorels/table"
)

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
