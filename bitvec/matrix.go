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
