package dataset

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parcorels/dataset/cell"
	"parcorels/table"
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
const manyTexts = 32
const rareShare = 100

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
	var present []int
	numbers := map[float64]bool{}
	for code := range c.present() {
		present = append(present, code)
		if v := c.values[code]; !math.IsNaN(v) && len(numbers) < 2 {
			numbers[v] = true // none, one or more is all that is asked
		}
	}
	anyFrequent := slices.ContainsFunc(present, func(code int) bool { return frequent(c.counts[code], rows, len(present)) })
	different, complete := len(present), len(present) == len(c.Texts) || drop
	if c.isOrdered() {
		different = len(numbers)
	}
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
	kinds, values := map[cell.TruthKind]bool{}, map[bool]bool{}
	for _, t := range c.present() {
		kind, value := cell.ParseTruth(t)
		if kinds[kind], values[value] = true, true; kind == cell.NoTruth || len(kinds) > 1 {
			return false
		}
	}
	return len(values) == 2
}

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
func (c *column) maybeMissing(rows int) (found []string) {
	if c.missing != nil || c.categories || !c.scale.Plain() || c.kind != numericColumn && c.NumbersFirst {
		return nil
	}
	often := func(n int) bool { return n >= 3 && n*rareShare >= rows }
	if c.kind != numericColumn {
		for code, t := range c.present() {
			if often(c.counts[code]) && slices.Contains(missingTexts, strings.ToLower(t)) {
				found = append(found, t)
			}
		}
		return found
	}
	low, high, numbers := math.Inf(1), math.Inf(-1), map[float64]int{}
	for code, v := range c.values {
		switch {
		case isMissingNumber(v):
			numbers[v] += c.counts[code]
		case !math.IsNaN(v):
			low, high = min(low, v), max(high, v)
		}
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

// A row number or an id tells rows apart and nothing of the next one, but a rule may
// be made of it: rows are often sorted by what is to be predicted. So whole numbers
// that count rows make no features unless Options.Use names their column. Neither do those that differ in nearly
// every row, if one of three things holds: they never fall or never rise, their column is called an id, or they avoid
// the numbers before. Nor does a first column without a name: many programs write such numbers or names of rows there.
//
// A measure, as an income or a population, may differ in nearly every row as well. But n numbers drawn from S
// repeat about n²/2S times at least, and ids do not. Among the columns in the tables of R's packages that differ so and
// do not rise, 51 are measures and 17 ids, ranks or years. All the measures are kept, and two of the ids.

const (
	// fewestCounted rows are needed to say that numbers from 0 or 1 on count rows, and
	// fewestDifferent to say it of others, or that they differ in nearly all rows: a
	// measure of few rows often does.
	fewestCounted   = 10
	fewestDifferent = 40
	// nearlyAll is the least share of rows with a number of their own, in per cent. A column
	// that is called an id needs no such share: a patient may have several rows.
	nearlyAll = 98
	// fewestRepeats are expected of numbers that are drawn, where a quarter of them is too few: chance makes that
	// of one column in a hundred.
	fewestRepeats = 6
	// mostLookedAt rows are enough to tell.
	mostLookedAt = 1 << 17
)

// numbersRows reports whether a column of numbers counts rows, or has another whole
// number in nearly every one.
func (b *builder) numbersRows(c *column) bool {
	numbers := make([]float64, 0, min(b.n, mostLookedAt))
	rising, falling, last, n := true, true, math.NaN(), 0
	for row := range min(b.n, mostLookedAt) {
		v := c.number(row)
		switch {
		case math.IsNaN(v):
			continue
		case v != math.Trunc(v) || math.IsInf(v, 0):
			return false
		}
		numbers = append(numbers, v)
		n += c.rowsAt(row)
		rising, falling, last = rising && !(v < last), falling && !(v > last), v
	}
	id := namesID(c.name)
	if !id && !rising && !falling && n >= fewestDifferent && len(c.values)*100 < n*nearlyAll {
		return false // there are no more different numbers than codes
	}
	slices.Sort(numbers)
	different := len(slices.Compact(slices.Clone(numbers)))
	if n < fewestDifferent {
		return n >= fewestCounted && different == n && (numbers[0] == 0 || numbers[0] == 1) && numbers[n-1]-numbers[0] == float64(n-1)
	}
	each := different*100 >= n*nearlyAll
	c.groups = !each && (id || rising) && different >= fewestDifferent
	if !each || id || rising || falling {
		return each || id && c.groups
	}
	expected := float64(n) * float64(n) / 2 / (numbers[n-1] - numbers[0] + 1)
	c.maybeIDs = expected < fewestRepeats || float64(n-different) >= expected/4
	return !c.maybeIDs
}

// namesID reports whether a heading says that a column has ids: "ID", "patient_id", "userId".
func namesID(heading string) bool {
	before, ok := strings.CutSuffix(strings.ToLower(heading), "id")
	return ok && (before == "" || strings.TrimRight(before, "_-. ") != before ||
		heading[len(heading)-2] == 'I' && heading[len(heading)-3] >= 'a')
}
