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

// describe makes c the child of f that col makes.
func (f *frame) describe(p *problem, col int, c *child) {
	x := f.many
	c.class, c.label = x.label[col], false
	c.cost = f.cost + p.price + p.unit*x.errors[col]
	c.left1, c.left0 = x.total-x.cost[col], 0
	c.objective = c.cost + p.unit*x.stop[col]
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
	taken        []int64          // by label, what the child's rule errs with it
	left         []int64          // likewise of what the child leaves
	last         int64
	longer       int64
}

func newClassAhead(p *problem) *classAhead {
	k := len(p.classes.gains)
	return &classAhead{
		classCounts: newClassCounts(p), progs: make([]bitvec.Program, k), taken: make([]int64, k), left: make([]int64, k),
	}
}

// closesClasses does what closes does for two classes.
func (l *lookAhead) closesClasses(f *frame, x *candidate) bool {
	c, a := &x.child, l.many
	l.begin(f, c)
	for q, planes := range l.p.classes.gains {
		planes.Compile(&a.progs[q], x.left)
		a.all[q] = f.many.all[q] - f.many.gains[q][c.col]
	}
	if s := l.p.classes.surplus; s != nil {
		s.Compile(&a.spare, x.left)
	}
	a.total = c.left1
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
	a, x := l.many, f.many
	a.last, a.longer = l.rooms(f, c)
	for q := range a.taken {
		g := x.gains[q][c.col]
		a.taken[q] = x.cost[c.col] - g
		a.left[q] = c.left1 - (x.all[q] - g)
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
			if t != c.col && l.many.mayMatter(f.many, t, l.p.support) {
				l.mask[i] |= m & -m
				some = true
			}
		}
	}
	return some
}

// mayMatter reports whether column t behind the child may improve the incumbent or have a rule behind
// it, as far as its counts x behind the child's prefix tell.
func (a *classAhead) mayMatter(x *classCounts, t int, support int64) bool {
	cost := x.cost[t]
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
		if g <= support {
			continue
		}
		errors, rest := max(0, cost-g-taken), least
		if q == of {
			rest = second
		}
		if errors < a.longer || errors+rest < a.last {
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
	return l.offerOpen(f, c, t, a.errors[t], a.stop[t])
}
