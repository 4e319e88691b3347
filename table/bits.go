package table

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

// BitRow is a line of a file in the reference format of the CORELS implementations: a name, and a bit per sample.
type BitRow struct {
	Name string
	Line int
	Bits *bitset.BitSet
}

// rowBytes is about what a row takes beside its bits.
const rowBytes = 256

// ReadBits reads all lines of a file in the reference format, at least one, of equal length: a name, and then a 0 or 1
// per sample, all separated by blanks or tabs. A name in braces may have blanks in it. Empty lines do not count.
// The text is added to h unless that is nil. Bits take at most so many bytes of memory; 0: no limit.
func ReadBits(in io.Reader, name string, h hash.Hash, memory int64) (rows []BitRow, err error) {
	t := &text{name: name, hash: h}
	from, err := t.open(bufio.NewReaderSize(in, peekSize))
	if err != nil {
		return nil, err
	}
	taken, ended := int64(0), false
	for number := 1; !ended; number++ {
		fail := func(err error) ([]BitRow, error) { return nil, fmt.Errorf("%s:%d: %w", name, number, err) }
		var line []byte
		for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; {
			if memory > 0 && taken+int64(len(line))/16 > memory { // a bit takes two bytes of text
				return fail(tooLarge(memory))
			}
			t.row = 0
			var part []byte
			part, err = from.ReadSlice('\n')
			line = append(line, part...)
		}
		if ended = err == io.EOF; err != nil && !ended {
			return nil, t.explain(t.end, number)
		}
		if line = bytes.TrimFunc(line, isSpace); len(line) == 0 {
			continue
		}
		row, err := parseBits(line)
		switch row.Line = number; {
		case err != nil:
			return fail(err)
		case len(rows) > 0 && row.Bits.Len() != rows[0].Bits.Len():
			return fail(fmt.Errorf("%d cells, expected %d as in line %d", row.Bits.Len(), rows[0].Bits.Len(), rows[0].Line))
		}
		if taken += int64(row.Bits.Len())/8 + rowBytes; memory > 0 && taken > memory {
			return fail(tooLarge(memory))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	return rows, nil
}

// isSpace reports whether a letter is a space of ASCII.
func isSpace(r rune) bool { return r < utf8.RuneSelf && unicode.IsSpace(r) }

// parseBits reads a line, without space around it.
func parseBits(line []byte) (row BitRow, err error) {
	end := endOfName(line)
	name := line[:end]
	for _, r := range string(name) {
		if !unicode.IsGraphic(r) && r != utf8.RuneError {
			return row, fmt.Errorf("the name %s has the character %q, which cannot be shown", Quote(string(name)), r)
		}
	}
	switch closed := line[0] != '{' || name[end-1] == '}'; {
	case end > maxName:
		return row, fmt.Errorf("the name %s is longer than %d bytes", Quote(string(name[:maxName+1])), maxName)
	case !utf8.Valid(name):
		return row, fmt.Errorf("the name %s is not UTF-8 text", Quote(string(name)))
	case !closed:
		return row, fmt.Errorf("the name that begins %s has no closing brace", Quote(string(name)))
	case end < len(line) && line[end] != ' ' && line[end] != '\t':
		return row, fmt.Errorf("no blank is behind the name %s", Quote(string(name)))
	}
	var words []uint64
	n := uint(0)
	add := func(cell byte) {
		if n%64 == 0 {
			words = append(words, 0)
		}
		words[n/64] |= uint64(cell-'0') << (n % 64)
		n++
	}
	for ; end+2 < len(line) && line[end] == ' ' && line[end+1]|1 == '1' && line[end+2] == ' '; end += 2 {
		add(line[end+1]) // at once, as most cells have one blank before them and one behind
	}
	for cell := range bytes.FieldsFuncSeq(line[end:], isSpace) {
		if len(cell) != 1 || cell[0] != '0' && cell[0] != '1' {
			return row, fmt.Errorf("%s: cell %d is %s, expected 0 or 1", Quote(string(name)), n+1,
				Quote(string(cell[:min(len(cell), maxName)])))
		}
		add(cell[0])
	}
	switch {
	case n == 0:
		return row, fmt.Errorf("%s has no cells, expected a 0 or 1 for each sample behind the name", Quote(string(name)))
	case n > maxRows:
		return row, fmt.Errorf("%s: more than %d cells", Quote(string(name)), maxRows)
	}
	return BitRow{Name: string(name), Bits: bitset.FromWithLength(n, words)}, nil
}

// endOfName returns where the name ends that begins a line: behind the brace that closes the first one, or else at a blank.
func endOfName(line []byte) int {
	depth := 0
	for i, c := range line {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case line[0] != '{' && (c == ' ' || c == '\t'):
			return i
		}
		if line[0] == '{' && depth == 0 {
			return i + 1
		}
	}
	return len(line)
}
