package cli

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Names, labels and cells come from files that anybody may have written. What
// is printed for people shows what a terminal would interpret or hide as an
// escape. Data, as the table of predict, is written as it is; where its way
// leads to a terminal after all, the same holds.

// onTerminal returns text with an escape for everything that a terminal would
// interpret or hide, line ends included.
func onTerminal(text string) string { return escaped(text, "") }

// escaped returns text with an escape for everything that does not print, but
// for the characters in except.
func escaped(text, except string) string {
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

// terminal is a stream to a terminal.
type terminal struct {
	to   io.Writer
	rest []byte // the beginning of a character
}

// Write implements io.Writer.
func (t *terminal) Write(b []byte) (int, error) {
	text := append(t.rest, b...)
	whole := len(text)
	for i := 1; i < min(utf8.UTFMax, len(text)+1); i++ {
		if last := text[len(text)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole -= i
			}
			break
		}
	}
	t.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(t.to, escaped(string(text[:whole]), "\n\t")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// forPeople returns w, or what keeps a terminal behind it safe.
func forPeople(w io.Writer) io.Writer {
	if isTerminal(w) {
		return &terminal{to: w}
	}
	return w
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
