package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

// readBitRows reads all lines, at least one, of equal length, so many bytes at a time.
// Empty lines do not count. What it takes is a bit for each cell, or an error if that
// would be more than memory bytes (0: no limit). An error that is told apart, twice, is
// the first name that an earlier line has.
func readBitRows(in io.Reader, name string, h *textHash, memory int64, size int) (rows []bitRow, twice, err error) {
	text, err := openText(in, name, h, bitPeek)
	if err != nil {
		return nil, nil, err
	}
	r := &bitReader{name: name, memory: memory, line: 1, lines: map[string]int{}}
	chunks, last := newChunker(text, size, func(text []byte) (int, error) { return r.read(text, false) }), chunk{}
	for last.end == nil {
		last = chunks.next(last.text)
	}
	if r.err == nil {
		_, _ = r.read(last.text, last.end == io.EOF)
	}
	switch {
	case r.err != nil:
		return nil, nil, r.err
	case last.end != io.EOF:
		return nil, nil, text.explain(last.end, r.line)
	case len(r.rows) == 0:
		return nil, nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	return r.rows, r.twice, nil
}

// bitPeek is how much is looked at before the file is read.
const bitPeek = 1 << 12

// rowBytes is about what a row takes beside its bits.
const rowBytes = 256

// bitReader puts rows together. A row is as long as there are samples, and comes in parts.
type bitReader struct {
	name   string
	memory int64 // 0: no limit
	taken  int64
	line   int // at hand
	rows   []bitRow
	lines  map[string]int // by name
	twice  error          // the first name that two rows have
	open   *bitRow        // the row that goes on; nil: none
	cells  cellBits       // of it
	err    error          // the first
}

// read reads what can be read of a text without knowing what follows, or all if final,
// and returns how many bytes that was.
func (r *bitReader) read(text []byte, final bool) (n int, err error) {
	for r.err == nil && n < len(text) {
		line, ends := text[n:], final
		next := len(text)
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line, ends, next = line[:end], true, n+end+1
		}
		var left int
		if left, r.err = r.readLine(line, ends); !ends {
			return len(text) - left, r.err
		}
		n = next
		if r.err == nil {
			r.line++
		}
	}
	return n, r.err
}

// readLine reads a line, or the part of one that does not end yet. It returns how many
// bytes it leaves for when more is known.
func (r *bitReader) readLine(text []byte, ends bool) (left int, err error) {
	if ends {
		text = bytes.TrimRightFunc(text, unicode.IsSpace)
	}
	if r.open == nil {
		if text = bytes.TrimLeftFunc(text, unicode.IsSpace); len(text) == 0 {
			return 0, nil
		}
		if end := nameEnd(text); !ends && (end < 0 || end == len(text)) && len(text) < mostChunkSize {
			return len(text), nil
		}
		name, cells, err := cutName(text, !ends)
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", r.name, r.line, err)
		}
		r.open, text = &bitRow{name: name, line: r.line}, cells
		if len(r.rows) > 0 {
			r.cells.words = make([]uint64, 0, len(r.rows[0].bits.Words()))
		}
	}
	if !ends {
		// So much text without a place to cut is blank or an error, which it shows.
		if cut := cutCells(text); cut > 0 || len(text) < mostChunkSize {
			text, left = text[:cut], len(text)-cut
		}
	}
	if err := r.cells.parse(text); err != nil {
		return 0, fmt.Errorf("%s:%d: %s: %w", r.name, r.open.line, quote(r.open.name), err)
	}
	switch {
	case r.cells.n > maxRows:
		return 0, fmt.Errorf("%s:%d: %s: more than %d cells", r.name, r.open.line, quote(r.open.name), maxRows)
	case r.memory > 0 && r.taken+int64(len(r.cells.words))*8+rowBytes > r.memory:
		return 0, fmt.Errorf("%s:%d: %w", r.name, r.open.line, tooLarge(r.memory))
	case ends:
		return 0, r.finish()
	}
	return left, nil
}

// cutCells returns the last place that has a cell before it and a blank behind; 0 if
// there is none. What comes behind the last cell of a line stays
// together, as space at its end does not count.
func cutCells(text []byte) int {
	for i := len(text) - 1; i > 0; i-- {
		if blank(text[i]) && (text[i-1] == '0' || text[i-1] == '1') {
			return i
		}
	}
	return 0
}

// parse adds cells: 0 or 1, each with blanks or tabs before it.
func (b *cellBits) parse(cells []byte) error {
	for i := 0; ; i++ {
		i += b.addPlain(cells[i:])
		for i < len(cells) && blank(cells[i]) {
			i++
		}
		if i == len(cells) {
			return nil
		}
		bit := uint64(cells[i] - '0')
		if bit > 1 || i+1 < len(cells) && !blank(cells[i+1]) {
			text := cells[i:min(len(cells), i+maxName)]
			if end := bytes.IndexAny(text, " \t"); end >= 0 {
				text = text[:end]
			}
			return fmt.Errorf("cell %d is %s, expected 0 or 1", b.n+1, quote(string(text)))
		}
		b.add(bit)
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// finish closes the open row.
func (r *bitReader) finish() error {
	row := r.open
	r.open = nil
	switch first := r.rows; {
	case r.cells.n == 0:
		return fmt.Errorf("%s:%d: %w", r.name, row.line, noCells(row.name))
	case len(first) > 0 && r.cells.n != first[0].bits.Len():
		return fmt.Errorf("%s:%d: %d cells, expected %d as in line %d", r.name, row.line, r.cells.n, first[0].bits.Len(), first[0].line)
	}
	r.taken += int64(len(r.cells.words))*8 + rowBytes
	row.bits = bitset.FromWithLength(r.cells.n, r.cells.words)
	r.rows = append(r.rows, *row)
	if first := r.lines[row.name]; first == 0 {
		r.lines[row.name] = row.line
	} else if r.twice == nil {
		r.twice = fmt.Errorf("%s:%d: the name %s was given in line %d already", r.name, row.line, quote(row.name), first)
	}
	r.cells = cellBits{}
	return nil
}

func noCells(name string) error {
	return fmt.Errorf("%s has no cells, expected a 0 or 1 for each sample behind the name", quote(name))
}

// cutName parses the name that a line, or the piece that it begins with, has
// before its cells.
func cutName(line []byte, more bool) (name string, cells []byte, err error) {
	end := nameEnd(line)
	switch {
	case end < 0:
		return "", nil, fmt.Errorf("the name that begins %s has no closing brace", quote(string(line[:min(len(line), maxName)])))
	case end == len(line) && !more:
		return "", nil, noCells(string(line))
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

// Cells of an .out file are nearly always a blank and a digit each, so that
// eight bytes are four cells. They are compared with four blanks and zeros in
// one operation: what differs may only be the lowest bit of a digit, and these
// bits are the cells.

const (
	blankZero = 0x3020302030203020 // four times " 0"
	tabZero   = 0x3009300930093009
	digitBits = 0x0100010001000100 // the lowest bit of each digit

	// Four words of four cells are combined so that cell 4j+k has bit 16k+4j.
	// This product moves it to bit 48+4j+k: it adds 48−15k, and what is added
	// for another k ends above bit 63 or below bit 48 without a carry.
	gather = 1<<48 | 1<<33 | 1<<18 | 1<<3
)

// cellBits are cells that were read, a bit each.
type cellBits struct {
	words []uint64
	n     uint
}

// add appends a cell.
func (b *cellBits) add(bit uint64) {
	if b.n%64 == 0 {
		b.words = append(b.words, 0)
	}
	b.words[b.n/64] |= bit << (b.n % 64)
	b.n++
}

// addPlain appends cells of one byte behind one blank each, 64 at a time, as
// long as there are such at the beginning of text, and returns how many bytes
// they are. It does so at the beginning of a word only.
func (b *cellBits) addPlain(text []byte) (length int) {
	if len(text) == 0 || b.n%64 != 0 {
		return 0
	}
	zeros := uint64(blankZero)
	if text[0] == '\t' {
		zeros = tabZero
	}
	for ; len(text)-length >= 128; length += 128 {
		block := (*[128]byte)(text[length:])
		var word, odd uint64
		for j := range 4 {
			eight := block[32*j : 32*j+32 : 32*j+32]
			w := binary.LittleEndian.Uint64(eight) ^ zeros
			x := binary.LittleEndian.Uint64(eight[8:]) ^ zeros
			y := binary.LittleEndian.Uint64(eight[16:]) ^ zeros
			z := binary.LittleEndian.Uint64(eight[24:]) ^ zeros
			odd |= w | x | y | z
			word |= (w>>8 | x>>4 | y | z<<4) * gather >> 48 << (16 * j)
		}
		if odd&^digitBits != 0 {
			break
		}
		b.words = append(b.words, word)
		b.n += 64
	}
	if length > 0 && length < len(text) && !blank(text[length]) { // the last cell goes on
		b.words = b.words[:len(b.words)-1]
		b.n -= 64
		length -= 128
	}
	return length
}
