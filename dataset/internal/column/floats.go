package column

import (
	"math"
	"math/bits"
	"slices"
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

// AddAll appends values.
func (f *Floats) AddAll(values []float64) {
	for len(values) > 0 {
		if f.open == nil {
			f.open = make([]float64, 0, pieceSize)
		}
		n := min(len(values), pieceSize-len(f.open))
		f.open = append(f.open, values[:n]...)
		values = values[n:]
		if f.n += n; len(f.open) == pieceSize {
			f.pieces = append(f.pieces, newPiece(f.open))
			f.open = f.open[:0]
		}
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

// BlockSize is how many numbers Blocks passes on at a time.
const BlockSize = pieceSize

// Block is memory for Blocks.
type Block [BlockSize]float64

// Blocks calls do for all numbers in their order, BlockSize at a time but the last,
// with the place of the first. The next call overwrites them.
func (f *Floats) Blocks(block *Block, do func(first int, values []float64)) {
	for i := range f.pieces {
		f.pieces[i].unpack(block[:], 0)
		do(i*pieceSize, block[:])
	}
	if len(f.open) > 0 {
		do(len(f.pieces)*pieceSize, f.open)
	}
}

// Range returns the least and the greatest number; +Inf and −Inf if all are missing.
func (f *Floats) Range() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	widen := func(v float64) {
		if v < least {
			least = v
		}
		if v > most {
			most = v
		}
	}
	for i := range f.pieces {
		switch p := &f.pieces[i]; p.width {
		case 0:
		case rawWidth:
			for _, x := range p.words {
				widen(math.Float64frombits(x))
			}
		default:
			widen(p.number(1))
			widen(p.number(p.last))
		}
	}
	for _, v := range f.open {
		widen(v)
	}
	return least, most
}

// Missing reports whether some number is missing.
func (f *Floats) Missing() bool {
	for i := range f.pieces {
		if f.pieces[i].missing {
			return true
		}
	}
	return slices.ContainsFunc(f.open, math.IsNaN)
}

// Whole reports whether all numbers are known to be integers of less than 2^53,
// without a look at each. It may be false where they are.
func (f *Floats) Whole() bool {
	for i := range f.pieces {
		if f.pieces[i].tens != 1 { // 0 of raw ones
			return false
		}
	}
	return !slices.ContainsFunc(f.open, func(v float64) bool { return v == v && (v != math.Trunc(v) || math.Abs(v) > maxMantissa) })
}

// Len returns how many numbers there are.
func (f *Floats) Len() int { return f.n }

// Memory returns how many bytes the numbers take.
func (f *Floats) Memory() int64 {
	bytes := int64(cap(f.open)) * 8
	for i := range f.pieces {
		bytes += int64(len(f.pieces[i].words))*8 + 64
	}
	return bytes
}

// piece is pieceSize numbers.
type piece struct {
	words []uint64 // codes of width bits: 0 for NaN, 1 + mantissa − least; of raw pieces the bits of the floats
	least int64    // mantissa
	last  uint64   // code of the greatest number, unless raw
	width uint     // rawWidth: raw
	tens  float64  // what a mantissa is divided by

	missing bool // some are NaN
}

const rawWidth = 64

// newPiece packs values, and copies them where they cannot be.
func newPiece(values []float64) piece {
	var mantissas [pieceSize]int64
	places := 0
	for i := 0; i < len(values); {
		least, most, missing := int64(math.MaxInt64), int64(math.MinInt64), 0
		for i = 0; i < len(values); i++ {
			m, ok := mantissa(values[i], places)
			if !ok {
				if values[i] == values[i] {
					break
				}
				m = noMantissa
				missing++
			} else {
				least, most = min(least, m), max(most, m)
			}
			mantissas[i] = m
		}
		if i == len(values) {
			return packedPiece(mantissas[:len(values)], least, most, places, missing > 0)
		}
		// More places do the values before no harm while their mantissas stay in
		// range, so that it is enough to look for the places of this one.
		v := values[i]
		for ok := false; !ok; _, ok = mantissa(v, places) {
			if places++; places > maxPlaces {
				return rawPiece(values)
			}
		}
		i = 0
	}
	return rawPiece(values)
}

// noMantissa stands for NaN.
const noMantissa = math.MinInt64

// packedPiece packs mantissas from least to most.
func packedPiece(mantissas []int64, least, most int64, places int, missing bool) piece {
	p := piece{least: least, tens: tens[places], missing: missing}
	if least <= most {
		p.last = uint64(most-least) + 1
		p.width = uint(bits.Len64(p.last))
	}
	p.words = make([]uint64, (pieceSize*p.width+63)/64)
	if p.width == 0 {
		return p
	}
	word, shift, at := uint64(0), uint(0), 0
	for _, m := range mantissas {
		code := uint64(m-least) + 1
		if m == noMantissa {
			code = 0
		}
		word |= code << (shift & 63)
		if shift += p.width; shift >= 64 {
			p.words[at] = word
			at++
			shift -= 64
			word = code >> ((p.width - shift) & 63)
		}
	}
	if shift > 0 {
		p.words[at] = word
	}
	return p
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
		p.missing = p.missing || v != v
	}
	return p
}

// unpack writes the numbers from first on to values.
func (p *piece) unpack(values []float64, first uint) {
	if p.width == 0 || p.width == rawWidth {
		for i := range values {
			values[i] = p.at(first + uint(i))
		}
		return
	}
	var codes [64]uint64
	for len(values) > 0 {
		some := codes[:min(len(codes), len(values))]
		p.codes(some, first)
		for i, code := range some {
			v := float64(p.least + int64(code) - 1)
			if p.tens != 1 {
				v /= p.tens
			}
			if code == 0 {
				v = math.NaN()
			}
			values[i] = v
		}
		values, first = values[len(some):], first+uint(len(some))
	}
}

// codes writes the codes of numbers from first on, of a piece that has such.
func (p *piece) codes(codes []uint64, first uint) {
	mask, bit := uint64(1)<<p.width-1, first*p.width
	for i := range codes {
		word, shift := bit/64, bit%64
		bit += p.width
		code := p.words[word] >> shift
		if shift+p.width > 64 {
			code |= p.words[word+1] << (64 - shift)
		}
		codes[i] = code & mask
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
	return p.number(code)
}

// number returns the number of a code that is not 0.
func (p *piece) number(code uint64) float64 { return float64(p.least+int64(code)-1) / p.tens }
