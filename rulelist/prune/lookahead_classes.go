package prune

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// classAhead is look-ahead behind a child (lookahead.go).
type classAhead struct {
	*problem.ClassCounts                  // of the columns of the last block, in the set that the child leaves
	progs                []bitvec.Program // of that set, by class
	spare                bitvec.Program   // for the surplus
	lacking              []bitvec.Program // for what is missing
	taken                []int64          // by label, what the child's rule errs with it
	left                 []int64          // likewise of what the child leaves
	last                 int64            // room for the errors of a last rule and its default
	longer               int64            // and for what a rule errs and lists behind it cost, in the problem's units; −1: none
}

func newClassAhead(p *problem.Problem) *classAhead {
	k := len(p.Classes.Gains)
	return &classAhead{
		ClassCounts: problem.NewClassCounts(p), progs: make([]bitvec.Program, k), lacking: make([]bitvec.Program, k),
		taken: make([]int64, k), left: make([]int64, k),
	}
}

// closesClasses does what closes does for two classes.
func (l *lookAhead) closesClasses(f *Frame, x *Candidate) bool {
	c, a := &x.Child, l.many
	l.begin(f, c)
	for q, planes := range l.P.Classes.Gains {
		planes.Compile(&a.progs[q], x.Left)
	}
	if s := l.P.Classes.Surplus; s != nil {
		s.Compile(&a.spare, x.Left)
		for q, planes := range l.P.Classes.Missing {
			planes.Compile(&a.lacking[q], x.Left)
		}
	}
	if lanes := lanesOf(f.Alive, l.hint); l.classesOpen(f, c, l.hint, lanes) {
		return false
	}
	for i, alive := range f.Alive {
		if !l.Running() {
			return false // as far as is known
		}
		for alive != 0 {
			block := (i*64 + bits.TrailingZeros64(alive)) / bitvec.Lanes
			lanes := lanesOf(f.Alive, block)
			alive &^= lanes << (block * bitvec.Lanes % 64)
			if block == l.hint {
				continue
			}
			if lanes = l.mayMatter(f, block, lanes); lanes != 0 && l.classesOpen(f, c, block, lanes) {
				l.hint = block
				return false
			}
		}
	}
	return true
}

// begin notes what the child's rule errs with each label, and what is left of it.
func (l *lookAhead) begin(f *Frame, c *Child) {
	p, a, x := l.P, l.many, f.Many
	s := l.Incumbent.Load()
	a.last, a.longer = p.Room(s, c.Cost+p.Price, f.Depth+2), -1
	switch {
	case f.Depth+3 > p.Longest: // nothing can stand behind t
	case !p.Uses(problem.Bound):
		a.longer = problem.Unknown
	default:
		a.longer = s.Left(c.Cost+p.Price, f.Depth+3)
	}
	a.Total = c.Left1
	for q := range a.taken {
		g := x.Gains[q][c.Col]
		a.taken[q], a.All[q] = x.Cost[c.Col]-g, x.All[q]-g
		a.left[q] = a.Total - a.All[q]
		a.Lack[q] = x.Lack[q] - x.Lacks[q][c.Col]
	}
}

// lanes are numbers of the columns of a block.
type lanes = [bitvec.Lanes]int64

func lanesAt(list []int64, block int) *lanes {
	return (*lanes)(list[block*bitvec.Lanes:])
}

// mayMatter returns those columns t of a block behind the child that may improve the incumbent or have a rule
// behind them, as far as their counts behind the child's prefix tell.
func (l *lookAhead) mayMatter(f *Frame, block int, alive uint64) (worth uint64) {
	p, a, x := l.P, l.many, f.Many
	cost := lanesAt(x.Cost, block)
	var rule lanes // the least that rule t errs
	for t := range rule {
		rule[t] = bitvec.Far
	}
	for q, taken := range a.taken {
		for t, g := range lanesAt(x.Gains[q], block) {
			if g > p.Support {
				rule[t] = min(rule[t], max(0, cost[t]-g-taken))
			}
		}
	}
	for t, errors := range rule {
		if errors != bitvec.Far && p.Unit*errors+p.Price <= a.longer {
			worth |= 1 << t
		}
	}
	if worth &= alive; worth != 0 {
		var sum, most lanes // as in behind
		for c, lack := range a.Lack {
			for t, of := range lanesAt(x.Lacks[c], block) {
				m := min(p.Price, p.Unit*max(0, lack-of))
				sum[t] += m
				most[t] = max(most[t], m)
			}
		}
		for t, errors := range rule {
			if errors != bitvec.Far && p.Unit*errors+max(p.Price, sum[t]-most[t]) > a.longer {
				worth &^= 1 << t
			}
		}
	}
	if alive &^= worth; alive == 0 {
		return worth
	}
	var least lanes // that a default errs
	for t := range least {
		least[t] = bitvec.Far
	}
	for r, left := range a.left {
		for t, g := range lanesAt(x.Gains[r], block) {
			least[t] = min(least[t], max(0, left-cost[t]+g))
		}
	}
	for t, errors := range rule {
		if alive>>t&1 == 1 && errors+least[t] < a.last && a.mayBeLast(p, x, block*bitvec.Lanes+t) {
			worth |= 1 << t
		}
	}
	return worth
}

// mayBeLast reports whether a list that ends with t may improve the incumbent. The default has another label.
func (a *classAhead) mayBeLast(p *problem.Problem, x *problem.ClassCounts, t int) bool {
	cost := x.Cost[t]
	for q, taken := range a.taken {
		g := x.Gains[q][t]
		if g <= p.Support {
			continue
		}
		for r, left := range a.left {
			if r != q && max(0, cost-g-taken)+max(0, left-(cost-x.Gains[r][t])) < a.last {
				return true
			}
		}
	}
	return false
}

// classesOpen does what blockOpen does for two classes.
func (l *lookAhead) classesOpen(f *Frame, c *Child, block int, lanes uint64) bool {
	p, a := l.P, l.many
	if c.Col/bitvec.Lanes == block {
		lanes &^= 1 << (c.Col % bitvec.Lanes)
	}
	if lanes == 0 {
		return false
	}
	for q := range a.progs {
		p.Matrix.Count(&a.progs[q], block, block+1, a.Gains[q], a.None)
	}
	from := block * bitvec.Lanes
	clear(a.Cost[from : from+bitvec.Lanes])
	if p.Classes.Surplus != nil {
		p.Matrix.Count(&a.spare, block, block+1, a.Cost, a.None)
		for q := range a.lacking {
			p.Matrix.Count(&a.lacking[q], block, block+1, a.Lacks[q], a.None)
		}
	}
	l.Tally.Evaluations += bitvec.Lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		t := from + bits.TrailingZeros64(lanes)
		if a.Column(t); l.classOpen(f, c, t) {
			return true
		}
	}
	return false
}

// classOpen does what columnOpen does for two classes.
func (l *lookAhead) classOpen(f *Frame, c *Child, t int) bool {
	p, a := l.P, l.many
	if !a.Useful(p, t) {
		return false
	}
	if a.Label[t] == c.class && l.swaps(f, c, t) {
		return false
	}
	objective := c.Cost + p.Price + p.Unit*(a.Errors[t]+a.Stop[t])
	if !l.Incumbent.Load().Beaten(objective, f.Depth+2) {
		l.Offer(objective, f.Prefix, problem.Column(c.Col), problem.Column(t))
		l.begin(f, c) // with less room
	}
	return a.longer >= 0 && p.Unit*a.Errors[t]+a.Behind(p, t) <= a.longer
}
