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
// not count. What it takes is a bit for each cell, or an error if that would be
// more than memory bytes (0: no limit). An error that is told apart, twice, is the first
// name that an earlier line has.
func readBitRows(in io.Reader, name string, h hash.Hash, memory int64, p plan) (rows []bitRow, twice, err error) {
	text, buffered, err := openText(in, name, h, bitPeek)
	if err != nil {
		return nil, nil, err
	}
	p = p.withDefaults(0)
	r := &bitReader{name: name, memory: memory, line: 1, lines: map[string]int{}}
	if err := inChunks(newSource(text, buffered, lineCutter{}, p.size), p.workers, newBitParser, r.merge); err != nil {
		return nil, nil, err
	}
	if len(r.rows) == 0 {
		return nil, nil, fmt.Errorf("%s: the file has no lines but empty ones", name)
	}
	return r.rows, r.twice, nil
}

// bitPeek is how much is read by one worker before several share the rest.
const bitPeek = 1 << 12

// rowBytes is about what a row takes beside its bits.
const rowBytes = 256

// lineCutter cuts between lines, or between the cells of a line. Rows are as
// long as there are samples, so that a row may be many chunks.
type lineCutter struct{}

// tail is where a cut is looked for at first, from the end of the text. A name
// that is not too long ends within it, so that a text without a line end in its
// tail ends among the cells of a line.
const tail = 4 * maxName

func (lineCutter) cut(text []byte, mid bool) (n int, nextMid bool, err error) {
	from := max(0, len(text)-tail)
	line := -1
	if bytes.IndexByte(text[from:], '\n') >= 0 { // which is faster than from behind
		line = bytes.LastIndexByte(text[from:], '\n')
	}
	switch {
	case line < 0 && from > 0:
		if n := cutCells(text, from+1); n > 0 {
			return n, true, nil
		}
		line = bytes.LastIndexByte(text, '\n')
	case line >= 0:
		line += from
	}
	if n := cutLine(text[line+1:], mid && line < 0); n > 0 {
		return line + 1 + n, true, nil
	}
	switch {
	case line >= 0:
		return line + 1, false, nil
	case len(text) < mostChunkSize:
		return 0, false, nil
	}
	// So much text without a place to cut is blank or an error, which it shows.
	return len(text), mid || len(bytes.TrimSpace(text)) > 0, nil
}

// cutLine returns the length of the part of a line to cut off, 0 if there is
// none. It ends among the cells.
func cutLine(text []byte, mid bool) int {
	if mid {
		return cutCells(text, 1)
	}
	line := bytes.TrimLeftFunc(text, unicode.IsSpace)
	if len(line) == 0 {
		return 0
	}
	end := nameEnd(line)
	if end < 0 || end == len(line) {
		return 0
	}
	return cutCells(text, len(text)-len(line)+end+1)
}

// cutCells returns the last place from first on that has a cell before it and a blank
// behind; 0 if there is none. What comes behind the last cell of a line stays
// together, as space at its end does not count.
func cutCells(text []byte, first int) int {
	for i := len(text) - 1; i >= first; i-- {
		if blank(text[i]) && (text[i-1] == '0' || text[i-1] == '1') {
			return i
		}
	}
	return 0
}

// bitPiece is the part of a row that a chunk has.
type bitPiece struct {
	name   string // where it begins
	line   int    // counted from the beginning of the chunk
	begins bool   // the row begins here
	ends   bool   // the row ends here
	cells  cellBits
}

// bitPieces are what a chunk has.
type bitPieces struct {
	pieces []bitPiece
	words  []uint64 // all cells
	lines  int      // line ends
	fault  error    // of the piece behind them
	line   int      // of the fault, counted from the beginning of the chunk
	named  bool     // the fault belongs behind the name of the row
	end    error    // of the file, behind all of them
}

// cellFault is a cell that is none.
type cellFault struct {
	number uint // counted from the beginning of the piece
	text   string
}

func (f *cellFault) Error() string {
	return fmt.Sprintf("cell %d is %s, expected 0 or 1", f.number, quote(f.text))
}

// newBitParser returns a parser, which writes the cells of every chunk to the same
// memory.
func newBitParser() func(chunk) *bitPieces {
	b := &bitPieces{}
	return func(c chunk) *bitPieces {
		b.parse(c)
		return b
	}
}

// parse parses a chunk.
func (b *bitPieces) parse(c chunk) {
	*b = bitPieces{pieces: b.pieces[:0], words: b.words[:0], end: c.end}
	mid := c.mid
	for rest := c.text; len(rest) > 0 && b.fault == nil; {
		text, more := rest, true
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			text, rest, more = rest[:end], rest[end+1:], false
		} else {
			rest = nil
			more = c.end != io.EOF
			if c.end != nil && more {
				return // a line that cannot be read on
			}
		}
		mid = b.parseLine(text, mid, more)
		if rest != nil || !more {
			b.lines++
		}
	}
}

// parseLine parses a line, or a part of one with more behind it. It reports
// whether the row goes on.
func (b *bitPieces) parseLine(text []byte, mid, more bool) bool {
	piece := bitPiece{line: b.lines, begins: !mid, ends: !more}
	if !more {
		text = bytes.TrimRightFunc(text, unicode.IsSpace)
	}
	if !mid {
		if text = bytes.TrimLeftFunc(text, unicode.IsSpace); len(text) == 0 {
			return false
		}
		if piece.name, text, b.fault = cutName(text, more); b.fault != nil {
			b.line = b.lines
			return false
		}
	}
	err := piece.cells.parse(text, b.room(len(text)))
	b.words = b.words[:len(b.words)+len(piece.cells.words)]
	b.pieces = append(b.pieces, piece)
	if err != nil {
		b.fault, b.line, b.named = err, b.lines, true
	}
	return more
}

// room returns memory for the cells of so much text.
func (b *bitPieces) room(length int) []uint64 {
	if need := length/128 + 1; cap(b.words)-len(b.words) < need {
		b.words = make([]uint64, 0, max(need, chunkSize/128))
	}
	return b.words[len(b.words):]
}

// parse sets b to cells: 0 or 1, each with blanks or tabs before it. It writes them
// to room.
func (b *cellBits) parse(cells []byte, room []uint64) error {
	*b = cellBits{words: room[:0]}
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
			return &cellFault{b.n + 1, string(text)}
		}
		b.add(bit)
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// bitReader puts rows together.
type bitReader struct {
	name   string
	memory int64 // 0: no limit
	taken  int64
	line   int // at the beginning of the next chunk
	rows   []bitRow
	lines  map[string]int // by name
	twice  error          // the first name that two rows have
	open   *bitRow        // the row that goes on; nil: none
	cells  cellBits
}

// merge adds what a chunk has.
func (r *bitReader) merge(b *bitPieces) error {
	for i := range b.pieces {
		p := &b.pieces[i]
		if p.begins {
			r.open = &bitRow{name: p.name, line: r.line + p.line}
		}
		last := b.fault != nil && b.named && i == len(b.pieces)-1
		if err := r.add(p, last); err != nil {
			return err
		}
		if last {
			return r.cellFault(b.fault, uint(p.cells.n))
		}
	}
	if b.fault != nil {
		return fmt.Errorf("%s:%d: %w", r.name, r.line+b.line, b.fault)
	}
	r.line += b.lines
	if b.end == nil {
		return nil
	}
	if r.open != nil && b.end == io.EOF {
		if err := r.finish(); err != nil {
			return err
		}
	}
	if b.end != io.EOF {
		return b.end
	}
	return nil
}

// add adds cells to the open row.
func (r *bitReader) add(p *bitPiece, faulty bool) error {
	if p.begins {
		need := len(p.cells.words)
		if len(r.rows) > 0 {
			need = len(r.rows[0].bits.Words())
		}
		r.cells = cellBits{words: make([]uint64, 0, need)}
	}
	r.cells.append(&p.cells)
	if r.cells.n > maxRows {
		return fmt.Errorf("%s:%d: %s: more than %d cells", r.name, r.open.line, quote(r.open.name), maxRows)
	}
	if r.memory > 0 && r.taken+int64(len(r.cells.words))*8+rowBytes > r.memory {
		return fmt.Errorf("%s:%d: %w", r.name, r.open.line, tooLarge(r.memory))
	}
	if p.ends && !faulty {
		return r.finish()
	}
	return nil
}

// cellFault places a fault behind the n last cells of the open row.
func (r *bitReader) cellFault(fault error, n uint) error {
	if f, ok := fault.(*cellFault); ok {
		f.number += r.cells.n - n
	}
	return fmt.Errorf("%s:%d: %s: %w", r.name, r.open.line, quote(r.open.name), fault)
}

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
