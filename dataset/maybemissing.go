package dataset

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Many programs write −9, −999 or 9999 where a number is missing, or "unknown" where a text is. What they mean nobody
// knows but who made the table, so they stay values, and a note asks. It does so only where it is likely: in 1% of the
// rows and three; numbers also where no other is negative, or where they lie beyond the others by more than these span.

// missingTexts are texts that often mean missing, and are no words of Options.Missing unless somebody says so.
var missingTexts = []string{"unknown", "missing", "not available", "n.a.", "#n/a", "-", "--", "."}

// isMissingNumber reports whether a number is one that programs write for a missing one: −7 to −9 or 99, or the same
// with more of these digits.
func isMissingNumber(v float64) bool {
	if v >= 0 && v < 99 || v != math.Trunc(v) || math.Abs(v) > 1e9 {
		return false
	}
	a := int(math.Abs(v))
	digit := a % 10
	if digit < 7 || digit < 9 && v > 0 {
		return false
	}
	for ; a > 0; a /= 10 {
		if a%10 != digit {
			return false
		}
	}
	return true
}

// maybeMissing returns values of a column of numbers or texts that may mean missing; none where Options.Missing says
// what does.
func (c *column) maybeMissing() (found []string) {
	if c.missing != nil || c.categories || !c.scale.Plain() || c.kind != numericColumn && c.NumbersFirst {
		return nil
	}
	rows := 0
	often := func(n int) bool { return n >= 3 && n*rareShare >= rows }
	if c.kind != numericColumn {
		for _, n := range c.counts {
			rows += n
		}
		for code, t := range c.Texts {
			if often(c.counts[code]) && !c.missing.Has(t) && slices.Contains(missingTexts, strings.ToLower(t)) {
				found = append(found, t)
			}
		}
		return found
	}
	low, high, numbers := math.Inf(1), math.Inf(-1), map[float64]int{}
	add := func(v float64, n int) {
		switch rows += n; {
		case isMissingNumber(v):
			numbers[v] += n
		case !math.IsNaN(v):
			low, high = min(low, v), max(high, v)
		}
	}
	for code, v := range c.values {
		add(v, c.counts[code])
	}
	for v, n := range numbers {
		if !often(n) {
			low, high = min(low, v), max(high, v)
		}
	}
	for v, n := range numbers {
		if often(n) && low < high && (v < 0 && low >= 0 || max(low-v, v-high) > high-low) {
			found = append(found, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	slices.Sort(found)
	return found
}
