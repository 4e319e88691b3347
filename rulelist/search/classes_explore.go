package search

import (
	"math/bits"

	"parcorels/bitvec"
)

// What a worker does otherwise where there are more than two classes (classes.go).

// countClasses does what count does for two classes.
func (f *frame) countClasses(p *problem, goOn func() bool) bool {
	x := f.many
	count := func(prog *bitvec.Program, g1, g0 []int64) bool { return p.matrix.CountWhile(prog, g1, g0, goOn) }
	if !x.count(p, f.u, count) {
		return false
	}
	f.all1, f.all0 = x.total, 0
	clear(f.alive)
	for col := range x.cost {
		if x.useful(p, col) {
			f.alive[col/64] |= 1 << (col % 64)
		}
	}
	if !p.uses(Support) {
		f.clearUnsupported(p)
	}
	f.survey.Stop = bitvec.Far
	for i, m := range f.alive {
		for ; m != 0; m &= m - 1 {
			col := i*64 + bits.TrailingZeros64(m)
			f.survey.Stop = min(f.survey.Stop, x.errors[col]+x.stop[col])
		}
	}
	return true
}

// cheap makes f.open the alive columns that err by less than room.
func (f *frame) cheap(room int64) {
	for i, m := range f.alive {
		f.open[i] = 0
		for ; m != 0; m &= m - 1 {
			if f.many.errors[i*64+bits.TrailingZeros64(m)] < room {
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
			objective := f.cost + p.price + p.unit*(f.many.errors[col]+f.many.stop[col])
			if !best.beaten(objective, f.depth+1) {
				w.s.offerColumns(objective, f.prefix, column(col))
				best = w.s.incumbent.Load()
			}
		}
	}
}

// openClasses does what open does for two classes.
func (w *worker) openClasses(f *frame, col int, c *child) bool {
	p, x := w.p, f.many
	c.col, c.class, c.label, c.owned = col, x.label[col], false, false
	c.cost = f.cost + p.price + p.unit*x.errors[col]
	c.left1, c.left0 = x.total-x.cost[col], 0
	c.objective = c.cost + p.unit*x.stop[col]
	least := c.cost + x.behind(p, col)
	if p.uses(Bound) && w.s.incumbent.Load().beaten(least, f.depth+2) {
		return false
	}
	c.bound, c.rank = max(f.bound, least), least
	if w.s.separated.excludes(c) || f.depth > 0 && p.uses(Commuting) && p.commutesClasses(f, col, c.class) {
		return false
	}
	return !w.sep.closesChild(f, c)
}

// commutesClasses decides as commutes does (prune_commuting.go).
func (p *problem) commutesClasses(f *frame, col int, class uint16) bool {
	i := f.depth - 1
	last := f.prefix[i]
	smaller := p.antecedents[col] < p.antecedents[last]
	if class == f.class {
		return smaller
	}
	own, _ := p.classes.gains[class].CostAnd3(f.before[i], p.columns[col], p.columns[last])
	other, _ := p.classes.gains[f.class].CostAnd3(f.before[i], p.columns[col], p.columns[last])
	return own > other || own == other && smaller
}

// classAhead is look-ahead behind a child (prune_lookahead.go).
type classAhead struct {
	*classCounts                  // of the columns of the last block, in the set that the child leaves
	progs        []bitvec.Program // of that set, by class
	spare        bitvec.Program   // for the surplus
	lacking      []bitvec.Program // for what is missing
	taken        []int64          // by label, what the child's rule errs with it
	left         []int64          // likewise of what the child leaves
	last         int64            // room for the errors of a last rule and its default
	longer       int64            // and for what a rule errs and lists behind it cost, in the problem's units; −1: none
}

func newClassAhead(p *problem) *classAhead {
	k := len(p.classes.gains)
	return &classAhead{
		classCounts: newClassCounts(p), progs: make([]bitvec.Program, k), lacking: make([]bitvec.Program, k), taken: make([]int64, k), left: make([]int64, k),
	}
}

// closesClasses does what closes does for two classes.
func (l *lookAhead) closesClasses(f *frame, x *candidate) bool {
	c, a := &x.child, l.many
	l.begin(f, c)
	for q, planes := range l.p.classes.gains {
		planes.Compile(&a.progs[q], x.left)
	}
	if s := l.p.classes.surplus; s != nil {
		s.Compile(&a.spare, x.left)
		for q, planes := range l.p.classes.missing {
			planes.Compile(&a.lacking[q], x.left)
		}
	}
	if !l.selectClasses(f, c) {
		return true
	}
	for i := range l.mask {
		if !l.run.Running() {
			return false // as far as is known
		}
		for l.mask[i] != 0 {
			block := (i*64 + bits.TrailingZeros64(l.mask[i])) / bitvec.Lanes
			lanes := lanesOf(l.mask, block)
			l.mask[i] &^= lanes << (block * bitvec.Lanes % 64)
			if l.classesOpen(f, c, block, lanes) {
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
	a.last, a.longer = p.room(s, c.cost+p.price, f.depth+2), -1
	switch {
	case f.depth+3 > p.longest: // nothing can stand behind t
	case !p.uses(Bound):
		a.longer = unknown
	default:
		a.longer = s.objective - c.cost - p.price
		if f.depth+3 > len(s.list) {
			a.longer--
		}
	}
	a.total = c.left1
	for q := range a.taken {
		g := x.gains[q][c.col]
		a.taken[q], a.all[q] = x.cost[c.col]-g, x.all[q]-g
		a.left[q] = a.total - a.all[q]
		a.lack[q] = x.lack[q] - x.lacks[q][c.col]
	}
}

// selectClasses sets the bits of the mask of the alive columns worth an exact look, and
// reports whether there are any.
func (l *lookAhead) selectClasses(f *frame, c *child) bool {
	some := false
	clear(l.mask)
	for i, m := range f.alive {
		for ; m != 0; m &= m - 1 {
			t := i*64 + bits.TrailingZeros64(m)
			if t != c.col && l.many.mayMatter(l.p, f.many, t) {
				l.mask[i] |= m & -m
				some = true
			}
		}
	}
	return some
}

// mayMatter reports whether column t behind the child may improve the incumbent or have a rule behind
// it, as far as its counts x behind the child's prefix tell.
func (a *classAhead) mayMatter(p *problem, x *classCounts, t int) bool {
	cost := x.cost[t]
	var sum, most int64 // of what is missing behind t
	for c, lack := range a.lack {
		m := min(p.price, p.unit*max(0, lack-x.lacks[c][t]))
		sum += m
		most = max(most, m)
	}
	behind := max(p.price, sum-most)
	// The least that a default errs, and the least of another label than that.
	least, second, of := bitvec.Far, bitvec.Far, 0
	for r, left := range a.left {
		switch e := max(0, left-(cost-x.gains[r][t])); {
		case e < least:
			least, second, of = e, least, r
		case e < second:
			second = e
		}
	}
	for q, taken := range a.taken {
		g := x.gains[q][t]
		if g <= p.support {
			continue
		}
		errors, rest := max(0, cost-g-taken), least
		if q == of {
			rest = second
		}
		if p.unit*errors+behind <= a.longer || errors+rest < a.last {
			return true
		}
	}
	return false
}

// classesOpen does what blockOpen does for two classes.
func (l *lookAhead) classesOpen(f *frame, c *child, block int, lanes uint64) bool {
	p, a := l.p, l.many
	for q := range a.progs {
		p.matrix.Count(&a.progs[q], block, block+1, a.gains[q], a.none)
	}
	from := block * bitvec.Lanes
	clear(a.cost[from : from+bitvec.Lanes])
	if p.classes.surplus != nil {
		p.matrix.Count(&a.spare, block, block+1, a.cost, a.none)
		for q := range a.lacking {
			p.matrix.Count(&a.lacking[q], block, block+1, a.lacks[q], a.none)
		}
	}
	l.tally.evaluations += bitvec.Lanes
	for ; lanes != 0; lanes &= lanes - 1 {
		t := from + bits.TrailingZeros64(lanes)
		if a.column(t); l.classOpen(f, c, t) {
			return true
		}
	}
	return false
}

// classOpen does what columnOpen does for two classes.
func (l *lookAhead) classOpen(f *frame, c *child, t int) bool {
	p, a := l.p, l.many
	if !a.useful(p, t) {
		return false
	}
	if a.label[t] == c.class && p.antecedents[t] < p.antecedents[c.col] && p.uses(Commuting) {
		return false
	}
	objective := c.cost + p.price + p.unit*(a.errors[t]+a.stop[t])
	if !l.s.incumbent.Load().beaten(objective, f.depth+2) {
		l.s.offerColumns(objective, f.prefix, column(c.col), column(t))
		l.begin(f, c) // with less room
	}
	return a.longer >= 0 && p.unit*a.errors[t]+a.behind(p, t) <= a.longer
}
