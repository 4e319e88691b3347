package dataset

import (
	"encoding/binary"
)

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
