package dataset

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"parcorels/table"
)

// People write amounts as $1,234.50 or 30 %. They have no cuts, as they are texts. A remark says so.

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
		odd, all := strings.Trim(c.Odd, `"`), c.matching(c.isPresent)
		if c.OddLine > 0 && !c.comma && table.WithPoint(odd) != odd && (c.Texts == nil || !slices.ContainsFunc(all, isNoNumber)) {
			b.say(maybeCommas, c, " ("+c.Odd+")")
			return
		}
		if c.OddLine > 0 && formattedNumber().MatchString(odd) && c.mostlyFormatted() {
			b.say(formattedNumbers, c, " ("+c.Odd+")")
		}
	case c.kind == numericColumn:
		if _, cut := b.o.Cuts[c.name]; cut {
			return
		}
		if !c.comma || c.Commas && c.Pointed != "" {
			return // a note of both tells
		}
		pointed := c.matching(func(t string) bool { return strings.Contains(t, ".") })
		if texts := c.matching(table.MaySeparateThousands); len(texts) >= fewestFormatted && len(texts) == len(pointed) {
			text := texts[0]
			if c.Commas {
				text = strings.Replace(text, ".", ",", 1) // as the cell has it
			}
			b.say(pointsOfThousands, c, " ("+table.Quote(text)+")")
		}
	}
}

// isNoNumber reports whether a text is no number, even with a decimal comma.
func isNoNumber(text string) bool {
	_, ok := table.ParseNumber(table.WithPoint(text))
	return !ok
}

// matching returns the texts of a column that are so, none if it does not hold its texts.
func (c *column) matching(is func(text string) bool) (texts []string) {
	for code, t := range c.Texts {
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
	if c.Texts == nil {
		return true
	}
	texts := c.matching(c.isPresent)
	formatted := c.matching(func(t string) bool { return c.isPresent(t) && formattedNumber().MatchString(t) })
	return len(texts) >= fewestFormatted && 2*len(formatted) > len(texts)
}
