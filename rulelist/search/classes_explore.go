package search

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// What a worker does otherwise where there are more than two classes (classes.go).

// countClasses does what count does for two classes.
func (f *frame) countClasses(p *problem.Problem, goOn func() bool) bool {
	x := f.many
	count := func(prog *bitvec.Program, g1, g0 []int64) bool { return p.Matrix.CountWhile(prog, g1, g0, goOn) }
	if !x.Count(p, f.u, count) {
		return false
	}
	f.all1, f.all0 = x.Total, 0
	clear(f.alive)
	for col := range x.Cost {
		if x.Useful(p, col) {
			f.alive[col/64] |= 1 << (col % 64)
		}
	}
	if !p.Uses(problem.Support) {
		f.clearUnsupported(p)
	}
	f.survey.Stop = bitvec.Far
	for i, m := range f.alive {
		for ; m != 0; m &= m - 1 {
			col := i*64 + bits.TrailingZeros64(m)
			f.survey.Stop = min(f.survey.Stop, x.Errors[col]+x.Stop[col])
		}
	}
	return true
}

// cheap makes f.open the alive columns that err by less than room.
func (f *frame) cheap(room int64) {
	for i, m := range f.alive {
		f.open[i] = 0
		for ; m != 0; m &= m - 1 {
			if f.many.Errors[i*64+bits.TrailingZeros64(m)] < room {
				f.open[i] |= m & -m
			}
		}
	}
}

// offerClasses does what offerChildren does for two classes.
func (w *worker) offerClasses(f *frame) {
	p, best := w.p, w.s.incumbent.Load()
	for i, m := range f.alive {
		for ; m != 0; m &= m - 1 {
			col := i*64 + bits.TrailingZeros64(m)
			objective := f.cost + p.Price + p.Unit*(f.many.Errors[col]+f.many.Stop[col])
			if !best.Beaten(objective, f.depth+1) {
				w.s.offerColumns(objective, f.prefix, problem.Column(col))
				best = w.s.incumbent.Load()
			}
		}
	}
}

// openClasses does what open does for two classes.
func (w *worker) openClasses(f *frame, col int, c *child) bool {
	p, x := w.p, f.many
	c.col, c.class, c.label, c.owned = col, x.Label[col], false, false
	c.cost = f.cost + p.Price + p.Unit*x.Errors[col]
	c.left1, c.left0 = x.Total-x.Cost[col], 0
	c.objective = c.cost + p.Unit*x.Stop[col]
	least := c.cost + x.Behind(p, col)
	if p.Uses(problem.Bound) && w.s.incumbent.Load().Beaten(least, f.depth+2) {
		return false
	}
	c.bound, c.rank = max(f.bound, least), least
	if w.s.separated.excludes(c) || f.depth > 0 && p.Uses(problem.Commuting) && f.commutesClasses(p, col, c.class) {
		return false
	}
	return !w.sep.closesChild(f, c)
}

// commutesClasses decides as commutes does (prune_commuting.go).
func (f *frame) commutesClasses(p *problem.Problem, col int, class uint16) bool {
	i := f.depth - 1
	last := f.prefix[i]
	smaller := p.Antecedents[col] < p.Antecedents[last]
	if class == f.class {
		return smaller
	}
	own, _ := p.Classes.Gains[class].CostAnd3(f.before[i], p.Columns[col], p.Columns[last])
	other, _ := p.Classes.Gains[f.class].CostAnd3(f.before[i], p.Columns[col], p.Columns[last])
	return own > other || own == other && smaller
}

// classAhead is look-ahead behind a child (prune_lookahead.go).
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
func (l *lookAhead) closesClasses(f *frame, x *candidate) bool {
	c, a := &x.child, l.many
	l.begin(f, c)
	for q, planes := range l.p.Classes.Gains {
		planes.Compile(&a.progs[q], x.left)
	}
	if s := l.p.Classes.Surplus; s != nil {
		s.Compile(&a.spare, x.left)
		for q, planes := range l.p.Classes.Missing {
			planes.Compile(&a.lacking[q], x.left)
		}
	}
	if lanes := lanesOf(f.alive, l.hint); l.classesOpen(f, c, l.hint, lanes) {
		return false
	}
	for i, alive := range f.alive {
		if !l.run.Running() {
			return false // as far as is known
		}
		for alive != 0 {
			block := (i*64 + bits.TrailingZeros64(alive)) / bitvec.Lanes
			lanes := lanesOf(f.alive, block)
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
func (l *lookAhead) begin(f *frame, c *child) {
	p, a, x := l.p, l.many, f.many
	s := l.s.incumbent.Load()
	a.last, a.longer = p.Room(s, c.cost+p.Price, f.depth+2), -1
	switch {
	case f.depth+3 > p.Longest: // nothing can stand behind t
	case !p.Uses(problem.Bound):
		a.longer = problem.Unknown
	default:
		a.longer = s.Left(c.cost+p.Price, f.depth+3)
	}
	a.Total = c.left1
	for q := range a.taken {
		g := x.Gains[q][c.col]
		a.taken[q], a.All[q] = x.Cost[c.col]-g, x.All[q]-g
		a.left[q] = a.Total - a.All[q]
		a.Lack[q] = x.Lack[q] - x.Lacks[q][c.col]
	}
}

// lanes are numbers of the columns of a block.
type lanes = [bitvec.Lanes]int64

func lanesAt(list []int64, block int) *lanes {
	return (*lanes)(list[block*bitvec.Lanes:])
}

// mayMatter returns those columns t of a block behind the child that may improve the incumbent or have a rule
// behind them, as far as their counts behind the child's prefix tell.
func (l *lookAhead) mayMatter(f *frame, block int, alive uint64) (worth uint64) {
	p, a, x := l.p, l.many, f.many
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
func (l *lookAhead) classesOpen(f *frame, c *child, block int, lanes uint64) bool {
	p, a := l.p, l.many
	if c.col/bitvec.Lanes == block {
		lanes &^= 1 << (c.col % bitvec.Lanes)
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
	l.tally.evaluations += bitvec.Lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		t := from + bits.TrailingZeros64(lanes)
		if a.Column(t); l.classOpen(f, c, t) {
			return true
		}
	}
	return false
}

// classOpen does what columnOpen does for two classes.
func (l *lookAhead) classOpen(f *frame, c *child, t int) bool {
	p, a := l.p, l.many
	if !a.Useful(p, t) {
		return false
	}
	if a.Label[t] == c.class && p.Antecedents[t] < p.Antecedents[c.col] && p.Uses(problem.Commuting) {
		return false
	}
	objective := c.cost + p.Price + p.Unit*(a.Errors[t]+a.Stop[t])
	if !l.s.incumbent.Load().Beaten(objective, f.depth+2) {
		l.s.offerColumns(objective, f.prefix, problem.Column(c.col), problem.Column(t))
		l.begin(f, c) // with less room
	}
	return a.longer >= 0 && p.Unit*a.Errors[t]+a.Behind(p, t) <= a.longer
}
