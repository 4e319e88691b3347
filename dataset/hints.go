package dataset

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parcorels/cuts"
	"parcorels/internal/loop"
	"parcorels/table"
)

// People write amounts as $1,234.50 or 30 %, and codes as 01067. The first have no cuts,
// as they are texts, and the second have some, as they are numbers. A remark says so.

// formattedNumber is a number with a currency, a unit or separators of thousands. The pattern is parsed when it is first needed,
// not at each start.
var formattedNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?([$€£¥₹]|[A-Z]{3} )? ?[+-]?([0-9]+|[0-9]{1,3}([,.' ][0-9]{3})+)([.,][0-9]+)? ?(%|[$€£¥₹]|[A-Za-z]{1,3})?$`)
})

// fewestFormatted texts must differ before they are taken for amounts.
const fewestFormatted = 4

// warnFormatted remarks on a column whose numbers are read otherwise than a person may expect.
func (b *builder) warnFormatted(c *column) {
	switch {
	case c.categories || !c.scale.Plain():
	case c.kind == freeText, c.kind == textColumn:
		if c.ambiguousDates {
			b.say(ambiguousDates, c, "")
		}
		if c.hasMissingCode() {
			b.say(missingCode, c, "")
		}
		odd, all := strings.Trim(c.odd, `"`), c.matching(c.isPresent)
		if c.oddLine > 0 && !c.comma && table.WithPoint(odd) != odd && (c.texts == nil || !slices.ContainsFunc(all, isNoNumber)) {
			b.say(maybeCommas, c, " ("+c.odd+")")
			return
		}
		if c.oddLine > 0 && formattedNumber().MatchString(strings.Trim(c.odd, `"`)) && c.mostlyFormatted() {
			b.say(formattedNumbers, c, " ("+c.odd+")")
		}
	case c.kind == numericColumn:
		if _, cut := b.o.Cuts[c.name]; cut {
			return
		}
		if texts := c.matching(isZeroCode); len(texts) > 0 {
			b.say(leadingZeros, c, " ("+table.Quote(texts[0])+")")
		}
		if !c.comma || c.marks.Commas && c.marks.Pointed != "" {
			return // a note of both tells
		}
		pointed := c.matching(func(t string) bool { return strings.Contains(t, ".") })
		if texts := c.matching(table.MaySeparateThousands); len(texts) >= fewestFormatted && len(texts) == len(pointed) {
			text := texts[0]
			if c.marks.Commas {
				text = strings.Replace(text, ".", ",", 1) // as the cell has it
			}
			b.say(pointsOfThousands, c, " ("+table.Quote(text)+")")
		}
	}
}

// hasMissingCode reports whether NA is missing in a column where all other texts are two capital
// letters, as codes of countries are. Three of them must differ.
func (c *column) hasMissingCode() bool {
	if !c.missing.Has(missingCodeText) || len(c.matching(func(t string) bool { return t == missingCodeText })) == 0 {
		return false
	}
	present := c.matching(c.isPresent)
	return len(present) >= 3 && !slices.ContainsFunc(present, func(t string) bool {
		return len(t) != 2 || strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != ""
	})
}

const missingCodeText = "NA"

// isZeroCode reports whether a text is a whole number that begins with a zero and is longer than a
// day or an hour.
func isZeroCode(text string) bool {
	return len(text) > 3 && text[0] == '0' && strings.Trim(text, "0123456789") == ""
}

// isNoNumber reports whether a text is no number, even with a decimal comma.
func isNoNumber(text string) bool {
	_, ok := table.ParseNumber(table.WithPoint(text))
	return !ok
}

// matching returns the texts of a column that are so, none if it does not hold its texts.
func (c *column) matching(is func(text string) bool) (texts []string) {
	for code, t := range c.texts {
		if c.counts[code] > 0 && is(t) {
			texts = append(texts, t)
		}
	}
	return texts
}

// isPresent reports whether a text does not mean that the cell is missing.
func (c *column) isPresent(text string) bool { return !c.missing.Has(text) }

// mostlyFormatted reports whether more than half of the texts of a column are numbers, plain or
// formatted. In a column that holds no texts the first that is no number must do.
func (c *column) mostlyFormatted() bool {
	if c.texts == nil {
		return true
	}
	texts := c.matching(c.isPresent)
	formatted := c.matching(func(t string) bool { return c.isPresent(t) && formattedNumber().MatchString(t) })
	return len(texts) >= fewestFormatted && 2*len(formatted) > len(texts)
}

// Whole numbers of few values may be codes. A person is asked where they tell two
// classes apart by more than chance, and the best threshold has less than half of it.

// mostCodes is how many values look like codes.
const mostCodes = 10

// hintCodes remarks on columns of numbers that look like codes.
func (b *builder) hintCodes(d *Dataset) {
	if d.Labels == nil || d.Labels.None() || d.Labels.All() {
		return
	}
	maybe := make([]bool, len(b.columns))
	loop.Parallel(len(b.columns), func(i int) {
		c := b.columns[i]
		if c == nil || c.kind != numericColumn || c.many || !c.scale.Plain() || b.o.Cuts[c.name] != nil {
			return
		}
		fraction := func(code int32) bool { return c.counts[code] > 0 && c.values[code] != math.Trunc(c.values[code]) }
		if slices.ContainsFunc(c.ascending, fraction) { // in less time than it takes to list levels
			return
		}
		levels := c.cells().Levels()
		maybe[i] = len(levels) > 2 && len(levels) <= mostCodes && cuts.Integers(levels) && c.orderIsOfNoHelp(d, levels)
	})
	for i, c := range b.columns {
		if maybe[i] {
			b.say(maybeCodes, c, "")
		}
	}
}

// orderIsOfNoHelp compares what the values of a column say of the class with what the
// best threshold says, both as Pearson's χ². It is more than chance three standard
// deviations above the mean of χ².
func (c *column) orderIsOfNoHelp(d *Dataset, levels []cuts.Level) bool {
	onesOf, labels := make([]uint64, len(c.texts)), d.Labels.Words()
	for i, code := range c.codes {
		onesOf[code] += labels[i/64] >> (i & 63) & 1 * uint64(c.rowsAt(i))
	}
	ones := make([]float64, len(levels))
	var all, positive float64
	for i, l := range levels {
		for code, n := range onesOf {
			if c.values[code] == l.Value {
				ones[i] += float64(n)
			}
		}
		all, positive = all+float64(l.Count), positive+ones[i]
	}
	if positive == 0 || positive == all {
		return false
	}
	share := positive / all
	excess := func(count, ones float64) float64 {
		d := ones - count*share
		return d * d / (count * share * (1 - share))
	}
	var values, best, below, belowOnes float64
	for i, l := range levels {
		values += excess(float64(l.Count), ones[i])
		if below, belowOnes = below+float64(l.Count), belowOnes+ones[i]; i < len(levels)-1 {
			best = max(best, excess(below, belowOnes)+excess(all-below, positive-belowOnes))
		}
	}
	freedom := float64(len(levels) - 1)
	return values > freedom+3*math.Sqrt(2*freedom) && 2*best < values
}
