package parallel

import (
	"math/bits"

	"parcorels/bitvec"
)

// Pruning 7: look-ahead closing.
//
// Before a child c = P+s is inserted, every grandchild c+t is bounded through
// the counts that the expansion of P has made anyway. In the set that c leaves,
// t keeps between max(0, p_q − g_q(s)) and p_q of class q, where p_q and
// g_q(s) are the counts of t and s in P's remaining set. With label q,
//
//   - t must gain more than λN to be of use (pruning 2), so p_q must;
//   - if nothing follows t, the list errs by what t keeps of the other class
//     and by what of class q is left outside t, at least
//     max(0, left_q − p_q);
//   - if something follows t, the list errs by at least what t keeps of the
//     other class, and costs one rule more.
//
// Against the incumbent this leaves few t, selected by one vectorised pass.
// Those are evaluated exactly in c's remaining set: each is offered as the
// last rule, and if none leaves room for a further rule behind it, every
// completion of c has been offered or is beaten by a smaller list: c is
// closed. Ties are decided as in pruning 1, through room.
//
// A t that commutes with s (pruning 3, equal labels) is of no use after s
// either way, since the list with the two swapped is smaller.

// selection is the input of one class q to the selecting pass: the columns
// that can gain enough with label q, with their counts side by side.
type selection struct {
	cols       []uint16
	own, other []int64
	leastOther int64 // smallest of other
	leastSpan  int64 // smallest of other − own
}

func newSelection(n int) selection {
	return selection{cols: make([]uint16, 0, n), own: make([]int64, 0, n), other: make([]int64, 0, n)}
}

const none = int64(1) << 62

func (x *selection) reset() {
	x.cols, x.own, x.other = x.cols[:0], x.own[:0], x.other[:0]
	x.leastOther, x.leastSpan = none, none
}

func (x *selection) add(col uint16, own, other int64) {
	x.cols = append(x.cols, col)
	x.own = append(x.own, own)
	x.other = append(x.other, other)
	x.leastOther = min(x.leastOther, other)
	x.leastSpan = min(x.leastSpan, other-own)
}

// pad fills the last block of eight with columns that are never selected.
func (x *selection) pad() {
	for len(x.own)%bitvec.Lanes != 0 {
		x.own = append(x.own, -none)
		x.other = append(x.other, none)
	}
}

// prepareLookAhead gathers the two selections of a frame.
func (w *worker) prepareLookAhead(f *frame) {
	p := w.s.p
	if p.without.has(LookAhead) {
		return
	}
	f.select1.reset()
	f.select0.reset()
	for _, col := range f.alive {
		a, b := f.g1[col], f.g0[col]
		if a > p.support {
			f.select1.add(col, a, b)
		}
		if b > p.support {
			f.select0.add(col, b, a)
		}
	}
	f.select1.pad()
	f.select0.pad()
}

// rooms returns what the incumbent leaves for the errors of one last rule and
// the default behind c, and for those of a rule that has another behind it.
func (w *worker) rooms(f *frame, c *child) (last, open int64) {
	p := w.s.p
	s := w.s.incumbent.load()
	if p.without.has(Bound) {
		open = none // without the bound, only the lack of any further rule closes a child
	} else {
		open = p.room(s, c.cost+2*p.price, f.depth+3)
	}
	return p.room(s, c.cost+p.price, f.depth+2), open
}

// mayImprove is the part of the test that needs no vector: whether the best
// possible t of either class is still worth a look.
func (w *worker) mayImprove(f *frame, c *child) bool {
	last, open := w.rooms(f, c)
	a, b := f.g1[c.col], f.g0[c.col]
	return f.select1.mayImprove(b, a, c.left1, last, open) || f.select0.mayImprove(a, b, c.left0, last, open)
}

// mayImprove bounds the two conditions from below over all columns: taken is
// what s took of the other class, own what it took of class q.
func (x *selection) mayImprove(taken, own, left, last, open int64) bool {
	if len(x.cols) == 0 {
		return false
	}
	if max(0, x.leastOther-taken) < open {
		return true
	}
	return max(0, x.leastSpan-taken+left, x.leastOther-taken) < last
}

// closes reports whether look-ahead closes c, whose remaining set is w.left.
func (w *worker) closes(f *frame, c *child) bool {
	last, open := w.rooms(f, c)
	if !w.selectColumns(f, c, last, open) {
		return true
	}
	w.s.p.planes.Compile(&w.prog, w.left)
	if w.blockOpen(f, c, w.hint) {
		return false
	}
	for i := range w.mask {
		for w.mask[i] != 0 {
			block := (i*64 + bits.TrailingZeros64(w.mask[i])) / bitvec.Lanes
			if w.blockOpen(f, c, block) {
				w.hint = block
				return false
			}
		}
	}
	return true
}

// selectColumns sets the bits of w.mask of the columns worth an exact look.
func (w *worker) selectColumns(f *frame, c *child, last, open int64) bool {
	a, b := f.g1[c.col], f.g0[c.col]
	clear(w.mask)
	any1 := w.scatter(&f.select1, &bitvec.Reach{Taken: b, Left: c.left1, Open: open, Last: last})
	any0 := w.scatter(&f.select0, &bitvec.Reach{Taken: a, Left: c.left0, Open: open, Last: last})
	w.mask[c.col/64] &^= 1 << (c.col % 64)
	return any1 || any0
}

// scatter selects among one class's columns and sets their bits of w.mask.
func (w *worker) scatter(x *selection, r *bitvec.Reach) bool {
	n := len(x.own)
	picked := w.picked[:(n+63)/64]
	clear(picked)
	if !bitvec.Select(picked, x.own, x.other, -none, r) {
		return false
	}
	for i, m := range picked {
		for ; m != 0; m &= m - 1 {
			col := x.cols[i*64+bits.TrailingZeros64(m)]
			w.mask[col/64] |= 1 << (col % 64)
		}
	}
	return true
}

// blockOpen evaluates the selected columns of one block exactly after c,
// offers each as a last rule, and reports whether one leaves c open. It clears
// their bits.
func (w *worker) blockOpen(f *frame, c *child, block int) bool {
	p := w.s.p
	shift := block * bitvec.Lanes % 64
	lanes := w.mask[block*bitvec.Lanes/64] >> shift & (1<<bitvec.Lanes - 1)
	if lanes == 0 {
		return false
	}
	w.mask[block*bitvec.Lanes/64] &^= (1<<bitvec.Lanes - 1) << shift
	p.matrix.Count(&w.prog, block, block+1, w.h1, w.h0)
	w.evaluations += bitvec.Lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		if w.columnOpen(f, c, block*bitvec.Lanes+bits.TrailingZeros64(lanes)) {
			return true
		}
	}
	return false
}

// columnOpen offers c+t as a list, and reports whether a rule may follow t.
func (w *worker) columnOpen(f *frame, c *child, t int) bool {
	p := w.s.p
	h1, h0 := w.h1[t], w.h0[t]
	if !p.useful(h1, h0, c.left1, c.left0) {
		return false
	}
	if label := h1 > h0; label == c.label && p.names[t] < p.names[c.col] && !p.without.has(Commuting) {
		return false
	}
	errors := min(h1, h0)
	objective := c.cost + p.price + p.unit*(errors+min(c.left1-h1, c.left0-h0))
	best := w.s.incumbent.load()
	if !best.beaten(objective, f.depth+2) {
		w.offer(objective, f.prefix, uint16(c.col), uint16(t))
		best = w.s.incumbent.load()
	}
	return p.without.has(Bound) || errors < p.room(best, c.cost+2*p.price, f.depth+3)
}
