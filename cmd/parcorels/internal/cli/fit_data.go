package cli

import (
	"cmp"
	"fmt"
	"parcorels/cmd/internal/console"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/dataset"
	"parcorels/internal/wording"
)

// How the table was read, for people: the classes, and each column with what
// its cells are taken for.

// columnsShown is how many columns are told of one by one.
const columnsShown = 40

// classLine says which class is which, and how many samples each has.
func classLine(d *dataset.Dataset) string {
	if d.ClassNames != nil {
		counts := make([]int64, len(d.ClassNames))
		for _, class := range d.ClassOf {
			counts[class]++
		}
		text := strconv.Itoa(len(counts)) + " classes:"
		for class, name := range d.ClassNames {
			text += fmt.Sprintf(" %s (%s),", console.Escape(name), percentOf(counts[class], int64(d.N)))
		}
		return cut(strings.TrimSuffix(text, ","), helpWidth)
	}
	ones := int64(d.Labels.Count())
	count := func(class int, n int64) string {
		return fmt.Sprintf("%s: %s (%s)", console.Escape(cmp.Or(d.Classes[class], "no label")), wording.Count(n, "sample"), percentOf(n, int64(d.N)))
	}
	text := "class 1 is " + count(1, ones) + ", class 0 is " + count(0, int64(d.N)-ones)
	return strings.TrimSuffix(wrapHanging(text, 2), "\n")
}

// percentOf is a share as a percentage.
func percentOf(part, whole int64) string {
	return percentage(float64(part) / float64(max(whole, 1)))
}

// columnTable has a line for each column that has features. An .out file has
// no columns.
func columnTable(d *dataset.Dataset) (lines []string) {
	var names []string
	features := map[string][]dataset.Feature{}
	for _, f := range d.Features {
		if f.Column == "" {
			return nil
		}
		if features[f.Column] == nil {
			names = append(names, f.Column)
		}
		features[f.Column] = append(features[f.Column], f)
	}
	width := 0
	for _, name := range names[:min(len(names), columnsShown)] {
		width = max(width, utf8.RuneCountInString(console.Escape(name)))
	}
	width = min(width, 24)
	for i, name := range names {
		if i == columnsShown {
			return append(lines, fmt.Sprintf("  and %s more", wording.Count(int64(len(names)-i), "column")))
		}
		lines = append(lines, cut("  "+padded(cut(console.Escape(name), width), width)+"  "+readAs(features[name]), helpWidth))
	}
	return lines
}

// readAs says what the cells of a column are taken for.
func readAs(features []dataset.Feature) string {
	var parts, values []string
	var cuts []float64
	var scale dataset.Scale
	kind := ""
	for _, f := range features {
		scale = f.Test.Scale
		switch t := f.Test; t.Kind {
		case dataset.Missing:
			parts = append(parts, wording.Thousands(int64(f.Bits.Count()))+" missing")
		case dataset.True:
			parts = append(parts, "yes or no")
		case dataset.Is:
			values = append(values, console.Escape(t.Value))
		case dataset.Number:
			i, _ := slices.BinarySearchFunc(values, t.Value, byNumber)
			values = slices.Insert(values, i, t.Value)
		case dataset.Interval:
			kind = "number in intervals from "
			cuts = append(cuts, bounds(t.Low)...)
		case dataset.Threshold:
			kind = "number cut at "
			cuts = append(cuts, bounds(t.Low, t.High)...)
		}
	}
	if len(cuts) > 0 {
		slices.Sort(cuts)
		var texts []string
		for _, c := range slices.Compact(cuts) {
			texts = append(texts, scale.Format(c))
		}
		parts = append(parts, kind+strings.Join(texts, ", "))
	}
	if len(values) > 0 {
		parts = append(parts, wording.Count(int64(len(values)), "value")+": "+strings.Join(values, ", "))
	}
	if len(parts) == 1 && features[0].Test.Kind == dataset.Missing {
		parts = append(parts, "no other condition")
	}
	return strings.Join(parts, "; ")
}

// byNumber compares texts of numbers.
func byNumber(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

// bounds returns the numbers that are there.
func bounds(list ...*float64) (there []float64) {
	for _, b := range list {
		if b != nil {
			there = append(there, *b)
		}
	}
	return there
}

// cut shortens a text to so many characters.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// padded fills a text with spaces to so many characters.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
