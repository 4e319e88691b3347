package dataset

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

// Where nobody has named a target, the last column has at most mostImpliedClasses classes, or
// more if they are texts and so frequent on average.
const mostImpliedClasses, fewestOfImpliedClass = 20, 5

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

// withPoints returns a label or threshold with a point for a decimal comma.
func withPoints(positive string) string {
	text := table.Clean(positive)
	number := strings.TrimLeft(text, "<>=≤≥")
	if pointed := table.WithPoint(table.Clean(number)); pointed != table.Clean(number) {
		return text[:len(text)-len(number)] + pointed
	}
	return positive
}

// labelByThreshold makes classes of a column of labels that are numbers. It is
// not asked for if Positive is a label itself, or no threshold.
func (b *builder) labelByThreshold(d *Dataset, c *column, counts []int, values []string) (asked bool, err error) {
	test, classes, ok := cell.Classes(b.o.Positive)
	if !ok || slices.Contains(values, b.o.Positive) {
		return false, nil
	}
	one := make([]bool, len(c.texts))
	var occurs [2]bool
	for code, text := range c.texts {
		if counts[code] == 0 {
			continue
		}
		if one[code], err = test.HoldsNumber(text); err != nil {
			return true, optionerr.Errorf("Positive", "%s:%d: label %s in column %s is not a number, and class 1 is to be %s",
				b.source, c.lines[code], table.Quote(text), table.Quote(c.name), table.Quote(classes[1]))
		}
		if one[code] {
			occurs[1] = true
		} else {
			occurs[0] = true
		}
	}
	for class, name := range classes {
		if occurs[class] {
			d.Classes[class] = name
		} else {
			d.noteOneClass(classes[1-class])
		}
	}
	d.Labels = b.where(c, one)
	return true, nil
}
