package dataset

import (
	"encoding/binary"
	"slices"
)

// A column is filled with codes as long as it has texts. Codes of cells are remembered, so that
// a cell takes one look-up and no text is made of it again.

// knownCode is the code of a cell in its column.
type knownCode struct {
	key  uint64
	code uint32 // code + 1; 0: none
}

// knownCodes are the codes of a block's cells. Narrow cells have a place of their own each;
// others share few places, and have all codes in a map.
type knownCodes struct {
	narrow []uint32 // code + 1; 0: none
	places []knownCode
	all    map[uint64]uint32
}

func newKnownCodes(width, rows int) knownCodes {
	if width <= 2 && 1<<(8*width) <= max(rows, 1<<8) {
		return knownCodes{narrow: make([]uint32, 1<<(8*width))}
	}
	return knownCodes{places: make([]knownCode, 1<<9), all: map[uint64]uint32{}}
}

// find finds the codes of cells up to the first that is not known, and returns how many it found.
func (k *knownCodes) find(b *block, cells []byte, codes []uint32) int {
	switch {
	case k.narrow == nil:
		for i := range codes {
			key := b.key(cells[i*b.width:])
			place := &k.places[key%uint64(len(k.places))]
			if place.code == 0 || place.key != key {
				code, known := k.all[key]
				if !known {
					return i
				}
				*place = knownCode{key, code}
			}
			codes[i] = place.code - 1
		}
	case b.width == 1:
		of := (*[1 << 8]uint32)(k.narrow)
		for i, x := range cells {
			if codes[i] = of[x] - 1; of[x] == 0 {
				return i
			}
		}
	default:
		of := (*[1 << 16]uint32)(k.narrow)
		for i := range codes {
			x := binary.LittleEndian.Uint16(cells[2*i:])
			if codes[i] = of[x] - 1; of[x] == 0 {
				return i
			}
		}
	}
	return len(codes)
}

// enter remembers the code of a cell.
func (k *knownCodes) enter(key uint64, code uint32) {
	if k.narrow != nil {
		k.narrow[key%uint64(len(k.narrow))] = code + 1
	} else {
		k.all[key] = code + 1
	}
}

// addCodes adds so many cells to a column of codes, from row first on. It returns how many
// it added: fewer if the column is of codes no longer.
func (b *block) addCodes(c *column, first, n int) (added int, err error) {
	if b.known.narrow == nil && b.known.all == nil {
		b.known = newKnownCodes(b.width, b.rows)
	}
	b.codes = slices.Grow(b.codes[:0], n)[:n]
	codes, cells := b.codes, b.cells(first, n)
	for {
		found := b.known.find(b, cells, codes)
		c.codes.Append(codes[:found], nil) // before a text is entered, as numbers may be made of all codes
		if added += found; added == n {
			return n, nil
		}
		codes, cells = codes[found:], cells[found*b.width:]
		if err := b.check(first+added, first+added+1); err != nil {
			return added, err
		}
		text := b.text(first + added)
		code, known := c.find(text)
		if !known {
			if code, known = c.enter(text, lineOf(first+added)); !known {
				return added, nil
			}
		}
		b.known.enter(b.key(cells), code)
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

// codedNumbers is numbersOf of a block of texts that are numbers.
func (b *block) codedNumbers(first, n int) []float64 {
	b.floats = b.floats[:0]
	missing := uint64(len(b.texts))
	for _, code := range b.keys(first, n) {
		b.floats = append(b.floats, b.numbers[min(code, missing)]) // −1 is the largest
	}
	return b.floats
}
