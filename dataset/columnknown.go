package dataset

import "encoding/binary"

// Cells of one or two bytes have few values. Once the code of each is known, a cell is added to
// its column by one look-up, without a hash.

// addKnown adds the cells from row first up to last, if all their codes are known.
func (b *block) addKnown(c *column, first, last int) bool {
	if b.codeOf == nil || c.state() != codedState {
		return false
	}
	var room [feedRows]uint32
	codes, p := room[:last-first], b.pieces[first/blockRows][first%blockRows*b.width:]
	least, most := ^uint32(0), uint32(0)
	if b.width == 1 {
		of := b.codeOf[:1<<8]
		for i, v := range p[:len(codes)] {
			code := of[v]
			least, most = min(least, code), max(most, code)
			codes[i] = code - 1
		}
	} else {
		of := b.codeOf[:1<<16]
		for i := range codes {
			code := of[binary.LittleEndian.Uint16(p[2*i:])]
			least, most = min(least, code), max(most, code)
			codes[i] = code - 1
		}
	}
	if least == 0 {
		return false
	}
	c.codes.Append(codes, nil)
	return true
}

// learn keeps the codes that cells from row first on were given.
func (b *block) learn(e *cellCodes, first int) {
	if b.width > 2 || b.isFloat {
		return
	}
	if b.codeOf == nil {
		b.codeOf = make([]uint32, 1<<(8*b.width))
	}
	mask := uint64(len(b.codeOf) - 1)
	for i, key := range b.keys(first, len(e.codes)) {
		b.codeOf[key&mask] = e.to[e.codes[i]] + 1
	}
}

// readNumbers reads the numbers of all texts, and reports whether each is one.
func (b *block) readNumbers(n numberParser) bool {
	if b.numbers != nil || b.notAll {
		return !b.notAll
	}
	numbers := make([]float64, len(b.texts)+1)
	for i := range numbers {
		text := "" // behind the texts, of a missing cell
		if i < len(b.texts) {
			text = b.texts[i]
		}
		v, ok := n.parse([]byte(clean(text)))
		if !ok {
			b.notAll = true
			return false
		}
		numbers[i] = v
	}
	b.numbers = numbers
	return true
}

// appendCoded appends so many numbers of a block of texts that are numbers, from row first on.
func (b *block) appendCoded(to []float64, first, n int) []float64 {
	missing := uint64(len(b.texts))
	for _, code := range b.keys(first, n) {
		to = append(to, b.numbers[min(code, missing)]) // −1 is the largest
	}
	return to
}
