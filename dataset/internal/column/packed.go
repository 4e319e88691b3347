package column

import (
	"iter"
	"slices"
)

// Packed is a growing sequence of small numbers, all as wide as the largest
// needs: 1, 2, 4, 8, 16 or 32 bits.
type Packed struct {
	words []uint64
	n     int
	lg    uint // a number takes 1<<lg bits
	most  int  // about how many numbers there will be; 0: nobody knows
}

// Expect tells about how many numbers there will be.
func (p *Packed) Expect(n int) { p.most = n }

// grow makes room for n more numbers of the width at hand, once a 64th is there for as
// many as there will be: the first may soon need more bits, or another sequence.
func (p *Packed) grow(n int) {
	if need := p.wordsOf(p.n+n) - len(p.words); need > cap(p.words)-len(p.words) {
		if need = max(need, len(p.words)/2); p.n > p.most/64 {
			need = max(need, p.wordsOf(p.most)-len(p.words))
		}
		words := make([]uint64, len(p.words), len(p.words)+need)
		copy(words, p.words)
		p.words = words
	}
}

// wordsOf returns how many words n numbers take.
func (p *Packed) wordsOf(n int) int { return (n<<(p.lg&7) + 63) / 64 }

// mask is the largest number of the width at hand. The width is masked, here
// and below, to save the test for shifts by 64 and more.
func (p *Packed) mask() uint64 { return 1<<(1<<(p.lg&7)&63) - 1 }

// Add appends code.
func (p *Packed) Add(code uint32) {
	for uint64(code) > p.mask() {
		p.widen()
	}
	shift := uint(p.n) << (p.lg & 7) & 63
	if shift == 0 {
		p.words = append(p.words, 0)
	}
	p.words[len(p.words)-1] |= uint64(code) << shift
	p.n++
}

// Append appends to[code] for each of codes, or code itself if to is nil.
func (p *Packed) Append(codes, to []uint32) {
	if len(codes) == 0 {
		return
	}
	most := uint32(0)
	if to == nil {
		most = slices.Max(codes)
	} else {
		most = slices.Max(to)
	}
	for uint64(most) > p.mask() {
		p.widen()
	}
	p.grow(len(codes))
	lg := p.lg & 7
	word, shift := uint64(0), uint(p.n)<<lg&63
	if shift > 0 {
		word = p.words[len(p.words)-1]
		p.words = p.words[:len(p.words)-1]
	}
	p.n += len(codes)
	if lg == 3 && shift == 0 && to == nil { // as most are
		whole := p.words[len(p.words):][:len(codes)/8]
		for i := range whole {
			c := (*[8]uint32)(codes)
			codes = codes[8:]
			whole[i] = uint64(c[0]|c[1]<<8|c[2]<<16|c[3]<<24) | uint64(c[4]|c[5]<<8|c[6]<<16|c[7]<<24)<<32
		}
		p.words = p.words[:len(p.words)+len(whole)]
	}
	for _, code := range codes {
		if to != nil {
			code = to[code]
		}
		word |= uint64(code) << (shift & 63)
		if shift += 1 << lg; shift == 64 {
			p.words = append(p.words, word)
			word, shift = 0, 0
		}
	}
	if shift > 0 {
		p.words = append(p.words, word)
	}
}

// Blocks yields all numbers in their order, some at a time, with the place of the first: a
// multiple of 64. The next ones overwrite them.
func (p *Packed) Blocks() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		block := make([]uint32, min(p.n, 1<<10))
		for first := 0; first < p.n; first += len(block) {
			some := block[:min(len(block), p.n-first)]
			if p.unpack(some, first); !yield(first, some) {
				return
			}
		}
	}
}

// unpack writes the numbers from first on, a multiple of 64, to codes.
func (p *Packed) unpack(codes []uint32, first int) {
	lg, mask := p.lg&7, p.mask()
	each := 64 >> lg // numbers of a word
	for i := 0; i < len(codes); i += each {
		word := p.words[(first+i)>>(6-lg)]
		for j := range codes[i:min(i+each, len(codes))] {
			codes[i+j] = uint32(word & mask)
			word >>= 1 << lg & 63
		}
	}
}

// Bits returns the numbers as a set of the ones, if there are only 0 and 1.
func (p *Packed) Bits() (words []uint64, ok bool) { return p.words, p.lg == 0 }

// At returns the number at i.
func (p *Packed) At(i int) uint32 {
	return uint32(p.words[uint(i)>>((6-p.lg)&7)] >> (uint(i) << (p.lg & 7) & 63) & p.mask())
}

// widen doubles the width of all numbers.
func (p *Packed) widen() {
	wide := Packed{lg: p.lg + 1, most: p.most}
	wide.grow(p.n)
	for i := range p.n {
		wide.Add(p.At(i))
	}
	*p = wide
}

// Len returns how many numbers there are.
func (p *Packed) Len() int { return p.n }

// Memory returns how many bytes the numbers take.
func (p *Packed) Memory() int64 { return int64(len(p.words)) * 8 }
