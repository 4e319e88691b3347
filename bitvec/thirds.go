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

	words []uint32 // a bit for each condition of the blocks, for kernels
}

// ThirdsBlock is how many conditions a block has. A kernel looks at one in a turn.
const ThirdsBlock = 32

// Among appends those conditions of some blocks of which D(v) outside s and t may be what is asked for. Block b begins with
// condition b·ThirdsBlock. Blocks ascend.
func (x *Thirds[T]) Among(blocks, to []int32) []int32 {
	whole := len(blocks) // the last block of all may have fewer conditions
	if whole > 0 && (int(blocks[whole-1])+1)*ThirdsBlock > len(x.AllR) {
		whole--
	}
	if narrow, ok := any(x).(*Thirds[int16]); ok && whole > 0 && thirdsFast(narrow, blocks[:whole]) {
		for i, w := range narrow.words {
			for ; w != 0; w &= w - 1 {
				to = append(to, ThirdsBlock*blocks[i]+int32(bits.TrailingZeros32(w)))
			}
		}
		blocks = blocks[whole:]
	}
	return x.each(blocks, to)
}

// each is Among, condition by condition.
func (x *Thirds[T]) each(blocks, to []int32) []int32 {
	n := len(x.AllR)
	gainQ, gainR, inQ, inR := x.GainQ[:n], x.GainR[:n], x.InQ[:n], x.InR[:n]
	mineQ, mineR, allQ, allR := x.MineQ[:n], x.MineR[:n], x.AllQ[:n], x.AllR
	for _, b := range blocks {
		for v := int(b) * ThirdsBlock; v < min(n, (int(b)+1)*ThirdsBlock); v++ {
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
				to = append(to, int32(v))
			}
		}
	}
	return to
}
