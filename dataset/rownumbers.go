package dataset

import (
	"math"
	"slices"
	"strings"
)

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
