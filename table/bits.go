package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
)

// BitRow is a line of a file in the reference format of the CORELS implementations: a name, and a bit per sample.
type BitRow struct {
	Name string
	Line int
	Bits *bitset.BitSet
}

// Hash is that of several texts that follow one another.
type Hash = textHash

// NewHash returns the hash of texts to come.
func NewHash() *Hash { return newTextHash(false) }

// End returns the hash as Table.Hash has it; "" of nil. No text comes behind it.
func (h *textHash) End() string { return h.end() }

// ReadBits reads all lines of a file in the reference format, at least one, of equal length: a name, and then a 0 or 1
// per sample, all separated by blanks or tabs. A name in braces may have blanks in it. Empty lines do not count.
// The text is added to h unless that is nil. Bits take at most so many bytes of memory; 0: no limit.
func ReadBits(in io.Reader, name string, h *Hash, memory int64) ([]BitRow, error) {
	text, from, err := openText(in, name, h)
	if err != nil {
		return nil, err
	}
	r := &bitReader{in: from, memory: memory, line: 1}
	for err == nil {
		text.row = 0
		err = r.readLine(text)
	}
	switch {
	case text.end != nil && text.end != io.EOF && !errors.Is(err, errBits):
		return nil, text.explain(text.end, r.line)
	case err != io.EOF:
		return nil, fmt.Errorf("%s:%d: %w", name, r.line, err)
	case len(r.rows) == 0:
		return nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	return r.rows, nil
}

// errBits is what is wrong with a line.
var errBits = errors.New("")

func badBits(format string, args ...any) error {
	return fmt.Errorf("%w"+format, append([]any{errBits}, args...)...)
}

// rowBytes is about what a row takes beside its bits.
const rowBytes = 256

// bitReader reads lines of bits, byte by byte: a line is as long as there are samples.
type bitReader struct {
	in     *bufio.Reader
	memory int64 // 0: no limit
	taken  int64
	line   int // at hand
	rows   []BitRow
}

// readLine reads a line. Its error is io.EOF behind the last one.
func (r *bitReader) readLine(t *text) error {
	c, err := r.skipBlanks()
	if err != nil || c == '\n' {
		r.line++
		return err
	}
	name, err := r.readName(c)
	if err != nil {
		return err
	}
	var words []uint64
	n := uint(0)
	for {
		t.row = 0 // it is bounded by memory
		c, err := r.skipBlanks()
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || c == '\n' {
			if failed := r.end(name, words, n); failed != nil {
				return failed
			}
			r.line++
			return err
		}
		if err := r.cell(name, c, n); err != nil {
			return err
		}
		if n%64 == 0 {
			words = append(words, 0)
			if r.memory > 0 && r.taken+int64(len(words))*8+rowBytes > r.memory {
				return badBits("%w", tooLarge(r.memory))
			}
		}
		words[n/64] |= uint64(c-'0') << (n % 64)
		if n++; n > maxRows {
			return badBits("%s: more than %d cells", Quote(name), maxRows)
		}
	}
}

// skipBlanks returns the next byte that is no space but for the end of the line.
func (r *bitReader) skipBlanks() (byte, error) {
	for {
		c, err := r.in.ReadByte()
		if err != nil || c == '\n' || c >= 0x80 || !unicode.IsSpace(rune(c)) {
			return c, err
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// readName reads the name that begins with a byte: up to the brace that closes the first one, or else up to a blank.
func (r *bitReader) readName(c byte) (string, error) {
	var name []byte
	depth, braces := 0, c == '{'
	for ; ; c, _ = r.in.ReadByte() {
		name = append(name, c)
		if c == '{' {
			depth++
		} else if c == '}' {
			depth--
		}
		next, err := r.in.Peek(1)
		switch {
		case len(name) > maxName:
			return "", badBits("the name %s is longer than %d bytes", Quote(string(name)), maxName)
		case err != nil && err != io.EOF:
			return "", err
		case braces && depth > 0 && (err != nil || next[0] == '\n'):
			return "", badBits("the name that begins %s has no closing brace", Quote(string(bytes.TrimSpace(name))))
		case err != nil, next[0] == '\n', next[0] == '\r':
			if depth == 0 || !braces {
				return checkName(name)
			}
		case braces && depth == 0 && !isBlank(next[0]):
			return "", badBits("no blank is behind the name %s", Quote(string(name)))
		case braces && depth == 0, !braces && isBlank(next[0]):
			return checkName(name)
		}
	}
}

// checkName checks a given name: it is to be shown and used as it is.
func checkName(name []byte) (string, error) {
	s := string(name)
	if !utf8.ValidString(s) {
		return "", badBits("the name %s is not UTF-8 text", Quote(s))
	}
	for _, r := range s {
		if !unicode.IsGraphic(r) {
			return "", badBits("the name %s has the character %q, which cannot be shown", Quote(s), r)
		}
	}
	return s, nil
}

// cell reports what is no cell: 0 or 1, and then a blank or the end of the line.
func (r *bitReader) cell(name string, c byte, n uint) error {
	next, err := r.in.Peek(1)
	if err != nil && err != io.EOF {
		return err
	}
	if (c == '0' || c == '1') && (err == io.EOF || next[0] < 0x80 && unicode.IsSpace(rune(next[0]))) {
		return nil
	}
	text := []byte{c}
	for len(text) < maxName {
		c, err := r.in.ReadByte()
		if err != nil || c < 0x80 && unicode.IsSpace(rune(c)) {
			break
		}
		text = append(text, c)
	}
	return badBits("%s: cell %d is %s, expected 0 or 1", Quote(name), n+1, Quote(string(text)))
}

// end ends a row.
func (r *bitReader) end(name string, words []uint64, n uint) error {
	switch first := r.rows; {
	case n == 0:
		return badBits("%s has no cells, expected a 0 or 1 for each sample behind the name", Quote(name))
	case len(first) > 0 && n != first[0].Bits.Len():
		return badBits("%d cells, expected %d as in line %d", n, first[0].Bits.Len(), first[0].Line)
	}
	r.taken += int64(len(words))*8 + rowBytes
	r.rows = append(r.rows, BitRow{name, r.line, bitset.FromWithLength(n, words)})
	return nil
}
