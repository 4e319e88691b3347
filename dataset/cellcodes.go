package dataset

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// A chunk of a column is parsed without knowledge of the chunks before it, but
// for what the column has become by then: a column that is given up stays so,
// and one of floats has no codes any more. Cells of all others get codes of the
// distinct texts that the parser has met, in the order in which these came first.
// Whatever becomes of a column becomes so at a text that it has not had before, so
// that merging new texts, instead of all cells, is the same as adding the cells. A
// text that the parser knows from a chunk before is in the column since then, as a
// chunk is merged before its parser begins another.

// columnState is what a column has become.
type columnState uint32

const (
	codedState columnState = iota
	floatState
	freeState
)

// cellCodes are the cells of a column in a chunk.
type cellCodes struct {
	state  columnState
	codes  []uint32  // by row; of codedState
	texts  []string  // by code; new ones share the memory of the chunk
	first  []int     // row in which a new text came first, by code
	to     []uint32  // codes of the column, by code; of texts that are merged
	floats []float64 // by row, up to the first cell that is no number; of floatState
	odd    string    // this cell

	bytes []uint32 // code + 1 of texts of one byte; nil where there are few rows
	table []codeSlot
	spare []codeSlot // memory of another table
	shift uint       // a hash has so many bits more than a slot's number
}

// codeSlot is a place in a hash table with linear probing.
type codeSlot struct {
	low, high uint64 // the bytes of a text of up to 16; of others low is a hash
	n         uint32 // bytes
	code      uint32 // code + 1; 0: free
}

// A chunk of a table of a hundred thousand columns has few rows, and may not
// take a kilobyte for each column.
const (
	fewRows    = 64
	leastSlots = 1 << 3
	usualSlots = 1 << 6
)

// keyMasks keep the first n bytes of two words.
var keyMasks = func() (m [17][2]uint64) {
	for n := range m {
		m[n] = [2]uint64{1<<(8*min(n, 8)) - 1, 1<<(8*max(n-8, 0)) - 1}
	}
	return m
}()

// trimmed returns a cell without space around it.
func trimmed(text []byte, c cellSpan) cellSpan {
	if c.begin == c.end {
		return c
	}
	if a, b := text[c.begin], text[c.end-1]; ' ' < a && a < 0x80 && ' ' < b && b < 0x80 { // as in most
		return c
	}
	cell := string(text[c.begin:c.end])
	inner := clean(cell)
	if inner == "" {
		return cellSpan{c.begin, c.begin}
	}
	begin := c.begin
	for string(text[begin:begin+uint32(len(inner))]) != inner {
		begin++
	}
	return cellSpan{begin, begin + uint32(len(inner))}
}

// begin begins a chunk of so many rows.
func (e *cellCodes) begin(state columnState, rows int) {
	if state == codedState {
		e.reset(rows)
		return
	}
	*e = cellCodes{state: state, floats: e.floats[:0]}
	if state == floatState {
		e.floats = slices.Grow(e.floats, rows)
	}
}

// encode gives the cells of column i, from row first up to last, their codes.
func (e *cellCodes) encode(f *fields, column, first, last int) {
	text, codes, table, shift := f.text, e.codes[first:last], e.table, e.shift&63
	short := len(e.bytes) == 256
	for i, at := 0, first*f.width+column; i < len(codes); i, at = i+1, at+f.width {
		c := f.cells[at]
		if short && c.end-c.begin == 1 {
			if code := e.bytes[text[c.begin]]; code != 0 {
				codes[i] = code - 1
				continue
			}
		}
		c = trimmed(text, c)
		k := keyOf(text, c)
		slot := k.hash() >> shift
		for {
			s := &table[slot&uint64(len(table)-1)]
			if s.code == 0 {
				k.code = e.enter(text, c, first+i) + 1
				e.insert(k)
				codes[i] = k.code - 1
				table, shift = e.table, e.shift&63
				break
			}
			if s.low == k.low && s.high == k.high && s.n == k.n && (k.n <= 16 || e.texts[s.code-1] == string(text[c.begin:c.end])) {
				codes[i] = s.code - 1
				break
			}
			slot++
		}
	}
}

// keyOf returns the key of a cell.
func keyOf(text []byte, c cellSpan) (k codeSlot) {
	n := c.end - c.begin
	k.n = n
	if n > 16 {
		k.low = hashText(text[c.begin:c.end])
		return k
	}
	words := text[c.begin : c.begin+16]
	m := &keyMasks[n]
	k.low, k.high = binary.LittleEndian.Uint64(words)&m[0], binary.LittleEndian.Uint64(words[8:])&m[1]
	return k
}

// hash spreads a key; its highest bits count.
func (k *codeSlot) hash() uint64 {
	return (k.low ^ bits.RotateLeft64(k.high*0x9e3779b97f4a7c15, 32)) * 0x9e3779b97f4a7c15
}

// merged tells that the column has the text of the next code as its code to. The
// text is kept as known, if that is the same: the memory of a chunk is used again.
func (e *cellCodes) merged(to uint32, known string) {
	text := &e.texts[len(e.to)]
	if *text != known {
		known = strings.Clone(*text)
	}
	*text = known
	e.to = append(e.to, to)
}

// reset begins a chunk of so many rows, of texts. Those of chunks before are
// forgotten where they are many, as few of them would come again.
func (e *cellCodes) reset(rows int) {
	e.codes = slices.Grow(e.codes[:0], rows)[:rows]
	if len(e.table) > 0 && (len(e.bytes) > 0) == (rows > fewRows) && len(e.to) == len(e.texts) && 2*len(e.texts) <= rows {
		return
	}
	slots := leastSlots
	if rows > fewRows {
		slots = usualSlots
		e.bytes = append(e.bytes[:0], make([]uint32, 256)...)
	} else {
		e.bytes = nil
	}
	if rows > fewRows && len(e.table) > slots && 8*len(e.texts) >= len(e.table) {
		slots = len(e.table) // as many texts are likely again
	}
	clear(e.texts)
	e.texts, e.first, e.to = e.texts[:0], e.first[:0], e.to[:0]
	e.newTable(slots)
}

// newTable begins a table without texts, and keeps the memory of the one before. New
// memory is written to before it is read: pages that are read first are all the page
// of zeros, and replacing that interrupts other cores.
func (e *cellCodes) newTable(slots int) {
	e.table, e.spare = e.spare, e.table
	if cap(e.table) < slots {
		e.table = make([]codeSlot, slots)
	}
	e.table = e.table[:slots]
	clear(e.table)
	e.shift = uint(64 - bits.Len(uint(slots-1)))
}

// enter gives a text that was not there yet its code.
func (e *cellCodes) enter(text []byte, c cellSpan, row int) uint32 {
	code := uint32(len(e.texts))
	e.texts = append(e.texts, shared(text[c.begin:c.end]))
	e.first = append(e.first, row)
	if 2*len(e.texts) > len(e.table) {
		e.grow()
	}
	if c.end-c.begin == 1 && len(e.bytes) > 0 {
		e.bytes[text[c.begin]] = code + 1
	}
	return code
}

func (e *cellCodes) insert(s codeSlot) {
	slot := s.hash() >> e.shift
	for e.table[slot].code != 0 {
		slot = (slot + 1) & uint64(len(e.table)-1)
	}
	e.table[slot] = s
}

func (e *cellCodes) grow() {
	e.newTable(4 * len(e.table))
	for _, s := range e.spare {
		if s.code != 0 {
			e.insert(s)
		}
	}
}

// hashText hashes a text of more than eight bytes, eight at a time.
func hashText(text []byte) uint64 {
	h := uint64(len(text))
	for i := 0; i+8 <= len(text); i += 8 {
		h = bits.RotateLeft64(h^binary.LittleEndian.Uint64(text[i:]), 29) * 0x9e3779b97f4a7c15
	}
	h = bits.RotateLeft64(h^binary.LittleEndian.Uint64(text[len(text)-8:]), 29) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// parse reads cells of a column of floats, from row first up to last, up to the
// first that is none.
func (e *cellCodes) parse(f *fields, column, first, last int, m numberParser) {
	for row, at := first, first*f.width+column; row < last; row, at = row+1, at+f.width {
		c := trimmed(f.text, f.cells[at])
		if n := c.end - c.begin; n <= 8 && !m.first {
			if v, ok := parseShort(binary.LittleEndian.Uint64(f.text[c.begin:]), uint(n)); ok {
				e.floats = append(e.floats, v)
				continue
			}
		}
		v, ok := m.parse(f.text[c.begin:c.end])
		if !ok {
			e.odd = string(f.text[c.begin:c.end])
			return
		}
		e.floats = append(e.floats, v)
	}
}
