package cli

import (
	"cmp"
	"fmt"
	"parcorels/cmd/internal/console"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/report"
)

// How the table was read, for people: the classes, and each column with what
// its cells are taken for.

// columnsShown is how many columns are told of one by one.
const columnsShown = 40

// classLine says which class is which, and how many samples each has.
func classLine(d *dataset.Dataset) string {
	list := report.Classes(d)
	if len(list) > 2 {
		text := strconv.Itoa(len(list)) + " classes:"
		for _, c := range list {
			text += fmt.Sprintf(" %s (%s),", console.Escape(c.Label), percentOf(c.Samples, int64(d.N)))
		}
		return cut(strings.TrimSuffix(text, ","), helpWidth)
	}
	count := func(c report.Class) string {
		return fmt.Sprintf("%s: %s (%s)", console.Escape(cmp.Or(c.Label, "no label")), wording.Count(c.Samples, "sample"), percentOf(c.Samples, int64(d.N)))
	}
	text := "class 1 is " + count(list[1]) + ", class 0 is " + count(list[0])
	return strings.TrimSuffix(wrapHanging(text, 2), "\n")
}

// percentOf is a share as a percentage.
func percentOf(part, whole int64) string {
	return wording.Percentage(float64(part) / float64(max(whole, 1)))
}

// columnTable has a line for each column that has features. An .out file has
// no columns.
func columnTable(d *dataset.Dataset) (lines []string) {
	columns := report.Columns(d)
	width := 0
	for _, c := range columns[:min(len(columns), columnsShown)] {
		width = max(width, utf8.RuneCountInString(console.Escape(c.Name)))
	}
	width = min(width, 24)
	for i, c := range columns {
		if i == columnsShown {
			return append(lines, fmt.Sprintf("  and %s more", wording.Count(int64(len(columns)-i), "column")))
		}
		lines = append(lines, cut("  "+padded(cut(console.Escape(c.Name), width), width)+"  "+console.Escape(c.As), helpWidth))
	}
	return lines
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
