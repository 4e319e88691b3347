package bitvec

import (
	"unsafe"
)

// Lanes is the number of columns that one block of a Matrix interleaves.
const Lanes = 8

// Matrix holds columns (sets of points) in transposed blocks of eight: word w
// of column i is at ((i/8)·W + w)·8 + i%8. The columns that pad the last block
// are empty. The storage begins on a 64-byte boundary.
type Matrix struct {
	cols, words int
	data        []uint64
}

// NewMatrix returns an empty matrix of cols columns of words words each.
func NewMatrix(cols, words int) *Matrix {
	n := (cols + Lanes - 1) / Lanes * Lanes * words
	return &Matrix{cols: cols, words: words, data: alignedWords(n)}
}

// alignedWords returns n zero words that start on a cache line, so that no
// block word straddles two lines.
func alignedWords(n int) []uint64 {
	buf := make([]uint64, n+Lanes-1)
	skip := 0
	for skip < Lanes-1 && uintptr(unsafe.Pointer(&buf[skip]))%64 != 0 {
		skip++
	}
	return buf[skip : skip+n : skip+n]
}

// Clone returns a copy.
func (m *Matrix) Clone() *Matrix {
	c := &Matrix{cols: m.cols, words: m.words, data: alignedWords(len(m.data))}
	copy(c.data, m.data)
	return c
}

// Columns returns the number of columns, Blocks that of blocks, padding
// included.
func (m *Matrix) Columns() int { return m.cols }

// Blocks returns the number of blocks of eight columns.
func (m *Matrix) Blocks() int { return (m.cols + Lanes - 1) / Lanes }

// Bytes returns the size of the storage.
func (m *Matrix) Bytes() int64 { return int64(len(m.data)) * 8 }

// Set copies the words of a column in.
func (m *Matrix) Set(col int, words []uint64) {
	b := m.block(col / Lanes)
	for w, x := range words {
		b[w*Lanes+col%Lanes] = x
	}
}

// Get copies column col out into dst.
func (m *Matrix) Get(dst []uint64, col int) {
	b := m.block(col / Lanes)
	for w := range dst {
		dst[w] = b[w*Lanes+col%Lanes]
	}
}

func (m *Matrix) block(i int) []uint64 {
	n := m.words * Lanes
	return m.data[i*n : (i+1)*n : (i+1)*n]
}

// stride is the size of a block in bytes.
func (m *Matrix) stride() uint64 { return uint64(m.words) * Lanes * 8 }

// rows list the weighted masks of Planes once more, for kernels that take
// eight neighbouring words of a set at a time, one per lane. Lane i of a row
// adds
//
//	weight i · popcount(word off/8+i of the set & mask i)
//
// A word that needs fewer masks than others of its eight has empty ones in the
// rows that are left. Points of a class are sorted by cost, so neighbours need
// about as many. Kernels know the layout.
type rows struct {
	data   []uint64      // of each row eight masks, then eight weights: two cache lines
	offs   []uint64      // of each row the byte offset of its first word
	counts [3]uint64     // rows with points of class 1, of both classes, of class 0
	lanes1 [Lanes]uint64 // all ones in the lanes that are class 1's in the rows with both
	heavy  uint64        // the or of all weights
}

const rowWords = 2 * Lanes

// newRows lays out the masks of every word, of which the first words1 hold
// class 1. Sets of fewer than eight words have no rows.
func newRows(masks [][]Mask, words1 int) *rows {
	words, r := len(masks), &rows{}
	if words < Lanes {
		return r
	}
	both := words1 / Lanes * Lanes // the first word of the eight with both classes
	end := both
	if both < words1 {
		end = min(both+Lanes, words)
	}
	for w := both; w < words1; w++ {
		r.lanes1[w-base(both, words)] = ^uint64(0)
	}
	r.counts[0] = r.addClass(masks, 0, both)
	r.counts[1] = r.addClass(masks, both, end)
	r.counts[2] = r.addClass(masks, end, words)
	data := alignedWords(len(r.data))
	copy(data, r.data)
	r.data = data
	return r
}

// base returns the first word of a row for the words from on: the row must not
// reach beyond the set.
func base(from, words int) int { return min(from, words-Lanes) }

// addClass adds rows for the words [from, to), and returns how many.
func (r *rows) addClass(masks [][]Mask, from, to int) uint64 {
	before := len(r.offs)
	for ; from < to; from += Lanes {
		r.addWords(masks[from:min(from+Lanes, to)], from, base(from, len(masks)))
	}
	return uint64(len(r.offs) - before)
}

// addWords adds the rows of up to eight words from word from on, whose first
// lane is word base.
func (r *rows) addWords(masks [][]Mask, from, base int) {
	for i := 0; ; i++ {
		var row []uint64
		for w, p := range masks {
			if i >= len(p) {
				continue
			}
			if row == nil {
				row = r.addRow(base)
			}
			row[from+w-base], row[from+w-base+Lanes] = p[i].Bits, uint64(p[i].Weight)
			r.heavy |= uint64(p[i].Weight)
		}
		if row == nil {
			return
		}
	}
}

func (r *rows) addRow(base int) []uint64 {
	r.offs = append(r.offs, uint64(base)*8)
	r.data = append(r.data, make([]uint64, rowWords)...)
	return r.data[len(r.data)-rowWords:]
}
