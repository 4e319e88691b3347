package dataset

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

// label makes labels and classes of d from the column of labels.
func (b *builder) label(d *Dataset, c *column) error {
	if _, _, threshold := cell.Classes(b.o.Positive); len(c.texts) > table.MaxTexts && !threshold {
		return fmt.Errorf("%s: target %s has more than %d different values, expected two classes", b.source, table.Quote(c.name),
			table.MaxTexts)
	}
	counts := c.counts
	var values []string
	for code, text := range c.texts {
		switch {
		case counts[code] == 0:
		case c.missing.Has(text) && len(c.matching(c.isPresent)) == 0:
			return optionerr.Errorf("Target", "%s: every label in column %s is missing: name the column of the labels with option Target",
				b.source, table.Quote(c.name))
		case c.missing.Has(text):
			return optionerr.Errorf("DropUnlabelled", "%s:%d: the label in column %s is missing (%s): complete it, drop the "+
				"rows without a label (option DropUnlabelled), or name another target with option Target%s", b.source,
				c.lines[code], table.Quote(c.name), table.Quote(text), b.twoValued(c))
		default:
			values = append(values, text)
		}
	}
	slices.Sort(values)
	if b.o.Costs != nil {
		d.Classes = [2]string{c.texts[0], c.texts[1]}
		d.Labels = b.where(c, []bool{false, true})
		return nil
	}
	d.noteCases(values)
	if asked, err := b.labelByThreshold(d, c, counts, values); asked {
		return err
	}
	if b.o.Target == "" && b.o.Positive == "" && len(values) > mostImpliedClasses && (allNumbers(values) ||
		len(values)*fewestOfImpliedClass > b.rows) {
		return optionerr.Errorf("Target", "%s: the last column %s has %d different values: name the target with option Target%s; to "+
			"predict this column, name one of its values with option Positive%s",
			b.source, table.Quote(c.name), len(values), b.twoValued(c), someThreshold(values))
	}
	if b.o.Multiclass && b.o.Positive == "" && len(values) > 2 && !amounts(values) {
		if err := b.labelAll(d, c, values); err != nil {
			return fmt.Errorf("%s: target %s %w", b.source, table.Quote(c.name), err)
		}
		if threshold := someThreshold(values); threshold != "" {
			d.note("each of the %d numbers in target %s is a class of its own; for two classes give one of them by option Positive%s; "+
				"for another target, option Target", len(values), table.Quote(c.name), threshold)
		}
		return nil
	}
	if b.o.Multiclass && b.o.Positive == "" && len(values) > 2 {
		return optionerr.Errorf("Positive", "%s: target %s has %d different numbers, which are amounts rather than classes: "+
			"name the one to tell from all others with option Positive%s", b.source, table.Quote(c.name), len(values),
			someThreshold(values))
	}
	if err := d.chooseClasses(values, b.o.Positive); err != nil {
		return fmt.Errorf("%s: target %s %w", b.source, table.Quote(c.name), err)
	}
	one := make([]bool, len(c.texts))
	for code, text := range c.texts {
		one[code] = text == d.Classes[1]
	}
	d.Labels = b.where(c, one)
	return nil
}

// twoValued names columns that could be the target instead of c, as they have two values.
func (b *builder) twoValued(target *column) string {
	var names []string
	for _, c := range b.columns {
		if c != nil && c != target && len(c.matching(c.isPresent)) == 2 {
			names = append(names, c.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (with two values: " + table.QuoteSome(names) + ")"
}

// noteCases notes the first two labels that differ in upper and lower case alone.
func (d *Dataset) noteCases(values []string) {
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

// chooseClasses sets the classes of the sorted distinct label texts. Without a
// positive label it takes of two the natural one: the true one, the larger
// number, +, a yes, or the one later in the order of texts; and says so in a note
// where the labels do not.
func (d *Dataset) chooseClasses(values []string, positive string) error {
	if positive != "" && !slices.Contains(values, positive) {
		return optionerr.Errorf("Positive", "has no value %s for class 1; its values are %s", table.Quote(positive),
			table.QuoteSome(values))
	}
	switch {
	case len(values) == 1:
		d.chooseOnly(values[0], positive)
	case len(values) > 2 && positive == "":
		return optionerr.Errorf("Positive", "has %d values, %s, expected two: name the one to tell from all others with option Positive%s",
			len(values), table.QuoteSome(values), someThreshold(values))
	case len(values) > 2:
		d.Classes = [2]string{"not " + positive, positive}
		d.OneVsRest = true
	case positive != "":
		other := values[0]
		if other == positive {
			other = values[1]
		}
		d.Classes = [2]string{other, positive}
	default:
		d.Classes = [2]string{values[0], values[1]}
		if natural(values[0], values[1]) > 0 {
			d.Classes = [2]string{values[1], values[0]}
		}
		d.noteChoice()
	}
	return nil
}

// chooseOnly sets the class of the only label text there is.
func (d *Dataset) chooseOnly(value, positive string) {
	class := 1
	kind, truth := cell.ParseTruth(value)
	if positive == "" && (kind != cell.NoTruth && !truth || value == "-") {
		class = 0
	}
	d.Classes[class] = value
	d.noteOneClass(value)
}

// natural reports which of two label texts is class 1: b if it is negative, a
// if it is positive, and neither if it is 0.
func natural(a, b string) int {
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
