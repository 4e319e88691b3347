// Package wording puts counts and names into text for people. Begin with [Count]
// for "1,971 samples", and with [Printable] for names from a file, whose control
// characters must reach no terminal.
package wording

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
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
	var path *fs.PathError
	if errors.As(err, &path) {
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
