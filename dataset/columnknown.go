package dataset

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
	places []knownCode
	all    map[uint64]uint32
}

func newKnownCodes(width, rows int) knownCodes {
	if width <= 2 && 1<<(8*width) <= max(rows, 1<<8) {
		return knownCodes{places: make([]knownCode, 1<<(8*width))}
	}
	return knownCodes{make([]knownCode, 1<<9), map[uint64]uint32{}}
}

// addCodes adds so many cells to a column of codes, from row first on. It returns how many
// it added: fewer if the column is of codes no longer.
func (b *block) addCodes(c *column, first, n int) int {
	if b.known.places == nil {
		b.known = newKnownCodes(b.width, b.rows)
	}
	var room [feedRows]uint32
	codes := room[:0]
	for i, key := range b.keys(first, n) {
		place := &b.known.places[key%uint64(len(b.known.places))]
		if place.code == 0 || place.key != key {
			code, known := b.known.all[key]
			if !known {
				text := b.text(first + i)
				if code, known = c.find(text); !known {
					c.codes.Append(codes, nil) // as numbers may be made of all codes
					codes = codes[:0]
					code, known = c.enter(text, lineOf(first+i))
				}
				if !known {
					return i
				}
				if b.known.all != nil {
					b.known.all[key] = code
				}
			}
			*place = knownCode{key, code + 1}
		}
		codes = append(codes, place.code-1)
	}
	c.codes.Append(codes, nil)
	return n
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
