// Package console is what every program of this module does with its terminal: text that
// cannot harm it, errors on one line, interruption by signals. Begin with [ForPeople].
package console

import (
	"context"
	"io"
	"os"
	"os/signal"
	"parcorels/internal/wording"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"
)

// Names, labels and cells come from files that anybody may have written. Text
// that is printed for people shows what a terminal would interpret or hide as an
// escape. Data, as the table of predict, is written as it is; where its way
// leads to a terminal after all, the same holds.

// terminal is a stream to a terminal.
type terminal struct {
	to    io.Writer
	begun []byte // the beginning of a character
}

// Write implements io.Writer.
func (t *terminal) Write(b []byte) (int, error) {
	text := append(t.begun, b...)
	whole := len(text)
	for i := 1; i < min(utf8.UTFMax, len(text)+1); i++ {
		if last := text[len(text)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole -= i
			}
			break
		}
	}
	t.begun = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(t.to, wording.EscapeBut(string(text[:whole]), "\n\t")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// ForPeople returns w, or what keeps a terminal behind it safe.
func ForPeople(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return &terminal{to: w}
	}
	return w
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	if _, ok := w.(*Place); ok {
		return true
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Interruptible returns a context that the first SIGINT (Ctrl-C) or SIGTERM
// cancels. Then the signals do again what they always do, so that a second
// one ends the process at once. It is for the life of the process.
func Interruptible(parent context.Context) context.Context {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx
}
