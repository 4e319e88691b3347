package column

import (
	"math"
	"math/bits"
	"sort"
)

// A few cuts part the numbers of a column. What a piece keeps are integers in the
// order of its numbers, so that each cut becomes an integer too, and 64 numbers
// are compared with it without making floats of them, and without a branch that
// nobody can foretell.

// Parts sets bit i of sets[k] for each number i that is in part k: not below k of
// the cuts, which ascend. A missing number is in part missing; in none if that
// is negative. The sets have room for Len bits, and are 0.
func (f *Floats) Parts(cuts []float64, missing int, sets [][]uint64) {
	p := parting{cuts: cuts, missing: missing, sets: sets, atLeast: make([]uint64, len(cuts)+1), marks: make([]uint64, len(cuts))}
	for i := range f.pieces {
		p.piece(&f.pieces[i], i*pieceSize, pieceSize)
	}
	if len(f.open) > 0 {
		open := rawPiece(f.open)
		p.piece(&open, len(f.pieces)*pieceSize, len(f.open))
	}
}

// parting is a call of Parts.
type parting struct {
	cuts    []float64
	missing int
	sets    [][]uint64
	marks   []uint64 // by cut: the least code of a number that is not below
	atLeast []uint64 // by cut: which of 64 numbers are not below; 0 behind the last
	codes   [64]uint64
}

// piece parts the numbers of a piece, n from first on.
func (p *parting) piece(x *piece, first, n int) {
	for k, cut := range p.cuts {
		p.marks[k] = x.mark(cut)
	}
	for at := 0; at < n; at += 64 {
		codes := p.codes[:min(64, n-at)]
		x.codes(codes, uint(at))
		p.word((first+at)/64, len(codes), x.missing)
	}
}

// word parts n numbers, those of a word of each set.
func (p *parting) word(w, n int, missing bool) {
	present := ^uint64(0) >> (64 - n)
	if missing {
		all := present
		present = notBelow(&p.codes, 1) & all
		if p.missing >= 0 {
			p.sets[p.missing][w] |= all &^ present
		}
	}
	for k, mark := range p.marks {
		p.atLeast[k] = notBelow(&p.codes, mark) & present
	}
	above := present
	for k, next := range p.atLeast {
		p.sets[k][w] |= above &^ next
		above = next
	}
}

// notBelow returns which codes are not below mark.
func notBelow(codes *[64]uint64, mark uint64) (set uint64) {
	for _, c := range codes {
		_, below := bits.Sub64(c, mark, 0)
		set = set>>1 | below<<63
	}
	return ^set
}

// codes writes the codes of numbers from first on: integers in their order, 0 for
// NaN alone.
func (p *piece) codes(codes []uint64, first uint) {
	switch p.width {
	case 0:
		clear(codes)
	case rawWidth:
		for i, x := range p.words[first : first+uint(len(codes))] {
			codes[i] = rawCode(math.Float64frombits(x))
		}
	default:
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
}

// rawCode is the code of a number of a raw piece.
func rawCode(v float64) uint64 {
	if v != v {
		return 0
	}
	return FloatKey(v + 0) // −0 is 0
}

// mark returns the least code of a number that is not below cut.
func (p *piece) mark(cut float64) uint64 {
	if p.width == rawWidth {
		return rawCode(cut)
	}
	most := 1 << p.width
	return uint64(sort.Search(most, func(code int) bool { return code > 0 && p.number(uint64(code)) >= cut }))
}
