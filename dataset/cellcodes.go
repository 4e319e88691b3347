package dataset

import (
	"encoding/binary"
	"math/bits"
)

// A chunk of a column is parsed without knowledge of the chunks before it, but
// for what the column has become by then: a column that is given up stays so,
// and one of floats has no codes any more. Cells of all others get codes of the
// distinct texts of the chunk, in the order in which these come first. Whatever
// becomes of a column becomes so at a text that it has not had before, so that
// merging these texts, instead of all cells, is the same as adding the cells.

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
	texts  []string  // by code; they share the memory of the chunk
	first  []int     // row in which a text came first, by code
	floats []float64 // by row, up to the first cell that is no number; of floatState
	odd    string    // this cell

	bytes []uint32 // code + 1 of texts of one byte; nil where there are few rows
	table []codeSlot
	shift uint // a hash has so many bits more than a slot's number
}

// codeSlot is a place in a hash table with linear probing.
type codeSlot struct {
	key  uint64 // the bytes of a text of up to eight, a hash of others
	code uint32 // code + 1; 0: free
	long bool
}

// A chunk of a table of a hundred thousand columns has few rows, and may not
// take a kilobyte for each column.
const (
	fewRows    = 64
	leastSlots = 1 << 3
	usualSlots = 1 << 6
)

// shortMasks keep the first n bytes.
var shortMasks = [9]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1}

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

// encode gives the cells of column i of a chunk their codes.
func (e *cellCodes) encode(f *fields, column int) {
	e.reset(f.rows)
	for row, at := 0, column; row < f.rows; row, at = row+1, at+f.width {
		c := f.cells[at]
		if c.end-c.begin == 1 && len(e.bytes) > 0 {
			if code := e.bytes[f.text[c.begin]]; code != 0 {
				e.codes[row] = code - 1
				continue
			}
		}
		c = trimmed(f.text, c)
		n := c.end - c.begin
		var key uint64
		long := n > 8
		if long {
			key = hashText(f.text[c.begin:c.end])
		} else {
			key = binary.LittleEndian.Uint64(f.text[c.begin:]) & shortMasks[n]
		}
		slot := key * 0x9e3779b97f4a7c15 >> e.shift
		for {
			s := &e.table[slot]
			if s.code == 0 {
				e.codes[row] = e.enter(f.text, c, row, codeSlot{key: key, long: long})
				break
			}
			if s.key == key && s.long == long && (!long || e.texts[s.code-1] == string(f.text[c.begin:c.end])) {
				e.codes[row] = s.code - 1
				break
			}
			slot = (slot + 1) & uint64(len(e.table)-1)
		}
	}
}

// reset begins a chunk of so many rows.
func (e *cellCodes) reset(rows int) {
	e.state = codedState
	if rows > cap(e.codes) {
		e.codes = make([]uint32, rows)
	}
	e.codes = e.codes[:rows]
	clear(e.texts)
	e.texts, e.first = e.texts[:0], e.first[:0]
	slots := leastSlots
	if rows > fewRows {
		slots = usualSlots
		e.bytes = append(e.bytes[:0], make([]uint32, 256)...)
	} else {
		e.bytes = nil
	}
	if len(e.table) != slots {
		e.table = make([]codeSlot, slots)
	}
	clear(e.table)
	e.shift = uint(64 - bits.Len(uint(len(e.table)-1)))
}

// enter gives a text that was not there yet its code.
func (e *cellCodes) enter(text []byte, c cellSpan, row int, s codeSlot) uint32 {
	code := uint32(len(e.texts))
	e.texts = append(e.texts, shared(text[c.begin:c.end]))
	e.first = append(e.first, row)
	if 2*len(e.texts) > len(e.table) {
		e.grow()
	}
	s.code = code + 1
	e.insert(s)
	if c.end-c.begin == 1 && len(e.bytes) > 0 {
		e.bytes[text[c.begin]] = s.code
	}
	return code
}

func (e *cellCodes) insert(s codeSlot) {
	slot := s.key * 0x9e3779b97f4a7c15 >> e.shift
	for e.table[slot].code != 0 {
		slot = (slot + 1) & uint64(len(e.table)-1)
	}
	e.table[slot] = s
}

func (e *cellCodes) grow() {
	old := e.table
	e.table = make([]codeSlot, 4*len(old))
	e.shift -= 2
	for _, s := range old {
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

// parse reads the cells of a column of floats, up to the first that is none.
func (e *cellCodes) parse(f *fields, column int, m numberParser) {
	e.state, e.odd = floatState, ""
	if f.rows > cap(e.floats) {
		e.floats = make([]float64, 0, f.rows)
	}
	e.floats = e.floats[:0]
	for row, at := 0, column; row < f.rows; row, at = row+1, at+f.width {
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
