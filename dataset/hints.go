package dataset

import (
	"slices"
	"strings"

	"parcorels/table"
)

// remarkOnTexts remarks on a column of texts that a person may take for dates or numbers.
func (b *builder) remarkOnTexts(c *column) {
	if c.categories || !c.scale.Plain() || c.kind != freeText && c.kind != textColumn {
		return
	}
	if c.ambiguousDates {
		b.say(ambiguousDates, c, "")
	}
	odd, all := strings.Trim(c.odd, `"`), c.matching(c.isPresent)
	if c.oddLine > 0 && !c.comma && table.WithPoint(odd) != odd && (c.texts == nil || !slices.ContainsFunc(all, isNoNumber)) {
		b.say(maybeCommas, c, " ("+c.odd+")")
	}
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
