package dataset

import (
	"math"
	"parcorels/dataset/cell"
)

// kind is what the content of a column makes of it.
type kind int

const (
	constantColumn kind = iota // one value only
	freeText                   // texts of which none is frequent
	rowNumbers                 // whole numbers that tell rows apart and no more
	truthColumn                // two truth values
	numericColumn              // numbers
	textColumn                 // texts, some of them frequent
)

// used reports whether such columns have features.
func (k kind) used() bool { return k != constantColumn && k != freeText && k != rowNumbers }

// A column of more than manyTexts different texts has features for those only
// that are in at least one of rareShare rows, and in two.
const (
	manyTexts = 32
	rareShare = 100
)

// frequent reports whether a text in count of n rows has a feature in a column
// with so many different texts.
func frequent(count, n, texts int) bool {
	return texts <= manyTexts || count > 1 && count*rareShare >= n
}

// decide returns what the column is. In a column with missing values the two truth values are two categories of
// three, unless these rows are dropped.
func (c *column) decide(rows int, drop, cut bool) kind {
	switch {
	case c.Free:
		return freeText
	case c.many:
		return numericColumn
	}
	texts, hasMissing := 0, false
	anyFrequent, numbers := false, map[float64]bool{}
	for code, v := range c.values {
		switch {
		case c.missing.Has(c.Texts[code]):
			hasMissing = true
			continue
		case !math.IsNaN(v):
			if len(numbers) < 2 {
				numbers[v] = true // none, one or more is all that is asked
			}
		}
		texts++
	}
	for code, t := range c.Texts {
		anyFrequent = anyFrequent || frequent(c.counts[code], rows, texts) && !c.missing.Has(t)
	}
	different := texts
	if c.isOrdered() {
		different = len(numbers)
	}
	complete := !hasMissing || drop
	switch {
	case different == 0, different == 1 && complete:
		return constantColumn
	case complete && !cut && c.truth():
		return truthColumn
	case c.isOrdered():
		return numericColumn
	case anyFrequent:
		return textColumn
	}
	return freeText
}

// isOrdered reports whether the texts that are not missing are all numbers, or stand for
// such.
func (c *column) isOrdered() bool { return c.OddLine == 0 && !c.categories || !c.scale.Plain() }

// truth reports whether the texts that are not missing are truth values of one
// kind, both true and false.
func (c *column) truth() bool {
	var first cell.TruthKind
	var has [2]bool
	for _, t := range c.Texts {
		if c.missing.Has(t) {
			continue
		}
		kind, value := cell.ParseTruth(t)
		if first == cell.NoTruth {
			first = kind
		}
		if kind == cell.NoTruth || kind != first {
			return false
		}
		if value {
			has[1] = true
		} else {
			has[0] = true
		}
	}
	return has[0] && has[1]
}
