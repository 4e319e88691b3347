package dataset

import (
	"slices"

	store "parcorels/dataset/internal/column"
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
	narrow *store.Codes
	places []knownCode
	all    map[uint64]uint32
}

func newKnownCodes(width, rows int) knownCodes {
	if width <= 2 && 1<<(8*width) <= max(rows, 1<<8) {
		return knownCodes{narrow: store.NewCodes(width)}
	}
	return knownCodes{places: make([]knownCode, 1<<9), all: map[uint64]uint32{}}
}

// find finds the codes of cells up to the first that is not known, and returns how many it found.
func (k *knownCodes) find(b *block, cells []byte, codes []uint32) int {
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
	return len(codes)
}

// addKnown adds cells to a column of codes up to the first that is not known, and returns how many it added.
func (b *block) addKnown(c *column, cells []byte) int {
	if b.known.narrow != nil {
		return c.codes.AppendCells(cells, b.known.narrow)
	}
	n := len(cells) / b.width
	b.codes = slices.Grow(b.codes[:0], n)[:n]
	found := b.known.find(b, cells, b.codes)
	c.codes.Append(b.codes[:found], nil)
	return found
}

// enter remembers the code of the cell that cells begin with.
func (k *knownCodes) enter(b *block, cells []byte, code uint32) {
	if k.narrow != nil {
		k.narrow.Set(cells, code)
	} else {
		k.all[b.key(cells)] = code + 1
	}
}

// addCodes adds so many cells to a column of codes, from row first on. It returns how many
// it added: fewer if the column is of codes no longer.
func (b *block) addCodes(c *column, first, n int) (added int, err error) {
	if b.known.narrow == nil && b.known.all == nil {
		b.known = newKnownCodes(b.width, b.rows)
	}
	cells := b.cells(first, n)
	for {
		found := b.addKnown(c, cells) // before a text is entered, as numbers may be made of all codes
		if added += found; added == n {
			return n, nil
		}
		cells = cells[found*b.width:]
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
		b.known.enter(b, cells, code)
	}
}

// textNumbers are the numbers of the texts of a block, and behind them that of a missing cell.
type textNumbers struct {
	values    []float64 // nil: not asked for yet
	mantissas []int64   // of these
	places    int       // of mantissas; noPlaces: there are none
	none      bool      // some text is no number
}

const noPlaces = -1

// readNumbers reads the numbers of all texts, and reports whether each is one.
func (b *block) readNumbers(n numberParser) bool {
	if b.numbers.values != nil || b.numbers.none {
		return !b.numbers.none
	}
	values := make([]float64, len(b.texts)+1)
	for i := range values {
		text := "" // behind the texts, of a missing cell
		if i < len(b.texts) {
			text = b.texts[i]
		}
		v, ok := n.parse([]byte(clean(text)))
		if !ok {
			b.numbers.none = true
			return false
		}
		values[i] = v
	}
	b.numbers = textNumbers{values: values, places: noPlaces}
	if mantissas, places, ok := store.Decimals(values); ok {
		b.numbers.mantissas, b.numbers.places = mantissas, places
	}
	return true
}

// addCodedNumbers is addNumbers of a block of texts that are numbers.
func (b *block) addCodedNumbers(c *column, first, n int) {
	missing := uint64(len(b.texts))
	keys, of := b.keys(first, n), b.numbers
	if of.places == noPlaces {
		b.floats = slices.Grow(b.floats[:0], n)[:n]
		for i, code := range keys {
			b.floats[i] = of.values[min(uint64(code), missing)] // −1 is the largest
		}
		c.floats.AddAll(b.floats)
		return
	}
	for i, code := range keys {
		keys[i] = of.mantissas[min(uint64(code), missing)]
	}
	c.floats.AddDecimals(keys, of.places)
}
