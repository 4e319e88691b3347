package dataset

import (
	"bytes"
	"fmt"
	"hash"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
)

// bitRow is a line of a file in the reference format: a name, and a bit per
// sample.
type bitRow struct {
	name string
	line int
	bits *bitset.BitSet
}

// readBitRows reads all lines, at least one, of equal length. Empty lines do
// not count.
func readBitRows(in io.Reader, name string, h hash.Hash) ([]bitRow, error) {
	text, buffered, err := openText(in, name, h)
	if err != nil {
		return nil, err
	}
	var rows []bitRow
	for number := 1; err == nil; number++ {
		var line []byte
		line, err = buffered.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, text.err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		row, err := parseBitRow(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		row.line = number
		if len(rows) > 0 && row.bits.Len() != rows[0].bits.Len() {
			return nil, fmt.Errorf("%s:%d: %d cells, expected %d as in line %d", name, number, row.bits.Len(), rows[0].bits.Len(), rows[0].line)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	return rows, nil
}

// parseBitRow parses a line free of space around it.
func parseBitRow(line []byte) (bitRow, error) {
	end := nameEnd(line)
	switch {
	case end < 0:
		return bitRow{}, fmt.Errorf("the name that begins %s has no closing brace", quote(string(line[:min(len(line), maxName)])))
	case end == len(line):
		return bitRow{}, fmt.Errorf("%s has no cells, expected a 0 or 1 for each sample behind the name", quote(string(line)))
	case !blank(line[end]):
		return bitRow{}, fmt.Errorf("no blank is behind the name %s", quote(string(line[:end])))
	}
	name, err := featureName(line[:end])
	if err != nil {
		return bitRow{}, err
	}
	bits, err := parseBits(line[end:])
	if err != nil {
		return bitRow{}, fmt.Errorf("%s: %w", quote(name), err)
	}
	return bitRow{name: name, bits: bits}, nil
}

// nameEnd returns the length of the name that a line begins with: up to the
// brace that closes the first one, or else up to a blank; -1 if none closes.
func nameEnd(line []byte) int {
	if line[0] != '{' {
		if end := bytes.IndexAny(line, " \t"); end >= 0 {
			return end
		}
		return len(line)
	}
	depth := 0
	for i, c := range line {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// featureName checks a given name: it is to be shown and used as it is.
func featureName(name []byte) (string, error) {
	s := string(name)
	switch {
	case len(s) > maxName:
		return "", fmt.Errorf("the name %s is longer than %d bytes", quote(s), maxName)
	case !utf8.ValidString(s):
		return "", fmt.Errorf("the name %s is not UTF-8 text", quote(s))
	}
	for _, r := range s {
		if !unicode.IsGraphic(r) {
			return "", fmt.Errorf("the name %s has the character %q, which cannot be shown", quote(s), r)
		}
	}
	return s, nil
}

// parseBits parses cells: 0 or 1, each with blanks or tabs before it.
func parseBits(cells []byte) (*bitset.BitSet, error) {
	var words []uint64
	n := uint(0)
	for i := 0; ; i++ {
		for i < len(cells) && blank(cells[i]) {
			i++
		}
		if i == len(cells) {
			return bitset.FromWithLength(n, words), nil
		}
		bit := uint64(cells[i] - '0')
		if bit > 1 || i+1 < len(cells) && !blank(cells[i+1]) {
			return nil, badCell(cells[i:], n+1)
		}
		if n%64 == 0 {
			words = append(words, 0)
		}
		words[n/64] |= bit << (n % 64)
		n++
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// badCell tells of the cell that begins the rest of a line.
func badCell(rest []byte, number uint) error {
	if end := bytes.IndexAny(rest, " \t"); end >= 0 {
		rest = rest[:end]
	}
	return fmt.Errorf("cell %d is %s, expected 0 or 1", number, quote(string(rest)))
}
