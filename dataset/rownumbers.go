package dataset

import (
	"math"
	"slices"
	"strings"
)

// A row number or an id tells rows apart and nothing of the next one, but a rule may
// be made of it: rows are often sorted by what is to be predicted. So whole numbers
// that count rows, or that differ in nearly every row, make no features unless
// Options.Use names their column, and neither does a first column without a name, in
// which many programs write such numbers or the names of rows.

const (
	// fewestCounted rows are needed to say that numbers from 0 or 1 on count rows, and
	// fewestDifferent to say it of others, or that they differ in nearly all rows: a
	// measure of few rows often does.
	fewestCounted   = 10
	fewestDifferent = 40
	// nearlyAll is the least share of rows with a number of their own, in per cent. A column
	// that is called an id needs no such share: a patient may have several rows.
	nearlyAll = 98
	// mostLookedAt rows are enough to tell.
	mostLookedAt = 1 << 17
)

// numbersRows reports whether a column of numbers counts rows, or has another whole
// number in nearly every one.
func (b *builder) numbersRows(c *column) bool {
	numbers := make([]float64, 0, min(b.n, mostLookedAt))
	values := c.values()
	rising, last := true, math.Inf(-1)
	for row := range min(b.n, mostLookedAt) {
		var v float64
		if c.floats != nil {
			v = c.floats.At(row)
		} else {
			v = values[c.codes.At(row)]
		}
		switch {
		case math.IsNaN(v):
			continue
		case v != math.Trunc(v) || math.IsInf(v, 0):
			return false
		}
		numbers = append(numbers, v)
		rising, last = rising && v >= last, v
	}
	n, id := len(numbers), namesID(c.name)
	if !id && !rising && c.floats == nil && n >= fewestDifferent && len(c.texts)*100 < n*nearlyAll {
		return false // there are no more different numbers than texts
	}
	slices.Sort(numbers)
	different := len(slices.Compact(slices.Clone(numbers)))
	if n < fewestDifferent {
		return n >= fewestCounted && different == n && (numbers[0] == 0 || numbers[0] == 1) && numbers[n-1]-numbers[0] == float64(n-1)
	}
	each := different*100 >= n*nearlyAll
	c.groups = !each && (id || rising) && different >= fewestDifferent
	return each || id && c.groups
}

// namesID reports whether a heading says that a column has ids: "ID", "patient_id", "userId".
func namesID(heading string) bool {
	before, ok := strings.CutSuffix(strings.ToLower(heading), "id")
	return ok && (before == "" || strings.TrimRight(before, "_-. ") != before ||
		heading[len(heading)-2] == 'I' && heading[len(heading)-3] >= 'a')
}

// labelsRows reports whether the header of the first column says that it has the names
// of rows: nothing, or what pandas makes of that.
func labelsRows(heading string) bool {
	heading = strings.TrimSpace(heading)
	return heading == "" || heading == "Unnamed: 0"
}
