package prune

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
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

// lookAhead is a worker's part of it.
type lookAhead struct {
	*Context
	h1, h0 []int64
	hint   int      // the block whose column left the last child open
	mask   []uint64 // columns worth an exact look
	prog   bitvec.Program
	many   *classAhead // of more than two classes, instead of h1 and h0
}

func newLookAhead(x *Context) any {
	n := x.P.Padded()
	l := &lookAhead{Context: x, h1: make([]int64, n), h0: make([]int64, n), mask: make([]uint64, (n+63)/64)}
	if x.P.Classes != nil {
		l.many = newClassAhead(x.P)
	}
	return l
}

// rooms returns what the incumbent leaves for the errors of one last rule and
// the default behind c, and for those of a rule that has another behind it.
func (l *lookAhead) rooms(f *Frame, c *Child) (last, open int64) {
	p := l.P
	s := l.Incumbent.Load()
	switch {
	case f.Depth+3 > p.Longest: // nothing can stand behind t
	case !p.Uses(problem.Bound):
		open = bitvec.Far // without the bound, only the lack of any further rule closes a child
	default:
		open = p.Room(s, c.Cost+2*p.Price, f.Depth+3)
	}
	return p.Room(s, c.Cost+p.Price, f.Depth+2), open
}

// closesChild is the part of the test that needs no vector: whether not even the best
// conceivable t of either class is worth a look.
func (l *lookAhead) closesChild(f *Frame, c *Child) bool {
	if l.many != nil {
		return false
	}
	last, open := l.rooms(f, c)
	a, b := f.G1[c.Col], f.G0[c.Col]
	return !reaches(&f.Survey.Class1, b, c.Left1, last, open) && !reaches(&f.Survey.Class0, a, c.Left0, last, open)
}

// reaches bounds the two conditions from below over all columns of a class:
// taken is what s took of the other class, left what it left of class q.
func reaches(x *bitvec.Extremes, taken, left, last, open int64) bool {
	if x.Other == bitvec.Far {
		return false
	}
	kept := max(0, x.Other-taken)
	return kept < open || max(kept, x.Span-taken+left) < last
}

// closesLeft reports whether look-ahead closes a child. The block that left the last
// child open is tried first: it most often leaves this one open too, and then
// nothing need be selected.
func (l *lookAhead) closesLeft(f *Frame, x *Candidate) bool {
	if l.many != nil {
		return l.closesClasses(f, x)
	}
	c := &x.Child
	l.P.Planes.Compile(&l.prog, x.Left)
	if l.blockOpen(f, c, l.hint, lanesOf(f.Alive, l.hint)) {
		return false
	}
	if !l.selectColumns(f, c) {
		return true
	}
	for i := range l.mask {
		if !l.Running() {
			return false // as far as is known
		}
		for l.mask[i] != 0 {
			block := (i*64 + bits.TrailingZeros64(l.mask[i])) / bitvec.Lanes
			lanes := lanesOf(l.mask, block)
			l.mask[i] &^= lanes << (block * bitvec.Lanes % 64)
			if block != l.hint && l.blockOpen(f, c, block, lanes) {
				l.hint = block
				return false
			}
		}
	}
	return true
}

// lanesOf returns the bits of one block of a mask over columns.
func lanesOf(mask []uint64, block int) uint64 {
	return mask[block*bitvec.Lanes/64] >> (block * bitvec.Lanes % 64) & (1<<bitvec.Lanes - 1)
}

// selectColumns sets the bits of the mask of the alive columns worth an exact
// look, and reports whether there are any.
func (l *lookAhead) selectColumns(f *Frame, c *Child) bool {
	last, open := l.rooms(f, c)
	a, b := f.G1[c.Col], f.G0[c.Col]
	class1 := bitvec.Reach{Taken: b, Left: c.Left1, Open: open, Last: last}
	class0 := bitvec.Reach{Taken: a, Left: c.Left0, Open: open, Last: last}
	return bitvec.SelectEither(l.mask, f.Alive, f.G1, f.G0, l.P.Support, &class1, &class0)
}

// blockOpen evaluates the given columns of one block exactly after c, offers
// each as a last rule, and reports whether one leaves c open.
func (l *lookAhead) blockOpen(f *Frame, c *Child, block int, lanes uint64) bool {
	if c.Col/bitvec.Lanes == block {
		lanes &^= 1 << (c.Col % bitvec.Lanes)
	}
	if lanes == 0 {
		return false
	}
	l.P.Matrix.Count(&l.prog, block, block+1, l.h1, l.h0)
	l.Tally.Evaluations += bitvec.Lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		if l.columnOpen(f, c, block*bitvec.Lanes+bits.TrailingZeros64(lanes)) {
			return true
		}
	}
	return false
}

// swaps reports whether the list in which t and c's rule, which predict the same, trade places is smaller and may be.
func (l *lookAhead) swaps(f *Frame, c *Child, t int) bool {
	p := l.P
	return p.Antecedents[t] < p.Antecedents[c.Col] && p.Uses(problem.Commuting) &&
		(!p.CountsRows() || p.Enough(f.Rows, p.Rows(problem.Column(c.Col)), p.Rows(problem.Column(t))))
}

// columnOpen offers c+t as a list, and reports whether a rule may follow t.
func (l *lookAhead) columnOpen(f *Frame, c *Child, t int) bool {
	p := l.P
	h1, h0 := l.h1[t], l.h0[t]
	if !p.Useful(h1, h0) {
		return false
	}
	one, errors := p.Choice(t, h1, h0)
	if one == c.Label && l.swaps(f, c, t) {
		return false
	}
	objective := c.Cost + p.Price + p.Unit*(errors+min(c.Left1-h1, c.Left0-h0))
	best := l.Incumbent.Load()
	if !best.Beaten(objective, f.Depth+2) {
		l.Offer(objective, f.Prefix, problem.Column(c.Col), problem.Column(t))
		best = l.Incumbent.Load()
	}
	if f.Depth+3 > p.Longest {
		return false
	}
	return !p.Uses(problem.Bound) || errors < p.Room(best, c.Cost+2*p.Price, f.Depth+3)
}
