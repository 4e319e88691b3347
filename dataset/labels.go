package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"

	"parcorels/optionerr"
	"parcorels/table"
)

// label makes labels and classes of d from the column of labels.
func (b *builder) label(d *Dataset, c *column) error {
	if _, _, threshold := thresholdClasses(b.o.Positive); len(c.texts) > table.MaxTexts && !threshold {
		return fmt.Errorf("%s: target %s has more than %d different values, expected two classes", b.source, table.Quote(c.name), table.MaxTexts)
	}
	counts := c.counts
	var values []string
	for code, text := range c.texts {
		switch {
		case counts[code] == 0:
		case c.missing.Has(text) && len(c.matching(c.isPresent)) == 0:
			return optionerr.Errorf("Target", "%s: every label in column %s is missing: name the column of the labels with option Target", b.source, table.Quote(c.name))
		case c.missing.Has(text):
			return fmt.Errorf("%s:%d: the label in column %s is missing (%s): complete it, drop the rows without a label (option DropUnlabelled), or name another target with option Target%s", b.source, c.lines[code], table.Quote(c.name), table.Quote(text), b.twoValued(c))
		default:
			values = append(values, text)
		}
	}
	slices.Sort(values)
	d.noteCases(values)
	if asked, err := b.labelByThreshold(d, c, counts, values); asked {
		return err
	}
	if b.o.Target == "" && b.o.Positive == "" && len(values) > mostImpliedClasses && (allNumbers(values) || len(values)*fewestOfImpliedClass > b.n) {
		return optionerr.Errorf("Target", "%s: the last column %s has %d different values: name the target with option Target%s; to predict this column, name one of its values with option Positive%s",
			b.source, table.Quote(c.name), len(values), b.twoValued(c), someThreshold(values))
	}
	if b.o.Multiclass && b.o.Positive == "" && len(values) > 2 && !amounts(values) {
		if err := b.labelAll(d, c, values); err != nil {
			return fmt.Errorf("%s: target %s %w", b.source, table.Quote(c.name), err)
		}
		if threshold := someThreshold(values); threshold != "" {
			d.note("each of the %d numbers in target %s is a class of its own; for two classes give one of them by option Positive%s; for another target, option Target", len(values), table.Quote(c.name), threshold)
		}
		return nil
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

// where returns the samples whose cell in a column has one of the codes of is.
func (b *builder) where(c *column, is []bool) *bitset.BitSet {
	p := &parts{n: 1, missing: -1, byCode: make([]int, len(is))}
	for code, yes := range is {
		p.byCode[code] = -1
		if yes {
			p.byCode[code] = 0
		}
	}
	return bitset.FromWithLength(uint(b.n), b.fill(c, p)[0])
}

// chooseClasses sets the classes of the sorted distinct label texts. Without a
// positive label it takes of two the natural one: the true one, the larger
// number, +, a yes, or the one later in the order of texts; and says so in a note
// where the labels do not.
func (d *Dataset) chooseClasses(values []string, positive string) error {
	if positive != "" && !slices.Contains(values, positive) {
		return optionerr.Errorf("Positive", "has no value %s for class 1; its values are %s", table.Quote(positive), table.QuoteSome(values))
	}
	switch {
	case len(values) == 1:
		d.chooseOnly(values[0], positive)
	case len(values) > 2 && positive == "":
		return optionerr.Errorf("Positive", "has %d values, %s, expected two: name the one to tell from all others with option Positive%s", len(values), table.QuoteSome(values), someThreshold(values))
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
	kind, truth := parseTruth(value)
	if positive == "" && (kind != noTruth && !truth || value == "-") {
		class = 0
	}
	d.Classes[class] = value
	d.noteOneClass(value)
}

// natural reports which of two label texts is class 1: b if it is negative, a
// if it is positive, and neither if it is 0.
func natural(a, b string) int {
	kindA, trueA := parseTruth(a)
	kindB, trueB := parseTruth(b)
	x, isNumberA := table.ParseNumber(a)
	y, isNumberB := table.ParseNumber(b)
	switch {
	case kindA != noTruth && kindA == kindB && trueA != trueB:
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

// noteChoice notes which class is 1, unless the labels are a falsehood and a
// truth of one kind, as no and yes, and say it themselves.
func (d *Dataset) noteChoice() {
	kind0, truth0 := parseTruth(d.Classes[0])
	kind1, truth1 := parseTruth(d.Classes[1])
	if kind0 != noTruth && kind0 == kind1 && !truth0 && truth1 {
		return
	}
	d.note("class 1 is %s, class 0 is %s; option Positive chooses otherwise", table.Quote(d.Classes[1]), table.Quote(d.Classes[0]))
}

func (d *Dataset) noteOneClass(value string) {
	d.note("every sample has the label %s: the list without rules is optimal", table.Quote(value))
}

func (d *Dataset) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}
