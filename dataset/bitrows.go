package dataset

import (
	"bufio"
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
// not count. What it takes is a bit for each cell, or an error if that would be
// more than memory bytes (0: no limit).
func readBitRows(in io.Reader, name string, h hash.Hash, memory int64) ([]bitRow, error) {
	text, buffered, err := openText(in, name, h)
	if err != nil {
		return nil, err
	}
	var rows []bitRow
	taken := int64(0)
	for number := 1; err == nil; number++ {
		var row bitRow
		row, err = readBitRow(buffered)
		switch {
		case text.err != nil:
			return nil, text.err
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		case row.bits == nil:
			continue
		case len(rows) > 0 && row.bits.Len() != rows[0].bits.Len():
			return nil, fmt.Errorf("%s:%d: %d cells, expected %d as in line %d", name, number, row.bits.Len(), rows[0].bits.Len(), rows[0].line)
		}
		if taken += int64(len(row.bits.Words()))*8 + rowBytes; memory > 0 && taken > memory {
			return nil, fmt.Errorf("%s:%d: %w", name, number, tooLarge(memory))
		}
		row.line = number
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	return rows, nil
}

// rowBytes is about what a row takes beside its bits.
const rowBytes = 256

// readBitRow reads a line, without bits if it is empty. It returns io.EOF
// with the last one.
func readBitRow(in *bufio.Reader) (bitRow, error) {
	piece, err := in.ReadSlice('\n')
	if len(bytes.TrimSpace(piece)) == 0 {
		for err == bufio.ErrBufferFull && len(bytes.TrimSpace(piece)) == 0 {
			piece, err = in.ReadSlice('\n') // blanks that fill the buffer
		}
	}
	line := bytes.TrimLeftFunc(piece, unicode.IsSpace)
	if len(line) == 0 {
		return bitRow{}, err
	}
	more := err == bufio.ErrBufferFull
	if !more {
		line = bytes.TrimRightFunc(line, unicode.IsSpace)
	}
	name, cells, fault := cutName(line, more)
	if fault != nil {
		return bitRow{}, fault
	}
	var b bitCells
	for more {
		if fault = b.add(cells); fault != nil {
			break
		}
		cells, err = in.ReadSlice('\n')
		more = err == bufio.ErrBufferFull
	}
	if fault == nil {
		fault = b.end(cells)
	}
	if fault != nil {
		return bitRow{}, fmt.Errorf("%s: %w", quote(name), fault)
	}
	return bitRow{name: name, bits: bitset.FromWithLength(b.n, b.words)}, err
}

// cutName parses the name that a line, or the piece that it begins with, has
// before its cells.
func cutName(line []byte, more bool) (name string, cells []byte, err error) {
	end := nameEnd(line)
	switch {
	case end < 0:
		return "", nil, fmt.Errorf("the name that begins %s has no closing brace", quote(string(line[:min(len(line), maxName)])))
	case end == len(line) && !more:
		return "", nil, fmt.Errorf("%s has no cells, expected a 0 or 1 for each sample behind the name", quote(string(line)))
	case end < len(line) && !blank(line[end]):
		return "", nil, fmt.Errorf("no blank is behind the name %s", quote(string(line[:end])))
	}
	name, err = featureName(line[:end])
	return name, line[end:], err
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

// bitCells are cells read so far: 0 or 1, each with blanks or tabs before it. They
// come in pieces, which may cut a cell.
type bitCells struct {
	words []uint64
	n     uint
	rest  []byte // the beginning of a cell at the end of the last piece
}

// add reads a piece of cells behind which there is another one.
func (b *bitCells) add(piece []byte) error {
	last := bytes.LastIndexAny(piece, " \t")
	if last < 0 {
		if b.rest = append(b.rest, piece...); len(b.rest) > maxName {
			return badCell(b.rest, b.n+1)
		}
		return nil
	}
	whole := b.joined(piece[:last])
	b.rest = append(b.rest[:0:0], piece[last+1:]...)
	return b.parse(whole)
}

// end reads the last piece.
func (b *bitCells) end(piece []byte) error {
	return b.parse(bytes.TrimRightFunc(b.joined(piece), unicode.IsSpace))
}

// joined returns a piece behind the beginning of a cell that came before it.
func (b *bitCells) joined(piece []byte) []byte {
	if len(b.rest) == 0 {
		return piece
	}
	return append(b.rest, piece...)
}

// parse reads whole cells.
func (b *bitCells) parse(cells []byte) error {
	for i := 0; ; i++ {
		for i < len(cells) && blank(cells[i]) {
			i++
		}
		if i == len(cells) {
			return nil
		}
		bit := uint64(cells[i] - '0')
		switch {
		case bit > 1 || i+1 < len(cells) && !blank(cells[i+1]):
			return badCell(cells[i:], b.n+1)
		case b.n == maxRows:
			return fmt.Errorf("more than %d cells", maxRows)
		}
		if b.n%64 == 0 {
			b.words = append(b.words, 0)
		}
		b.words[b.n/64] |= bit << (b.n % 64)
		b.n++
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
