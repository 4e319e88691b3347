package dataset

import (
	"cmp"
	"fmt"
	"math"
	"parcorels/table"
	"slices"
)

// ClassCount returns the number of classes, at least 2.
func (d *Dataset) ClassCount() int {
	if d.ClassOf != nil {
		return len(d.ClassNames)
	}
	return 2
}

// Class returns the class of sample i, from 0 to ClassCount() − 1.
func (d *Dataset) Class(i int) int {
	if d.ClassOf != nil {
		return int(d.ClassOf[i])
	}
	return int(d.Labels.Words()[i>>6] >> (i & 63) & 1)
}

// Weight is what sample i weighs, in integer units; 1 where samples have no weights.
func (d *Dataset) Weight(i int) int64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[i]
}

// TotalWeight is what all samples weigh, in integer units; N where they have no weights.
func (d *Dataset) TotalWeight() int64 {
	if d.Weights == nil {
		return int64(d.N)
	}
	total := int64(0)
	for _, w := range d.Weights {
		total += w
	}
	return total
}

// ClassName returns the label text of a class, "" for one that never occurs.
func (d *Dataset) ClassName(class int) string {
	if d.ClassOf != nil {
		return d.ClassNames[class]
	}
	return d.Classes[class]
}

// LabelTexts returns the label text of each class.
func (d *Dataset) LabelTexts() []string {
	texts := make([]string, d.ClassCount())
	for c := range texts {
		texts[c] = d.ClassName(c)
	}
	return texts
}

// labelAll makes more than two classes of a column of labels: numbers in
// ascending order, texts behind them in the order of texts.
func (b *builder) labelAll(d *Dataset, c *column, values []string) error {
	if len(values) > math.MaxUint16 {
		return fmt.Errorf("has %d values, more than %d classes", len(values), math.MaxUint16)
	}
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
	d.ClassNames = values
	numbers := make(map[string]uint16, len(values))
	for i, text := range values {
		numbers[text] = uint16(i)
	}
	classes := make([]uint16, len(c.texts))
	for i, text := range c.texts {
		classes[i] = numbers[text] // 0 for the text of rows that are not kept
	}
	d.ClassOf = make([]uint16, b.n)
	for i, code := range c.codes {
		d.ClassOf[i] = classes[code]
	}
	return nil
}
