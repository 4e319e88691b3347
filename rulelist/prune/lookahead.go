package prune

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/costs"
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
	counts *costs.Counts // of the columns of some blocks, in what the child leaves
	hint   int           // the block whose column left the last open child open
	trust  int           // in the hint, at most 3: how many more children stayed open than closed of late
	mask   []uint64      // columns worth an exact look
	last   int64         // room for the errors of a last rule and the default behind it
	open   int64         // for the errors of a rule that has another behind it, 0: none
	longer int64         // and for these with what lists behind the rule cost, in the problem's units; −1: none
}

func newLookAhead(x *Context) any {
	n := x.P.Padded()
	return &lookAhead{Context: x, counts: x.P.NewCounts(n), mask: make([]uint64, (n+63)/64)}
}

// findRoom finds what the incumbent leaves for rules behind c.
func (l *lookAhead) findRoom(f *Frame, c *Child) {
	l.last, l.open, l.longer = l.rooms(f.Depth, c.Cost)
}

// rooms returns last, open and longer for a child that costs so much, of a frame of such a depth.
func (l *lookAhead) rooms(depth int, cost int64) (last, open, longer int64) {
	p, best := l.P, l.Incumbent.Load()
	last = p.Room(best, cost+p.Price, depth+2)
	switch {
	case depth+3 > p.Longest: // nothing can stand behind t
		return last, 0, -1
	case !p.Uses(problem.Bound): // only the lack of any further rule closes a child
		return last, bitvec.Far / 2, problem.Unknown // more than any cost, less than what no column keeps
	}
	return last, p.Room(best, cost+2*p.Price, depth+3), best.Left(cost+p.Price, depth+3)
}

// reach returns what a kernel needs for t with a label behind c, with two labels.
func (l *lookAhead) reach(f *Frame, c *Child, label int) bitvec.Reach {
	x := f.Counts
	return bitvec.Reach{Taken: x.Gains[1-label][c.Col], Left: x.All[label] - x.Gains[label][c.Col], Open: l.open, Last: l.last}
}

// closesOpen is the part of the test that needs no vector, for all children, without branches: it closes those behind which
// not even the best conceivable t of either class is worth a look.
func (l *lookAhead) closesOpen(f *Frame) {
	p, x := l.P, f.Counts
	if p.Labels > 2 {
		return
	}
	last, open, _ := l.rooms(f.Depth, f.Cost+p.Price) // of children, without what they err
	g1, g0 := x.Gains[1], x.Gains[0]
	for i, word := range f.Open {
		var reached uint64
		for m := word; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			a, b := g1[i*64+bit], g0[i*64+bit]
			errors := min(a, b)
			one := reaches(&f.Survey.Class1, b, x.All[1]-a, last-errors, open-errors)
			zero := reaches(&f.Survey.Class0, a, x.All[0]-b, last-errors, open-errors)
			reached |= uint64(one|zero) >> 63 << bit
		}
		f.Open[i] = reached
	}
}

// reaches bounds the two conditions from below over all columns of a class. The result is negative if either may hold. If
// the class has no column, neither does: Far less what is taken is no less than any room.
func reaches(x *bitvec.Extremes, taken, left, last, open int64) int64 {
	kept := max(0, x.Other-taken)
	return (kept - open) | (max(kept, x.Span-taken+left) - last)
}

// closesLeft reports whether look-ahead closes a child. Where most children stay open, the block
// that left the last one open is tried first: it often leaves this one open too, and then nothing
// need be selected.
func (l *lookAhead) closesLeft(f *Frame, x *Candidate) bool {
	c := &x.Child
	l.findRoom(f, c)
	l.counts.Leave(f.Counts, c.Col, x.Left)
	if l.trust > 0 && l.blockOpen(f, c, l.hint, lanesOf(f.Alive, l.hint)) || l.anyOpen(f, c) {
		l.trust = min(l.trust+1, 3)
		return false
	}
	l.trust = max(l.trust-1, 0)
	return true
}

// anyOpen looks for a block, but the one that was tried, that leaves a child open.
func (l *lookAhead) anyOpen(f *Frame, c *Child) bool {
	if !l.selectColumns(f, c) {
		return false
	}
	for i := range l.mask {
		if !l.Running() {
			return true // as far as is known
		}
		for l.mask[i] != 0 {
			block := (i*64 + bits.TrailingZeros64(l.mask[i])) / bitvec.Lanes
			lanes := lanesOf(l.mask, block)
			l.mask[i] &^= lanes << (block * bitvec.Lanes % 64)
			if !(l.trust > 0 && block == l.hint) && l.blockOpen(f, c, block, lanes) {
				l.hint = block
				return true
			}
		}
	}
	return false
}

// lanesOf returns the bits of one block of a mask over columns.
func lanesOf(mask []uint64, block int) uint64 {
	return mask[block*bitvec.Lanes/64] >> (block * bitvec.Lanes % 64) & (1<<bitvec.Lanes - 1)
}

// selectColumns sets the bits of the mask of the alive columns worth an exact
// look, and reports whether there are any.
func (l *lookAhead) selectColumns(f *Frame, c *Child) bool {
	x := f.Counts
	if l.P.Labels > 2 {
		return l.selectMany(x, f.Alive, x.Column(c.Col).Cost, c.Col)
	}
	one, zero := l.reach(f, c, 1), l.reach(f, c, 0)
	return bitvec.SelectEither(l.mask, f.Alive, x.Gains[1], x.Gains[0], l.P.Support, &one, &zero)
}

// selectMany does what a kernel does for two labels. It leaves out what a default errs, which leaves hardly more columns.
func (l *lookAhead) selectMany(x *costs.Counts, alive []uint64, cost int64, col int) bool {
	clear(l.mask)
	some := false
	for _, gains := range x.Gains {
		taken := cost - gains[col] // what the child's rule errs with the label
		for i, m := range alive {
			for m &^= l.mask[i]; m != 0; m &= m - 1 {
				t := i*64 + bits.TrailingZeros64(m)
				if g := gains[t]; g > l.P.Support && max(0, x.Column(t).Cost-g-taken) < l.last {
					l.mask[i] |= m & -m
					some = true
				}
			}
		}
	}
	return some
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
	l.counts.Block(l.P.Matrix, block)
	l.Tally.Evaluations += bitvec.Lanes
	lanes = l.counts.Within(block*bitvec.Lanes, lanes, l.P.Support, max(l.last, l.open))
	for ; lanes != 0; lanes &= lanes - 1 {
		if l.columnOpen(f, c, block*bitvec.Lanes+bits.TrailingZeros64(lanes)) {
			return true
		}
	}
	return false
}

// swaps reports whether t and c's rule, which predict the same, may trade places.
func (l *lookAhead) swaps(f *Frame, c *Child, t int) bool {
	p := l.P
	return p.Uses(problem.Commuting) && (!p.CountsRows() || p.Enough(f.Rows, p.Rows(problem.Column(c.Col)), p.Rows(problem.Column(t))))
}

// columnOpen offers c+t as a list, and reports whether a rule may follow t.
func (l *lookAhead) columnOpen(f *Frame, c *Child, t int) bool {
	p := l.P
	x := p.Column(l.counts, t)
	if !p.Useful(&x) || x.Label == c.Label && p.Antecedents[t] < p.Antecedents[c.Col] && l.swaps(f, c, t) {
		return false
	}
	if x.Errors+x.Stop < l.last {
		objective := c.Cost + p.Price + p.Unit*(x.Errors+x.Stop)
		l.Offer(objective, f.Prefix, problem.Column(c.Col), problem.Column(t))
		l.findRoom(f, c) // which is less
	}
	return l.longer >= 0 && p.Unit*x.Errors+p.Behind(l.counts, t) <= l.longer
}
