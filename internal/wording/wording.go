// Package wording puts counts and names into text for people. Begin with [Count]
// for "1,971 samples", and with [Printable] for names from a file, whose control
// characters must reach no terminal.
package wording

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Thousands returns n in decimal with a comma between groups of three digits.
func Thousands(n int64) string { return Grouped(strconv.FormatInt(n, 10)) }

// Grouped is Thousands of a decimal number of any size.
func Grouped(digits string) string {
	first := strings.LastIndexByte(digits, '-') + 1
	for i := len(digits) - 3; i > first; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Plural returns an English noun as it stands behind n: "rule", "prefixes",
// "symmetries", "leaves". Other nouns are regular and end neither in a vowel with y nor in a
// sibilant other than x and ch.
func Plural(n int64, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return noun
	case y:
		return stem + "ies"
	case strings.HasSuffix(noun, "leaf"):
		return strings.TrimSuffix(noun, "f") + "ves"
	case strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		return noun + "es"
	}
	return noun + "s"
}

// Count returns a count with its noun: "1 rule", "1,145 prefixes".
func Count(n int64, noun string) string { return Thousands(n) + " " + Plural(n, noun) }

// Printable returns s itself, or s quoted as in Go source where it is empty,
// is not UTF-8 or holds characters that a terminal would interpret or hide.
func Printable(s string) string {
	if s == "" || !utf8.ValidString(s) || strings.ContainsFunc(s, unprintable) {
		return strconv.Quote(s)
	}
	return s
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Wrap breaks text into lines of at most width columns, each indented, and ended by a
// newline.
func Wrap(text string, width, indent int) string {
	var b strings.Builder
	used := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
			b.WriteString(strings.Repeat(" ", indent))
			used = indent
		case used+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = indent
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String() + "\n"
}

// Cut shortens a text to so many characters.
func Cut(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// ShellWord returns a text, in quotes if need be, that a shell takes for one word.
func ShellWord(text string) string {
	plain := text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%", r)
	}) < 0
	if plain {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Escape returns text with an escape for everything that a terminal would
// interpret or hide, line ends included.
func Escape(text string) string { return EscapeBut(text, "") }

// EscapeBut returns text with an escape for everything that does not print, but
// for the characters in except.
func EscapeBut(text, except string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) || strings.ContainsRune(except, r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// OneLine returns the text of err on one line, without anything that a terminal would
// interpret.
func OneLine(err error) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		// "open x.csv: no such file" says no more than "x.csv: no such file", which may
		// stand before it already.
		name := path.Path + ": "
		text = strings.Replace(text, path.Op+" "+name, name, 1)
		if strings.HasPrefix(text, path.Path+":") {
			text = path.Path + strings.Replace(text[len(path.Path):], ": "+name, ": ", 1)
		}
	}
	return Escape(text)
}

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

// Pad makes all texts of a column as wide as the widest, with spaces before them, or behind them if they stand to the left.
func Pad(texts []string, left bool) {
	width := Widest(texts)
	if left {
		width = -width
	}
	for i, t := range texts {
		texts[i] = fmt.Sprintf("%*s", width, t)
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

// Size returns bytes in at most 8 columns: "512 B", "3.4 MiB", "120 GiB".
func Size(bytes int64) string {
	const prefixes = "KMGTPE"
	if bytes < 1000 {
		return strconv.FormatInt(bytes, 10) + " B"
	}
	v, i := float64(bytes)/1024, 0
	for v >= 999.5 && i < len(prefixes)-1 {
		v, i = v/1024, i+1
	}
	decimals := 0
	if v < 9.95 {
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + " " + prefixes[i:i+1] + "iB"
}

// Short returns a count in at most 7 columns: "999,999", "1.23M", "123G".
func Short(n int64) string {
	if n < 1e6 {
		return Thousands(n)
	}
	v, unit := float64(n)/1e6, 0
	for v >= 999.5 && unit < 3 {
		v, unit = v/1e3, unit+1
	}
	return strconv.FormatFloat(v, 'f', decimalsOf(v), 64) + "MGTP"[unit:unit+1]
}

// decimalsOf returns how many decimals give v, below 1000, three digits.
func decimalsOf(v float64) int {
	switch {
	case v < 9.995:
		return 2
	case v < 99.95:
		return 1
	}
	return 0
}

// Seconds returns a duration for reading: "0.02 s", "12.3 s", "3h 05m", in at most 9
// columns below a century.
func Seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 100*time.Hour:
		return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return Thousands(int64(d.Hours())) + " h"
}

// Percentage returns a share of one: "13.8%". Only nothing is "0.0%".
func Percentage(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// Brief returns a number with at most six digits, large ones whole.
func Brief(v float64) string {
	if math.Abs(v) >= 1e6 && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Percent returns part of whole with one decimal, as in "65.9%". Only the
// whole is "100.0%" and only nothing is "0.0%": rounding never claims a rule
// to be perfect that is not. Empty if whole is zero.
func Percent(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	s := strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
	switch {
	case s == "100.0" && part < whole:
		s = "99.9"
	case s == "0.0" && part > 0:
		s = "0.1"
	}
	return s + "%"
}
