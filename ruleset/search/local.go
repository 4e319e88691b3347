package search

// This file finds good rules for a subproblem without proving anything (Yang et
// al., NeurIPS 2021, Algorithms 3, 5 and 6). With u(R) the loss that R excludes
// and w(R) the gain that it excludes plus λ|R|,
//
//	v(R) = v(∅) + u(R) − w(R),
//
// a difference of two submodular functions. A round enlarges the rule to an active
// set, takes the best subset of that, exactly, and swaps single literals, until nothing
// changes. Each of these steps keeps to the literals that a rule may have. (The paper ascends by
// minorisation between the two, DS-OPT, which finds nothing here.)

import (
	"cmp"
	"context"
	"slices"

	"parcorels/bitvec"
	"parcorels/loop"
)

// starts is how many single literals a search starts from, besides the
// empty rule.
const starts = 8

// climber is the state of a local search. Rules are sets of columns.
type climber struct {
	p       *problem
	walkers *walkers
	in      []bool // by column: whether the rule has it
	set     []uint64
	scratch []uint64
	prog    bitvec.Program
	g1, g0  []int64 // by column, of set ∩ column, after count
	single1 []int64 // by column: what is left of the gain by j alone
	single0 []int64
	all0    int64
}

func newClimber(p *problem, walkers *walkers) *climber {
	n := p.matrix.Blocks() * bitvec.Lanes
	c := &climber{
		p: p, walkers: walkers, in: make([]bool, len(p.in.Columns)),
		set: make([]uint64, p.in.Words), scratch: make([]uint64, p.in.Words),
		g1: make([]int64, n), g0: make([]int64, n),
	}
	_, c.all0 = p.in.Planes.Cost(p.all)
	c.count(p.all)
	c.single1, c.single0 = slices.Clone(c.g1), slices.Clone(c.g0)
	return c
}

// count sets g1 and g0 to the worths of u ∩ column for all columns.
func (c *climber) count(u []uint64) {
	c.p.in.Planes.Compile(&c.prog, u)
	c.p.matrix.Count(&c.prog, 0, c.p.matrix.Blocks(), c.g1, c.g0)
}

// columns lists the rule.
func (c *climber) columns() []int {
	var columns []int
	for j, in := range c.in {
		if in {
			columns = append(columns, j)
		}
	}
	return columns
}

// become makes columns the rule.
func (c *climber) become(columns []int) {
	clear(c.in)
	for _, j := range columns {
		c.in[j] = true
	}
	c.p.covers(c.set, columns)
}

func (c *climber) value(columns []int) int64 {
	c.p.covers(c.scratch, columns)
	g1, g0 := c.p.in.Planes.Cost(c.scratch)
	return g1 - g0 - c.p.λ*int64(len(columns))
}

// another returns a climber beside c, with buffers of its own.
func (c *climber) another() *climber {
	d := *c
	d.in, d.prog = make([]bool, len(c.in)), bitvec.Program{}
	d.set, d.scratch = make([]uint64, len(c.set)), make([]uint64, len(c.set))
	d.g1, d.g0 = make([]int64, len(c.g1)), make([]int64, len(c.g0))
	return &d
}

// local returns the best rule that local searches find, from the empty rule and
// from the single literals that look best. The searches are independent, so any number
// of workers gives the same rule.
func (p *problem) local(ctx context.Context, all *walkers) rule {
	best := p.empty()
	if len(p.in.Columns) == 0 || p.in.Points == 0 {
		return best
	}
	first := newClimber(p, all)
	from := p.columns()
	slices.SortFunc(from, func(a, b int) int {
		return cmp.Or(cmp.Compare(first.single1[b]-first.single0[b], first.single1[a]-first.single0[a]), a-b)
	})
	from = from[:min(starts, len(from))]
	found := slices.Repeat([]rule{best}, len(from)+1) // from the empty rule, and from each literal
	loop.ParallelWith(all.most, len(found), func() func(int) {
		c := first.another()
		return func(i int) {
			if ctx.Err() != nil {
				return
			}
			c.become(from[max(0, i-1):i])
			c.climb(ctx)
			if r := p.ruleOf(c.columns()); p.rows.enough(r.literals) {
				found[i] = r
			}
		}
	})
	for _, r := range found {
		if r.Better(&best) {
			best = r
		}
	}
	return best
}

// climb improves the rule until nothing changes (Algorithm 3).
func (c *climber) climb(ctx context.Context) {
	best := c.columns()
	value := c.value(best)
	for ctx.Err() == nil {
		c.enlarge()
		if active := c.columns(); len(active) <= activeSet {
			begin := c.p.ruleOf(best)
			if !c.p.rows.enough(begin.literals) {
				begin = c.p.empty()
			}
			c.become(c.bestSubset(active, begin))
		} else {
			c.become(best)
		}
		c.swap()
		columns := c.columns()
		now := c.value(columns)
		if now <= value || !c.p.rows.enough(columns) {
			break
		}
		best, value = columns, now
	}
	c.become(best)
}

// enlarge adds literals of the largest u(j|R)/w(j|R) up to activeSet
// (Algorithm 5). A literal that costs nothing comes first.
func (c *climber) enlarge() {
	for n := len(c.columns()); n < activeSet; n++ {
		c.count(c.set)
		gain, loss := c.p.in.Planes.Cost(c.set)
		at := -1
		var bestU, bestW int64
		for j, in := range c.in {
			u, w := loss-c.g0[j], gain-c.g1[j]+c.p.λ
			if !in && (at < 0 || float64(u)*float64(bestW) > float64(bestU)*float64(w)) {
				at, bestU, bestW = j, u, w
			}
		}
		if at < 0 {
			return
		}
		c.in[at] = true
		bitvec.And(c.set, c.set, c.p.in.Columns[at])
	}
}

// bestSubset returns the best rule of at most activeSet active columns, exactly. The rule
// now is one of them. Branch and bound mostly ends soon.
//
// Columns that exclude no more than the price of a literal are in no best rule, nor are
// those with which no rule is worth what the rule now is.
func (c *climber) bestSubset(active []int, now rule) []int {
	earning := make([]int, 0, len(active))
	for _, j := range active {
		if c.all0-c.single0[j] > c.p.λ && c.single1[j]-c.p.λ >= now.value {
			earning = append(earning, j)
		}
	}
	return c.p.solveFew(earning, now, c.walkers).literals
}

// swap adds, drops and exchanges single literals while that makes the rule better
// (Algorithm 6; a literal that changes nothing is dropped).
func (c *climber) swap() {
	for changed := true; changed; {
		changed = false
		for c.addBest(nil) {
			changed = true
		}
		for c.dropOne() {
			changed = true
		}
		for c.exchange() {
			changed = true
		}
	}
}

// addBest adds the literal that gains most to the rule without drop (nil: to the
// rule), if it gains more than drop did.
func (c *climber) addBest(drop *int) bool {
	columns := c.columns()
	if drop != nil {
		columns = slices.DeleteFunc(columns, func(j int) bool { return j == *drop })
	}
	if len(columns) >= c.p.most {
		return false
	}
	c.p.covers(c.set, columns)
	c.count(c.set)
	gain, loss := c.p.in.Planes.Cost(c.set)
	at, least := -1, int64(0)
	for j, in := range c.in {
		g := (loss - c.g0[j]) - (gain - c.g1[j]) - c.p.λ
		switch {
		case drop != nil && j == *drop:
			least = max(least, g)
		case in:
		case at < 0 || g > (loss-c.g0[at])-(gain-c.g1[at])-c.p.λ:
			at = j
		}
	}
	if at < 0 || (loss-c.g0[at])-(gain-c.g1[at])-c.p.λ <= least {
		c.p.covers(c.set, c.columns())
		return false
	}
	if drop != nil {
		c.in[*drop] = false
	}
	c.in[at] = true
	bitvec.And(c.set, c.set, c.p.in.Columns[at])
	return true
}

// dropOne drops the first literal without which the rule is no worse.
func (c *climber) dropOne() bool {
	columns := c.columns()
	value := c.value(columns)
	for i, j := range columns {
		if others := slices.Delete(slices.Clone(columns), i, i+1); c.value(others) >= value {
			c.in[j] = false
			c.p.covers(c.set, others)
			return true
		}
	}
	return false
}

// exchange replaces a literal by a better one.
func (c *climber) exchange() bool {
	for _, j := range c.columns() {
		if c.addBest(&j) {
			return true
		}
	}
	return false
}
