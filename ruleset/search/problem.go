package search

import (
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/instance"
)

// problem is one subproblem: find the rule R, a set of literals, with the largest
//
//	v(R) = Σ over points e of R of worth(e) − λ·|R|.
//
// Points of positive worth are class 1 of the instance, points of negative
// worth class 0; a point costs what it is worth either way, and points worth
// nothing are gone.
type problem struct {
	in     *instance.Instance
	matrix *bitvec.Matrix
	λ      int64
	most   int      // literals that a rule may have
	chain  []int32  // by column: its chain, see bound.go
	all    []uint64 // every point
	rows   *rowCount
}

// newProblem makes the subproblem of points with the given gains and losses, for rules of
// at most so many literals.
func newProblem(points *instance.Points, gain, loss []int64, λ int64, most int) *problem {
	in := points.Reduce(gain, loss)
	p := &problem{in: in, λ: λ, most: most, matrix: in.Matrix(), all: in.All()}
	p.chain = chainsOf(in.Columns)
	return p
}

// upTo returns 0, …, n − 1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// columns returns all columns.
func (p *problem) columns() []int { return upTo(len(p.in.Columns)) }

// rule is a solution of a subproblem. Between two rules, the larger value is better,
// then fewer literals, then the lexicographically smaller ones: a strict total
// order, so that one rule is the best whatever the order of the search.
type rule struct {
	value    int64
	literals []int // ascending
}

// empty is the rule without literals, which covers everything.
func (p *problem) empty() rule {
	g1, g0 := p.in.Planes.Cost(p.all)
	return rule{value: g1 - g0}
}

// Better reports whether r is better than another rule.
func (r rule) Better(than *rule) bool {
	switch {
	case r.value != than.value:
		return r.value > than.value
	case len(r.literals) != len(than.literals):
		return len(r.literals) < len(than.literals)
	}
	return slices.Compare(r.literals, than.literals) < 0
}

// admits reports whether a rule of at most value and at least n literals could
// be better than r.
func (r *rule) admits(value int64, n int) bool {
	return value > r.value || value == r.value && n <= len(r.literals)
}

// covers sets dst to the points of the rule with the given columns.
func (p *problem) covers(dst []uint64, columns []int) {
	copy(dst, p.all)
	for _, c := range columns {
		bitvec.And(dst, dst, p.in.Columns[c])
	}
}

// ruleOf makes the rule of some columns, in any order.
func (p *problem) ruleOf(columns []int) rule {
	set := make([]uint64, p.in.Words)
	p.covers(set, columns)
	g1, g0 := p.in.Planes.Cost(set)
	return rule{g1 - g0 - p.λ*int64(len(columns)), slices.Sorted(slices.Values(columns))}
}

// Least rows of a rule (Options.MinRows), whatever they weigh.
//
// A rule of more literals covers no more rows, so a rule that lacks rows is dropped with all below it. All bounds are those of more
// rules, hence true, and what drops a literal leaves a rule that covers more. Dominance (dominance.go) exchanges literals, so it is off.

// rowCount knows which rules cover enough rows; nil: all do.
type rowCount struct {
	points *instance.Points
	rows   []int64 // of each point
	least  int64
}

// enough reports whether a rule of some literals and some more covers enough rows. The empty rule does.
func (c *rowCount) enough(literals []int, more ...int) bool {
	if c == nil || len(literals)+len(more) == 0 {
		return true
	}
	var rows int64
	for w := range c.points.Words {
		x := ^uint64(0)
		for _, j := range literals {
			x &= c.points.Columns[j][w]
		}
		for _, j := range more {
			x &= c.points.Columns[j][w]
		}
		for ; x != 0; x &= x - 1 {
			if rows += c.rows[64*w+bits.TrailingZeros64(x)]; rows >= c.least {
				return true
			}
		}
	}
	return false
}
