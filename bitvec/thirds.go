package bitvec

import "math/bits"

// Thirds bounds what a third rule v of class q gains behind two rules s and t and before a default r: D(v) is what v
// gains in class q less what it gains in class r. Each list has a number for each condition v. The argument of the four
// bounds is in package rulelist/short.
type Thirds[T BinWeight] struct {
	GainQ, GainR []T // outside s
	InQ, InR     []T // inside t
	MineQ, MineR []T // inside s
	AllQ, AllR   []T

	Other   T // of class r, what t gains outside s
	BothQ   T // of class q, what s and t have in common
	Outside T // of class r, what s gains outside t
	Ask     T // the least D

	words []uint32 // a bit for each condition, for kernels
}

// thirdsBlock is how many conditions a kernel looks at in a turn.
const thirdsBlock = 32

// Among appends those of some conditions of which D(v) outside s and t may be what is asked for.
func (x *Thirds[T]) Among(list, to []uint16) []uint16 {
	n := len(x.AllR)
	gainQ, gainR, inQ, inR := x.GainQ[:n], x.GainR[:n], x.InQ[:n], x.InR[:n]
	mineQ, mineR, allQ, allR := x.MineQ[:n], x.MineR[:n], x.AllQ[:n], x.AllR
	for _, v := range list {
		dS := gainQ[v] - gainR[v]
		if dS+min(gainR[v], x.Other) < x.Ask {
			continue
		}
		qV, rV, both := inQ[v], inR[v], mineR[v]
		beyond := allR[v] - rV
		if dS+rV < x.Ask || allQ[v]-qV-beyond+min(both, x.Outside, beyond) < x.Ask {
			continue
		}
		most := min(mineQ[v], qV, x.BothQ)
		least := max(0, both-beyond, both-x.Outside, rV-x.Other)
		if dS-qV+rV+most-least >= x.Ask { // D(v) − D(v∩s) − D(v∩t), and D(v∩s∩t) at most
			to = append(to, v)
		}
	}
	return to
}

// All is Among for all conditions. It reports false where no kernel looks at 32 of them at a time.
func (x *Thirds[T]) All(to []uint16) ([]uint16, bool) {
	narrow, ok := any(x).(*Thirds[int16])
	if !ok || !thirdsFast(narrow, &x.words) {
		return to, false
	}
	for i, w := range x.words {
		for ; w != 0; w &= w - 1 {
			to = append(to, uint16(32*i+bits.TrailingZeros32(w)))
		}
	}
	var rest [thirdsBlock]uint16
	n := 0
	for v := len(x.words) * thirdsBlock; v < len(x.AllR); v++ {
		rest[n] = uint16(v)
		n++
	}
	return x.Among(rest[:n], to), true
}
