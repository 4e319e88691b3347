package search

// This file finds good rules for a subproblem without proving anything (Yang et
// al., NeurIPS 2021, Algorithms 2, 3, 5 and 6). With u(R) the loss that R excludes
// and w(R) the gain that it excludes plus λ|R|,
//
//	v(R) = v(∅) + u(R) − w(R),
//
// a difference of two submodular functions. A round enlarges the rule to an active
// set, takes the best subset of that (exactly, subset.go), ascends
// by minorisation (DS-OPT) and swaps single literals, until nothing changes. Each of these
// steps keeps to the literals that a rule may have.

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/puzpuzpuz/xsync/v3"

	"parcorels/bitvec"
	"parcorels/internal/loop"
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
	only1   []int64 // by column: w(j | all others) − λ
	single1 []int64 // by column: what is left of the gain by j alone
	single0 []int64
	all1    int64
	all0    int64
	seen    *xsync.MapOf[string, []int] // by rule that a climb came to: nil; by active set: its best subset
}

// keyOf makes a key of a kind of columns.
func keyOf(kind byte, columns []int) string {
	key := append(make([]byte, 0, 1+4*len(columns)), kind)
	for _, c := range columns {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return string(key)
}

func newClimber(p *problem, walkers *walkers) *climber {
	n := p.matrix.Blocks() * bitvec.Lanes
	c := &climber{
		p: p, walkers: walkers, in: make([]bool, len(p.in.Columns)),
		set: make([]uint64, p.in.Words), scratch: make([]uint64, p.in.Words),
		g1: make([]int64, n), g0: make([]int64, n),
		seen: xsync.NewMapOf[string, []int](),
	}
	c.all1, c.all0 = p.in.Planes.Cost(p.all)
	c.count(p.all)
	c.single1, c.single0 = slices.Clone(c.g1), slices.Clone(c.g0)
	c.only1 = c.exclusive()
	return c
}

// count sets g1 and g0 to the worths of u ∩ column for all columns.
func (c *climber) count(u []uint64) {
	c.p.in.Planes.Compile(&c.prog, u)
	c.p.matrix.Count(&c.prog, 0, c.p.matrix.Blocks(), c.g1, c.g0)
}

// exclusive returns for every column the gain that all other columns cover and it
// does not.
func (c *climber) exclusive() []int64 {
	n, words := len(c.p.in.Columns), c.p.in.Words
	after := make([][]uint64, n+1) // the points of all columns from i on
	after[n] = c.p.all
	for i := n - 1; i >= 0; i-- {
		after[i] = make([]uint64, words)
		bitvec.And(after[i], after[i+1], c.p.in.Columns[i])
	}
	only := make([]int64, n)
	before := slices.Clone(c.p.all)
	for i := range n {
		bitvec.And(c.scratch, before, after[i+1])
		only[i], _ = c.p.in.Planes.CostAndNot(c.scratch, c.p.in.Columns[i])
		bitvec.And(before, before, c.p.in.Columns[i])
	}
	return only
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

// climb improves the rule until nothing changes (Algorithm 3), or another climb came
// to the same one: what it does depends on its rule alone, so they end alike.
func (c *climber) climb(ctx context.Context) {
	best := c.columns()
	value := c.value(best)
	for ctx.Err() == nil {
		if _, been := c.seen.LoadOrStore(keyOf('r', best), nil); been {
			break
		}
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
		c.ascend()
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
