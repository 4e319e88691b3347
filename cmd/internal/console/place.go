package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

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
