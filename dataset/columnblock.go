package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"unicode/utf8"

	store "parcorels/dataset/internal/column"
)

// blockType is how the cells of a column are laid out.
type blockType struct {
	width   int  // bytes of a cell
	isFloat bool // cells are IEEE 754 numbers, NaN is missing
	isTruth bool // cells are 0 or 1
	isText  bool // cells are indices of texts, −1 is missing
	isPlain bool // cells are texts
}

// blockTypes are the types of columns, by name. All are little-endian, and
// integers have a sign.
var blockTypes = map[string]blockType{
	"bool":    {width: 1, isTruth: true},
	"int8":    {width: 1},
	"int16":   {width: 2},
	"int32":   {width: 4},
	"int64":   {width: 8},
	"float64": {width: 8, isFloat: true},
	"text":    {width: 4, isText: true},
	"text8":   {width: 1, isText: true},
	"text16":  {width: 2, isText: true},
	"string":  {isPlain: true},
}

func (t blockType) isInteger() bool { return !t.isFloat && !t.isTruth && !t.isText && !t.isPlain }

// block is the cells of a column as they came.
type block struct {
	blockType
	rows   int
	pieces [][]byte     // of blockRows cells each, the last of what is left; nil: let go of
	texts  []string     // of type text
	spans  [][]cellSpan // of type string: where the cells of a piece are
	kept   bool         // pieces stay

	size    int64       // bytes that were read
	spare   chan []byte // pieces that are done
	scratch []int64     // of keys
	floats  []float64   // likewise, of numbers
	codes   []uint32    // likewise
	plain   cellCodes   // of type string
	known   knownCodes
	places  int         // of integers: numbers are these divided by 10^places
	numbers textNumbers // of texts
}

// maxPlaces and mostDecimal bound decimals, so that each is the quotient of two floats that are exact.
const (
	maxPlaces   = 18
	mostDecimal = 1e15
)

// blockRows is how many cells are read at a time, so that memory grows with
// what is really there and not with what the header says.
const blockRows = 1 << 16

// newBlock begins a column of so many cells, and reads its texts.
func newBlock(in io.Reader, h columnHeader, rows int) (*block, error) {
	pieces := (rows + blockRows - 1) / blockRows
	b := &block{blockType: blockTypes[h.Type], places: h.Scale, rows: rows, pieces: make([][]byte, pieces), spare: make(chan []byte, pieces)}
	var err error
	if b.isText {
		b.texts, err = readTexts(in, h)
	}
	if b.isPlain {
		b.spans = make([][]cellSpan, pieces)
	}
	return b, err
}

// ahead returns how many pieces may wait for the goroutine that fills the column: with more processors
// more, so that the columns behind are filled meanwhile.
func (b *block) ahead() int {
	if b.isPlain { // as long as their texts
		return 1
	}
	return 8 * runtime.GOMAXPROCS(0)
}

// read reads the cells, and tells of each piece as it is there.
func (b *block) read(in *bufio.Reader, tell func(piece int)) error {
	for at := range b.pieces {
		rows := min(blockRows, b.rows-at*blockRows)
		var piece []byte // of one that is done, if there is any
		select {
		case piece = <-b.spare:
		default:
		}
		var err error
		if b.isPlain {
			piece, b.spans[at], err = readPlain(in, piece[:0], rows)
		} else {
			piece = slices.Grow(piece[:0], rows*b.width)[:rows*b.width]
			_, err = io.ReadFull(in, piece)
		}
		if err != nil {
			return fmt.Errorf("cut short after row %d: %w", at*blockRows, noEOF(err))
		}
		b.pieces[at] = piece
		b.size += int64(len(piece) + 8*len(b.spansOf(at)))
		tell(at)
	}
	return nil
}

// spansOf returns where the cells of a piece of texts are.
func (b *block) spansOf(at int) []cellSpan {
	if !b.isPlain {
		return nil
	}
	return b.spans[at]
}

// readPlain reads cells that are texts, each behind its length.
func readPlain(in *bufio.Reader, text []byte, rows int) ([]byte, []cellSpan, error) {
	spans := make([]cellSpan, rows)
	for i := range spans {
		head, err := in.Peek(4)
		if err != nil {
			return nil, nil, err
		}
		n, begin := int(int32(binary.LittleEndian.Uint32(head))), len(text)
		_, _ = in.Discard(4) // are there
		if n < -1 || n > maxRow || begin+n > math.MaxInt32 {
			return nil, nil, fmt.Errorf("a text of %d bytes", n)
		}
		text = slices.Grow(text, max(n, 0))[:begin+max(n, 0)]
		cell := text[begin:]
		if _, err := io.ReadFull(in, cell); err != nil {
			return nil, nil, err
		}
		if bytes.IndexByte(cell, 0) >= 0 || !utf8.Valid(cell) {
			return nil, nil, fmt.Errorf("text %s has a NUL byte or is not UTF-8", quote(string(cell)))
		}
		if bytes.Contains(cell, lineEnd) {
			text = append(text[:begin], bytes.ReplaceAll(cell, lineEnd, lineEnd[1:])...)
		}
		spans[i] = cellSpan{uint32(begin), uint32(len(text))}
	}
	return append(text, padding[:]...), spans, nil
}

// lineEnd is what a reader of CSV takes for \n in a field in quotes.
var lineEnd = []byte("\r\n")

// done lets go of a piece, unless pieces stay.
func (b *block) done(at int) {
	if !b.kept {
		b.spare <- b.pieces[at]
		if b.pieces[at] = nil; b.isPlain {
			b.spans[at] = nil
		}
	}
}

// readTexts reads the lengths of the texts of a column, then the texts.
func readTexts(in io.Reader, h columnHeader) ([]string, error) {
	lengths := &block{blockType: blockType{width: 4}}
	for first := int64(0); first < h.Texts; first += blockRows {
		piece := make([]byte, min(blockRows, h.Texts-first)*4)
		if _, err := io.ReadFull(in, piece); err != nil {
			return nil, fmt.Errorf("cut short in the lengths of its texts: %w", noEOF(err))
		}
		lengths.pieces = append(lengths.pieces, piece)
	}
	var texts []string
	left := h.Bytes
	for i := range int(h.Texts) {
		n := lengths.integer(i)
		if n < 0 || n > left || n > maxRow {
			return nil, fmt.Errorf("text %d has %d bytes, %d are left", i, n, left)
		}
		left -= n
		text := make([]byte, n)
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, fmt.Errorf("cut short in its texts: %w", noEOF(err))
		}
		if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
			return nil, fmt.Errorf("text %s has a NUL byte or is not UTF-8", quote(string(text)))
		}
		texts = append(texts, string(bytes.ReplaceAll(text, lineEnd, lineEnd[1:])))
	}
	if left != 0 {
		return nil, fmt.Errorf("its texts have %d bytes less than the header says", left)
	}
	return texts, nil
}

// check reports the first cell from row first up to last that its type does not allow.
func (b *block) check(first, last int) error {
	low, high := int64(0), int64(1)
	switch {
	case b.isText:
		low, high = -1, int64(len(b.texts))-1
	case b.places > 0 && b.width == 8:
		low, high = -mostDecimal, mostDecimal
	case !b.isTruth:
		return nil
	}
	for n := 0; first < last; first += n {
		n = min(feedRows, last-first)
		for i, v := range b.keys(first, n) {
			if v < low || v > high {
				return fmt.Errorf("row %d holds %d, expected %d to %d", first+i+1, v, low, high)
			}
		}
	}
	return nil
}

// key returns what tells the value of the cell that p begins with from others: an integer, or
// the bits of a float, where −0 is 0.
func (b *block) key(p []byte) uint64 {
	switch b.width {
	case 1:
		return uint64(int8(p[0]))
	case 2:
		return uint64(int16(binary.LittleEndian.Uint16(p)))
	case 4:
		return uint64(int32(binary.LittleEndian.Uint32(p)))
	}
	key := binary.LittleEndian.Uint64(p)
	if b.isFloat {
		key = math.Float64bits(math.Float64frombits(key) + 0)
	}
	return key
}

// integer returns a cell as an integer; of floats their bits.
func (b *block) integer(row int) int64 {
	return int64(b.key(b.pieces[row/blockRows][row%blockRows*b.width:]))
}

// float returns a cell of a block of floats.
func (b *block) float(row int) float64 { return math.Float64frombits(uint64(b.integer(row))) }

// text returns the text of a cell without space around it.
func (b *block) text(row int) string { return clean(string(b.appendText(nil, row))) }

// appendText appends the text of a cell, "" of a missing one.
func (b *block) appendText(to []byte, row int) []byte {
	switch {
	case b.isFloat:
		return appendNumber(to, b.float(row))
	case b.isText:
		if code := b.integer(row); code >= 0 {
			to = append(to, b.texts[code]...)
		}
		return to
	case b.isPlain:
		s := b.spans[row/blockRows][row%blockRows]
		return append(to, b.pieces[row/blockRows][s.begin:s.end]...)
	case b.isTruth:
		if b.integer(row) == 1 {
			return append(to, "True"...)
		}
		return append(to, "False"...)
	case b.places > 0:
		return appendNumber(to, float64(b.integer(row))/powers[b.places])
	}
	return strconv.AppendInt(to, b.integer(row), 10)
}

// appendNumber appends the text of a number: that of formatNumber, but "" for
// NaN, which is missing, and "inf" for what is infinite.
func appendNumber(to []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return to
	case math.IsInf(v, 1):
		return append(to, "inf"...)
	case math.IsInf(v, -1):
		return append(to, "-inf"...)
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) {
		format = 'g'
	}
	return strconv.AppendFloat(to, v, format, -1, 64)
}

// isNumber reports whether each cell is a number, or NaN: its text would read back as the
// same number.
func (b *block) isNumber() bool { return !b.isText && !b.isTruth && !b.isPlain }

// addNumbers adds so many numbers of a block that isNumber, from row first on.
func (b *block) addNumbers(c *column, first, n int) {
	b.floats = slices.Grow(b.floats[:0], n)[:n]
	if b.isFloat {
		cells := b.cells(first, n)
		for i := range b.floats {
			b.floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(cells[8*i:])) + 0 // −0 is 0
		}
		c.floats.AddAll(b.floats)
		return
	}
	keys := b.keys(first, n)
	if b.width < 8 || !slices.Contains(keys, store.NoMantissa) {
		c.floats.AddDecimals(keys, b.places)
		return
	}
	for i, k := range keys {
		b.floats[i] = float64(k)
	}
	c.floats.AddAll(b.floats)
}

// cells returns the bytes of so many cells from row first on, none of which are behind a multiple
// of blockRows.
func (b *block) cells(first, n int) []byte {
	return b.pieces[first/blockRows][first%blockRows*b.width:][:n*b.width]
}

// keys returns the keys of so many cells from row first on, none of which are behind a multiple
// of blockRows. The next call overwrites them.
func (b *block) keys(first, n int) []int64 {
	p := b.cells(first, n)
	b.scratch = slices.Grow(b.scratch[:0], n)[:n]
	switch keys := b.scratch; {
	case b.width == 1:
		for i, x := range p {
			keys[i] = int64(int8(x))
		}
	case b.width == 2:
		for i := range keys {
			keys[i] = int64(int16(binary.LittleEndian.Uint16(p[2*i:])))
		}
	case b.width == 4:
		for i := range keys {
			keys[i] = int64(int32(binary.LittleEndian.Uint32(p[4*i:])))
		}
	default:
		for i := range keys {
			keys[i] = int64(b.key(p[8*i:]))
		}
	}
	return b.scratch
}

// bytes returns what the block takes in memory.
func (b *block) bytes() (n int64) {
	n = b.size
	for _, t := range b.texts {
		n += int64(len(t)) + 16
	}
	return n
}
