// Package console is what every program of this module does with its terminal: text that
// cannot harm it, errors on one line, interruption by signals. Begin with [ForPeople].
package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"parcorels/internal/wording"
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

// Place is a terminal with a block of text at its lower end. The next block takes the place of the last, and what else is
// written comes above it. Several goroutines may use it; a nil Place shows nothing.
type Place struct {
	to   io.Writer
	size func() (width, height int)

	mu    sync.Mutex
	block string
	rows  int // of the terminal that the block takes
}

// OnTerminal returns w as a place if it is a terminal, else w and nil.
func OnTerminal(w io.Writer) (io.Writer, *Place) {
	f, ok := w.(*os.File)
	if !ok || !IsTerminal(w) {
		return w, nil
	}
	p := NewPlace(f, func() (width, height int) {
		width, height, _ = term.GetSize(int(f.Fd()))
		return width, height
	})
	return p, p
}

// NewPlace returns a place on a terminal of a size, which is 0, 0 where it is not known.
func NewPlace(to io.Writer, size func() (width, height int)) *Place {
	return &Place{to: to, size: size}
}

// Show puts a block of whole lines in the place of the last one; "" only removes that. A block that is
// higher than the terminal loses lines of its middle. A failure to print is none of the caller's.
func (p *Place) Show(block string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.block = block
	_, _ = p.replace(nil)
}

// Write writes text above the block.
func (p *Place) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.replace(text)
}

// replace writes text where the block stands, and the block below it. The text is not empty where there is any.
func (p *Place) replace(text []byte) (int, error) {
	clear, block := "", p.block
	if p.rows > 0 {
		clear = fmt.Sprintf("\x1b[%dF\x1b[J", p.rows) // up to the first row of the block, and all below is erased
	}
	block, p.rows = p.fit(block)
	if _, err := io.WriteString(p.to, clear); err != nil {
		return 0, err
	}
	n, err := p.to.Write(text)
	if err == nil {
		_, err = io.WriteString(p.to, block)
	}
	return n, err
}

// fit returns what of a block fits the terminal, and how many rows that takes.
func (p *Place) fit(block string) (string, int) {
	width, height := p.size()
	lines := strings.SplitAfter(block, "\n")
	lines = lines[:len(lines)-1]
	taken, rows := make([]int, len(lines)), 0
	for i, line := range lines {
		taken[i] = 1
		if n := utf8.RuneCountInString(line) - 1; width > 0 && n > width {
			taken[i] = (n + width - 1) / width
		}
		rows += taken[i]
	}
	for height > 0 && rows >= height && len(lines) > 0 {
		middle := len(lines) / 2
		rows -= taken[middle]
		lines, taken = append(lines[:middle], lines[middle+1:]...), append(taken[:middle], taken[middle+1:]...)
	}
	return strings.Join(lines, ""), rows
}
