package dataset

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
	"unicode"
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

	table []cellKey // a hash table with linear probing
	most  int       // texts that it takes before it grows: half as many as it has places, or up to three quarters
	shift uint      // a hash has so many bits more than a place in the table
}

// cellKey is what tells a text from others.
type cellKey struct {
	low, high uint64 // the bytes of a text of up to 16; of others low is a hash
	n         uint32 // bytes
	code      uint32 // code + 1; 0: free
}

// leastKeys is how many places a table has: few, as a table of a hundred thousand
// columns has as many of them.
const leastKeys = 1 << 3

// mostlyNew is from how many texts on a column may be taken for one of different texts.
const mostlyNew = 1 << 6

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
	cell := bytes.TrimRightFunc(text[c.begin:c.end], unicode.IsSpace)
	inner := bytes.TrimLeftFunc(cell, unicode.IsSpace)
	begin := c.begin + uint32(len(cell)-len(inner))
	return cellSpan{begin, begin + uint32(len(inner))}
}

// begin begins a chunk of so many rows. Texts of chunks before are forgotten where they
// are many, as few of them would come again.
func (e *cellCodes) begin(state columnState, rows int) {
	if state != codedState {
		*e = cellCodes{state: state, floats: slices.Grow(e.floats[:0], rows)}
		return
	}
	e.codes = slices.Grow(e.codes[:0], rows)[:rows]
	if n := len(e.texts); len(e.table) == 0 || len(e.to) < n || 2*n > rows {
		clear(e.texts)
		e.texts, e.first, e.to = e.texts[:0], e.first[:0], e.to[:0]
		e.empty(max(leastKeys, 1<<bits.Len(uint(2*n)))) // as many texts are likely again
	}
}

// encode gives the cells of a column their codes.
func (e *cellCodes) encode(f *fields, column int) {
	codes := e.codes
	for i, at := 0, column; i < len(codes); i, at = i+1, at+f.width {
		c := trimmed(f.text, f.cells[at])
		k := keyOf(f.text, c)
		s := e.find(&k, f.text[c.begin:c.end])
		if s.code == 0 {
			codes[i] = e.enter(s, k, shared(f.text[c.begin:c.end]), i)
			continue
		}
		codes[i] = s.code - 1
	}
}

// keyOf returns the key of a cell.
func keyOf(text []byte, c cellSpan) (k cellKey) {
	n := c.end - c.begin
	k.n = n
	if n > 16 {
		k.low = maphash.Bytes(textSeed, text[c.begin:c.end])
		return k
	}
	words := text[c.begin : c.begin+16]
	m := &keyMasks[n]
	k.low, k.high = binary.LittleEndian.Uint64(words)&m[0], binary.LittleEndian.Uint64(words[8:])&m[1]
	return k
}

var textSeed = maphash.MakeSeed()

// hash spreads a key; its highest bits count.
func (k *cellKey) hash() uint64 {
	return (k.low ^ bits.RotateLeft64(k.high*0x9e3779b97f4a7c15, 32)) * 0x9e3779b97f4a7c15
}

// find returns the place of a key in the table, which is free if it is not there.
func (e *cellCodes) find(k *cellKey, text []byte) *cellKey {
	for at := k.hash() >> (e.shift & 63); ; at++ {
		s := &e.table[at&uint64(len(e.table)-1)]
		if s.code == 0 || s.low == k.low && s.high == k.high && s.n == k.n && (k.n <= 16 || e.texts[s.code-1] == string(text)) {
			return s
		}
	}
}

// enter puts a text that was not there yet in its place, and returns its code.
func (e *cellCodes) enter(at *cellKey, k cellKey, text string, row int) uint32 {
	e.texts, e.first = append(e.texts, text), append(e.first, row)
	k.code = uint32(len(e.texts))
	*at = k
	if len(e.texts) > e.most {
		e.grow(row + 1)
	}
	return k.code - 1
}

// grow makes a larger table, after so many rows. Where nearly every row so far has a text of its own, that
// is taken for all rows, and the table is the smallest.
func (e *cellCodes) grow(rows int) {
	n, all := len(e.texts), len(e.codes)
	if n < mostlyNew || n < rows-rows/4 {
		e.resize(4 * len(e.table))
		return
	}
	e.texts, e.first = slices.Grow(e.texts, all-n), slices.Grow(e.first, all-n)
	e.resize(max(2*len(e.table), 1<<bits.Len(uint(all+all/3))))
	e.most = max(e.most, min(all, len(e.table)/4*3))
}

// empty makes a table of that size without keys, in the memory that is there.
func (e *cellCodes) empty(size int) {
	if size > cap(e.table) {
		e.table = make([]cellKey, size)
	}
	e.table, e.most, e.shift = e.table[:size], size/2, uint(64-bits.Len(uint(size-1)))
	clear(e.table) // pages that are read first take two faults, not one
}

// resize makes a table of that size of the keys that are in use.
func (e *cellCodes) resize(size int) {
	old := e.table
	e.table = nil
	e.empty(size)
	for _, k := range old {
		if k.code > 0 && int(k.code) <= len(e.texts) {
			*e.find(&k, []byte(e.texts[k.code-1])) = k
		}
	}
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

// parse reads so many cells of a column of floats, up to the first that is none.
func (e *cellCodes) parse(f *fields, column, rows int, m numberParser) {
	for row, at := 0, column; row < rows; row, at = row+1, at+f.width {
		c := trimmed(f.text, f.cells[at])
		v, ok := m.parse(f.text[c.begin:c.end])
		if !ok {
			e.odd = string(f.text[c.begin:c.end])
			return
		}
		e.floats = append(e.floats, v)
	}
}
