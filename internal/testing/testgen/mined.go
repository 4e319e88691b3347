package testgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
	"parcorels/rules"
)

// Mined draws a table of so many columns 0/1, some of them equal or with few rows, and of so many classes, with weights or without,
// and mines it.
func Mined(t testing.TB, r *rand.Rand, columns, classes int, o rules.Options) *rules.Set {
	t.Helper()
	var b strings.Builder
	for c := range columns {
		fmt.Fprintf(&b, "c%d,", c)
	}
	b.WriteString("w,y\n")
	part := pick(r, "", ".5", ".125")
	for i := range 4 + r.IntN(50) {
		sum := 0
		for c := range columns {
			x := r.IntN(2+c%3) % 2
			sum += x
			fmt.Fprintf(&b, "%d,", x)
		}
		y := (sum + r.IntN(5)/4) % classes
		if i < classes {
			y = i
		}
		fmt.Fprintf(&b, "%d%s,k%d\n", 1+r.IntN(5), part, y)
	}
	reading := dataset.Options{Multiclass: classes > 2}
	if r.IntN(2) == 0 {
		reading.Weight = "w"
	} else {
		reading.Ignore = []string{"w"}
	}
	return MinedText(t, b.String(), reading, o)
}

// MinedText mines a table.
func MinedText(t testing.TB, text string, reading dataset.Options, o rules.Options) *rules.Set {
	t.Helper()
	d := must.Get(dataset.ReadFrom(strings.NewReader(text), "t.csv", reading))(t)
	set := must.Get(rules.Mine(t.Context(), d, o))(t)
	return set
}

// RowsOf returns how many samples each point of a set has, whatever they weigh.
func RowsOf(t testing.TB, set *rules.Set) []int64 {
	t.Helper()
	rows := make([]int64, Points(t, set).Count)
	for _, at := range set.PointOf() {
		rows[at]++
	}
	return rows
}
