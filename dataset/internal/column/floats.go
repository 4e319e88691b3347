package column

import (
	"iter"
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
}

// Add appends v.
func (f *Floats) Add(v float64) { f.AddAll([]float64{v}) }

// AddAll appends values.
func (f *Floats) AddAll(values []float64) {
	for len(values) > 0 {
		if len(f.open) == 0 && len(values) >= pieceSize {
			f.pieces = append(f.pieces, newPiece(values[:pieceSize]))
			values = values[pieceSize:]
			continue
		}
		if f.open == nil {
			f.open = make([]float64, 0, pieceSize)
		}
		n := min(len(values), pieceSize-len(f.open))
		f.open = append(f.open, values[:n]...)
		values = values[n:]
		if len(f.open) == pieceSize {
			f.pieces = append(f.pieces, newPiece(f.open))
			f.open = f.open[:0]
		}
	}
}

// NoMantissa stands for NaN among mantissas.
const NoMantissa = math.MinInt64

// AddDecimals appends mantissas, each divided by 10^places. It is faster than AddAll where they are
// pieceSize and begin a piece.
func (f *Floats) AddDecimals(mantissas []int64, places int) {
	if len(f.open) == 0 && len(mantissas) == pieceSize {
		least, most, missing := int64(math.MaxInt64), int64(math.MinInt64), false
		for _, m := range mantissas {
			if m == NoMantissa {
				missing = true
				continue
			}
			least, most = min(least, m), max(most, m)
		}
		if least >= -maxMantissa && most <= maxMantissa && needsPlaces(mantissas, places) {
			f.pieces = append(f.pieces, packedPiece(mantissas, least, most, places, missing))
			return
		}
	}
	for _, m := range mantissas {
		v := float64(m) / tens[places]
		if m == NoMantissa {
			v = math.NaN()
		}
		f.Add(v)
	}
}

// needsPlaces reports whether some mantissa needs all places, as some number of a piece does.
func needsPlaces(mantissas []int64, places int) bool {
	return places == 0 || slices.ContainsFunc(mantissas, func(m int64) bool { return m%10 != 0 && m != NoMantissa })
}

// At returns the number at i.
func (f *Floats) At(i int) float64 {
	at := i & (pieceSize - 1)
	if p := i >> pieceBits; p < len(f.pieces) {
		var v [1]float64
		f.pieces[p].unpack(v[:], uint(at))
		return v[0]
	}
	return f.open[at]
}

// Blocks yields all numbers in their order, some at a time, with the place of the first: a
// multiple of 64. The next ones overwrite them.
func (f *Floats) Blocks() iter.Seq2[int, []float64] {
	return func(yield func(int, []float64) bool) {
		var block []float64
		if len(f.pieces) > 0 {
			block = make([]float64, pieceSize)
		}
		for i := range f.pieces {
			if f.pieces[i].unpack(block, 0); !yield(i*pieceSize, block) {
				return
			}
		}
		if len(f.open) > 0 {
			yield(len(f.pieces)*pieceSize, f.open)
		}
	}
}

// Integers reports whether all finite numbers are integers below 2^53, and whether some are infinite.
// Of the pieces that have places, some number needs them.
func (f *Floats) Integers() (all, infinite bool) {
	all = true
	look := func(values []float64) {
		for _, v := range values {
			if math.IsInf(v, 0) {
				infinite = true
			} else if v != math.Trunc(v) || math.Abs(v) >= 1<<53 { // not of NaN
				all = all && v != v
			}
		}
	}
	look(f.open)
	raw := make([]float64, pieceSize)
	for i := range f.pieces {
		if p := &f.pieces[i]; p.width == rawWidth {
			p.unpack(raw, 0)
			look(raw)
		} else if p.tens > 1 {
			all = false
		}
	}
	return all, infinite
}

// Release lets go of all numbers, which nobody may ask for again. What Missing reports stays.
func (f *Floats) Release() {
	if len(f.open) > 0 {
		f.pieces = append(f.pieces, piece{missing: slices.ContainsFunc(f.open, math.IsNaN)})
	}
	for i := range f.pieces {
		f.pieces[i].words = nil
	}
	f.open = nil
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

// decimals returns the power of ten that makes integers of all numbers, if that is the same
// for all pieces, and numbers that none of these is below or above; tens is 0 otherwise.
func (f *Floats) decimals() (tens float64, least, most int64) {
	pieces := f.pieces
	if len(f.open) > 0 {
		pieces = append(slices.Clip(pieces), newPiece(f.open))
	}
	least, most = math.MaxInt64, math.MinInt64
	for _, p := range pieces {
		if p.width == rawWidth || p.tens != pieces[0].tens {
			return 0, 0, 0
		}
		least, most = min(least, p.least), max(most, p.least+1<<p.width-1)
	}
	return pieces[0].tens, least, most
}

// Len returns how many numbers there are.
func (f *Floats) Len() int { return len(f.pieces)*pieceSize + len(f.open) }

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
	width uint     // rawWidth: raw
	tens  float64  // what a mantissa is divided by

	missing bool // some are NaN
}

const rawWidth = 64

// newPiece packs values, and copies them where they cannot be.
func newPiece(values []float64) piece {
	var mantissas [pieceSize]int64
	s, ok := toMantissas(mantissas[:len(values)], values)
	if !ok {
		return rawPiece(values)
	}
	return packedPiece(mantissas[:len(values)], s.least, s.most, s.places, s.missing)
}

// spread is what mantissas have in common.
type spread struct {
	least, most int64
	places      int
	missing     bool
}

// toMantissas sets mantissas to those of values, with as few places as do for all. It is not ok if none do.
func toMantissas(mantissas []int64, values []float64) (s spread, ok bool) {
	for i := 0; ; {
		least, most, ten := int64(math.MaxInt64), int64(math.MinInt64), tens[s.places]
		for i = 0; i < len(values) && i < len(mantissas); i++ {
			m, ok := mantissa(values[i], ten)
			if !ok {
				if values[i] == values[i] {
					break
				}
				mantissas[i] = NoMantissa
				s.missing = true
				continue
			}
			least, most = min(least, m), max(most, m)
			mantissas[i] = m
		}
		s.least, s.most = least, most
		if i == len(values) {
			return s, true
		}
		// More places do the values before no harm while their mantissas stay in
		// range, so that it is enough to look for the places of this one.
		v := values[i]
		for ok := false; !ok; _, ok = mantissa(v, tens[s.places]) {
			if s.places++; s.places > maxPlaces {
				return s, false
			}
		}
	}
}

// Decimals returns mantissas and places of numbers for AddDecimals; ok is false if the numbers are no decimals of
// the same places.
func Decimals(values []float64) (mantissas []int64, places int, ok bool) {
	mantissas = make([]int64, len(values))
	s, ok := toMantissas(mantissas, values)
	return mantissas, s.places, ok
}

// packedPiece packs mantissas from least to most.
func packedPiece(mantissas []int64, least, most int64, places int, missing bool) piece {
	if least > most { // all are missing
		least, most = 0, 0
	}
	p := piece{least: least, tens: tens[places], missing: missing, width: uint(bits.Len64(uint64(most-least) + 1))}
	p.words = make([]uint64, (pieceSize*p.width+63)/64)
	word, shift, at := uint64(0), uint(0), 0
	for _, m := range mantissas {
		code := uint64(m-least) + 1
		if m == NoMantissa {
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

// mantissa returns the integer that divided by a power of ten is v.
func mantissa(v, ten float64) (m int64, ok bool) {
	x := math.RoundToEven(v * ten)
	if math.Abs(x) > maxMantissa || x/ten != v { // of NaN and infinities, too
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
	if p.width == rawWidth {
		for i := range values {
			values[i] = math.Float64frombits(p.words[first+uint(i)])
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
		v := float64(p.least + int64(code&mask) - 1)
		if p.tens != 1 {
			v /= p.tens
		}
		if code&mask == 0 {
			v = math.NaN()
		}
		values[i] = v
	}
}
