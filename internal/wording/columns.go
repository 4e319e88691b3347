package wording

import (
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
