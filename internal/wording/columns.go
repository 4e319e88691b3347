package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ColumnGap stands between the columns of a text.
const ColumnGap = "   "

// Width returns the width of s on a page, taking each character for one.
func Width(s string) int { return utf8.RuneCountInString(s) }

// Capital returns text with a capital as its first letter, which is one of ASCII.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}

// Widest returns the largest width of some texts, 0 of none.
func Widest(texts []string) int {
	w := 0
	for _, t := range texts {
		w = max(w, Width(t))
	}
	return w
}

// PadLeft makes all texts of a column as wide as the widest, with spaces before them.
func PadLeft(texts []string) {
	w := Widest(texts)
	for i, t := range texts {
		texts[i] = strings.Repeat(" ", w-Width(t)) + t
	}
}

// PadRight makes all texts of a column as wide as the widest, with spaces behind them.
func PadRight(texts []string) {
	w := Widest(texts)
	for i, t := range texts {
		texts[i] = t + strings.Repeat(" ", w-Width(t))
	}
}

// Table sets rows below each other. The columns whose numbers are in left stand there, all others to the right. A column without text
// takes no room, and a short row has no text at its end.
func Table(rows [][]string, left string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			width := widths[i]
			if strings.Contains(left, strconv.Itoa(i)) {
				width = -width
			}
			if width != 0 {
				line += fmt.Sprintf("%*s", width, cell) + ColumnGap
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
