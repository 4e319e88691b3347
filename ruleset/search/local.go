package search

// This file finds good rules for a subproblem without proving anything: from the empty rule and from the single
// literals that look best, it adds, drops and exchanges literals until nothing is better (Yang et al., NeurIPS 2021,
// Algorithm 6). The paper also ascends by minorisation (DS-OPT) and takes the best subset of an active set: with either,
// sets of rules are no better (docs/tried.md).

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

// local returns the best rule that local searches find, from the empty rule and
// from the single literals that look best. The searches are independent, so any number
// of workers gives the same rule.
func (p *problem) local(ctx context.Context, workers int) rule {
	best := p.empty()
	if len(p.in.Columns) == 0 || p.in.Points == 0 {
		return best
	}
	first, from := newClimber(p), p.columns()
	first.count(nil)
	slices.SortStableFunc(from, func(a, b int) int { return cmp.Compare(first.g1[b]-first.g0[b], first.g1[a]-first.g0[a]) })
	from = from[:min(starts, len(from))]
	found := slices.Repeat([]rule{best}, len(from)+1) // from the empty rule, and from each literal
	loop.ParallelWith(workers, len(found), func() func(int) {
		c := newClimber(p)
		return func(i int) {
			if begin := p.ruleOf(from[max(0, i-1):i]); p.rows.enough(begin.literals) {
				found[i] = c.climb(ctx, begin)
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

// climber is the memory of a local search.
type climber struct {
	p      *problem
	set    []uint64
	prog   bitvec.Program
	g1, g0 []int64 // by column, of set ∩ column, after count
}

func newClimber(p *problem) *climber {
	n := p.matrix.Blocks() * bitvec.Lanes
	return &climber{p: p, set: make([]uint64, p.in.Words), g1: make([]int64, n), g0: make([]int64, n)}
}

// climb improves a rule until nothing changes.
func (c *climber) climb(ctx context.Context, best rule) rule {
	for drop := -1; drop < len(best.literals) && ctx.Err() == nil; drop++ {
		others := best.literals
		if drop >= 0 {
			others = slices.Delete(slices.Clone(others), drop, drop+1)
		}
		if r := c.extend(others); r.Better(&best) && c.p.rows.enough(r.literals) {
			best, drop = r, -2
		}
	}
	return best
}

// extend returns the best of the rule of some literals and those of one more.
func (c *climber) extend(literals []int) rule {
	gain, loss := c.count(literals)
	value, at := gain-loss, -1
	if n := len(literals); n < c.p.most {
		for j := range c.p.in.Columns {
			if v := c.g1[j] - c.g0[j] - c.p.λ; v > value {
				value, at = v, j
			}
		}
	}
	all := slices.Clone(literals)
	if at >= 0 {
		all = append(all, at)
		slices.Sort(all)
	}
	return rule{value - c.p.λ*int64(len(literals)), all}
}

// count returns what the points of a rule are worth, and sets g1 and g0 to what those of them in each column are.
func (c *climber) count(literals []int) (gain, loss int64) {
	c.p.covers(c.set, literals)
	c.p.in.Planes.Compile(&c.prog, c.set)
	c.p.matrix.Count(&c.prog, 0, c.p.matrix.Blocks(), c.g1, c.g0)
	return c.p.in.Planes.Cost(c.set)
}
