package column

import (
	"math"
	"math/bits"
)

// A column of many numbers is kept as float64, but seldom needs 8 bytes for
// each: tables hold decimals of few digits, such as 12.345, which is the
// integer 12345 with three places. Where all numbers of a piece of the column
// come back exactly from such integers with the same places, the piece keeps
// the integers, less the smallest of them, in as many bits as the largest then
// has. The idea is that of ALP (Afroozeh, Kuffó and Boncz, Adaptive Lossless
// Floating-Point Compression, SIGMOD 2024), without its exceptions. The text of
// a digit takes 8 bits and its share of such an integer 3.3, so that a column
// takes less than half of its text whatever the numbers are.

const (
	// pieceSize is how many numbers a piece has.
	pieceSize = 1 << pieceBits
	pieceBits = 12
	// Of more places the powers of ten would not all be exact, and integers
	// from 2^51 on save little. That a number comes back is checked for each.
	maxPlaces   = 18
	maxMantissa = 1 << 51
)

// tens are the powers of ten up to maxPlaces.
var tens = func() (t [maxPlaces + 1]float64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = 10 * t[i-1]
	}
	return t
}()

// Floats is a growing sequence of numbers; NaN stands for a missing one.
type Floats struct {
	pieces []piece
	open   []float64 // the piece that is growing
	n      int
}

// Add appends v.
func (f *Floats) Add(v float64) {
	if f.open == nil {
		f.open = make([]float64, 0, pieceSize)
	}
	f.open = append(f.open, v)
	if f.n++; len(f.open) == pieceSize {
		f.pieces = append(f.pieces, newPiece(f.open))
		f.open = f.open[:0]
	}
}

// At returns the number at i.
func (f *Floats) At(i int) float64 {
	if p := i >> pieceBits; p < len(f.pieces) {
		return f.pieces[p].at(uint(i & (pieceSize - 1)))
	}
	return f.open[i&(pieceSize-1)]
}

// Unpack writes the numbers from first on, a multiple of 64, to at most 64
// values, and returns how many there are.
func (f *Floats) Unpack(values []float64, first int) int {
	n := min(len(values), 64, f.n-first)
	at := first & (pieceSize - 1)
	if p := first >> pieceBits; p < len(f.pieces) {
		f.pieces[p].unpack(values[:n], uint(at))
		return n
	}
	return copy(values[:n], f.open[at:])
}

// UnpackAll writes all numbers to values, which has room for Len of them.
func (f *Floats) UnpackAll(values []float64) {
	for i := range f.pieces {
		f.pieces[i].unpack(values[i*pieceSize:(i+1)*pieceSize], 0)
	}
	copy(values[len(f.pieces)*pieceSize:f.n], f.open)
}

// Len returns how many numbers there are.
func (f *Floats) Len() int { return f.n }

// Memory returns how many bytes the numbers take.
func (f *Floats) Memory() int64 {
	bytes := int64(cap(f.open)) * 8
	for i := range f.pieces {
		bytes += int64(len(f.pieces[i].words))*8 + 48
	}
	return bytes
}

// piece is pieceSize numbers.
type piece struct {
	words []uint64 // codes of width bits: 0 for NaN, 1 + mantissa − least; of raw pieces the bits of the floats
	least int64    // mantissa
	width uint     // rawWidth: raw
	tens  float64  // what a mantissa is divided by
}

const rawWidth = 64

// newPiece packs values, and copies them where they cannot be.
func newPiece(values []float64) piece {
	places, ok := placesOf(values)
	if !ok {
		return rawPiece(values)
	}
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range values {
		if m, ok := mantissa(v, places); ok {
			least, most = min(least, m), max(most, m)
		} else if v == v {
			return rawPiece(values)
		}
	}
	p := piece{least: least, tens: tens[places]}
	if least <= most {
		p.width = uint(bits.Len64(uint64(most-least) + 1))
	}
	p.words = make([]uint64, (pieceSize*p.width+63)/64)
	for i, v := range values {
		if m, ok := mantissa(v, places); ok {
			p.set(uint(i), uint64(m-least)+1)
		}
	}
	return p
}

// placesOf returns the fewest places that all values have as decimals, and
// whether there are few enough. More places do a value no harm while its
// mantissa stays in range.
func placesOf(values []float64) (places int, ok bool) {
	for _, v := range values {
		for v == v {
			if _, ok := mantissa(v, places); ok {
				break
			}
			if places++; places > maxPlaces {
				return 0, false
			}
		}
	}
	return places, true
}

// mantissa returns the integer that divided by 10^places is v.
func mantissa(v float64, places int) (m int64, ok bool) {
	x := math.RoundToEven(v * tens[places])
	if math.Abs(x) > maxMantissa || x/tens[places] != v { // of NaN and infinities, too
		return 0, false
	}
	return int64(x), true
}

func rawPiece(values []float64) piece {
	p := piece{width: rawWidth, words: make([]uint64, len(values))}
	for i, v := range values {
		p.words[i] = math.Float64bits(v)
	}
	return p
}

// set writes code i, which is 0 so far.
func (p *piece) set(i uint, code uint64) {
	word, shift := i*p.width/64, i*p.width%64
	p.words[word] |= code << shift
	if shift+p.width > 64 {
		p.words[word+1] |= code >> (64 - shift)
	}
}

// unpack writes the numbers from first on to values.
func (p *piece) unpack(values []float64, first uint) {
	if p.width == 0 || p.width == rawWidth {
		for i := range values {
			values[i] = p.at(first + uint(i))
		}
		return
	}
	mask, bit := uint64(1)<<p.width-1, first*p.width
	for i := range values {
		word, shift := bit/64, bit%64
		bit += p.width
		code := p.words[word] >> shift
		if shift+p.width > 64 {
			code |= p.words[word+1] << (64 - shift)
		}
		code &= mask
		v := float64(p.least + int64(code) - 1)
		if p.tens != 1 {
			v /= p.tens
		}
		if code == 0 {
			v = math.NaN()
		}
		values[i] = v
	}
}

// at returns the number at i.
func (p *piece) at(i uint) float64 {
	if p.width == rawWidth {
		return math.Float64frombits(p.words[i])
	}
	if p.width == 0 {
		return math.NaN()
	}
	word, shift := i*p.width/64, i*p.width%64
	code := p.words[word] >> shift
	if shift+p.width > 64 {
		code |= p.words[word+1] << (64 - shift)
	}
	code &= 1<<p.width - 1
	if code == 0 {
		return math.NaN()
	}
	return float64(p.least+int64(code)-1) / p.tens
}
