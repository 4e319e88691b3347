package dataset

import (
	"parcorels/table"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// People write amounts as $1,234.50 or 30 %, and codes as 01067. The first have no cuts,
// as they are texts, and the second have some, as they are numbers. A remark says so.

var (
	// dressedNumber is a number with a currency, a unit or separators of thousands.
	dressedNumber = lazy(`^[+-]?([$€£¥₹]|[A-Z]{3} )? ?[+-]?([0-9]+|[0-9]{1,3}([,.' ][0-9]{3})+)([.,][0-9]+)? ?(%|[$€£¥₹]|[A-Za-z]{1,3})?$`)
	// thousands is a number whose point may separate these.
	thousands = lazy(`^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$`)
)

// lazy returns a pattern that is parsed when it is first needed, not at each start.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// fewestDressed texts must differ before they are taken for amounts.
const fewestDressed = 4

// remarkDress remarks on a column whose numbers are read otherwise than a person may expect.
func (b *builder) remarkDress(c *column) {
	switch {
	case c.categories || !c.scale.plain():
	case c.kind == freeText, c.kind == textColumn:
		if c.ambiguousDates {
			b.say(ambiguousDates, c, "")
		}
		if c.hasMissingCode() {
			b.say(missingCode, c, "")
		}
		if c.oddLine > 0 && dressedNumber().MatchString(strings.Trim(c.odd, `"`)) && c.mostlyDressed() {
			b.say(dressedNumbers, c, " ("+c.odd+")")
		}
	case c.kind == numericColumn:
		if _, cut := b.o.Cuts[c.name]; cut {
			return
		}
		if texts := c.matching(isZeroCode); len(texts) > 0 {
			b.say(leadingZeros, c, " ("+table.Quote(texts[0])+")")
		}
		if !c.comma {
			return
		}
		if texts := c.matching(thousands().MatchString); len(texts) >= fewestDressed && len(texts) == len(c.matching(isPointed)) {
			b.say(pointsOfThousands, c, " ("+table.Quote(texts[0])+")")
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

// isPointed reports whether a text has a point.
func isPointed(text string) bool { return strings.Contains(text, ".") }

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

// mostlyDressed reports whether more than half of the texts of a column are numbers, plain or
// dressed. Of a column that holds no texts the first that is no number must do.
func (c *column) mostlyDressed() bool {
	if c.texts == nil {
		return true
	}
	texts := c.matching(c.isPresent)
	dressed := c.matching(func(t string) bool { return c.isPresent(t) && dressedNumber().MatchString(t) })
	return len(texts) >= fewestDressed && 2*len(dressed) > len(texts)
}
