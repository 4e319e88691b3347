package search

import (
	"math"

	"parcorels/bitvec"
	"parcorels/internal/invariants"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/separation"
)

// The part of a worker that bounds prefixes behind the root (pruning 10, prune_separation.go).

// separator is a worker's part.
type separator struct {
	s     *search
	p     *problem.Problem
	tally *tally
	proof *record.Recorder
	*separation.Node
	ascents *ascents // of the search; nil without the bound
	orders  bool     // bounds order the queue, as far as was known when the frame at hand began
	counted int64    // columns, when that was last told
	on      bool     // Node is at the frame at hand
	told    bool     // there is no proof, or it has a record of the bound
	closed  int64    // children of the frame at hand
	room    int64
	support int64
	live    [][]uint64 // by label, the columns that a completion of the frame at hand may use
}

func newSeparator(s *search, p *problem.Problem, t *tally, proof *record.Recorder) separator {
	return separator{s: s, p: p, tally: t, proof: proof}
}

// closes reports whether the bound closes f's prefix, whose columns are
// counted. If not, the bound is ready for its children.
func (n *separator) closes(f *frame) bool {
	x := n.s.separated
	n.on, n.closed = false, 0
	if x == nil || x.root == nil {
		return false
	}
	n.ascents = &x.ascents
	n.orders = n.ascents.orders()
	if !n.ascents.may(f.depth) {
		return false
	}
	if n.Node == nil {
		n.Node = x.root.NewNode()
		n.support = n.s.p.Price / n.s.p.Unit
		for range x.live {
			n.live = append(n.live, make([]uint64, len(f.alive)))
		}
	}
	best := n.s.incumbent.Load()
	n.room = x.room(best, f.cost-x.allowed(n.p, f.depth), f.depth)
	f.findLive(n.live, n.support)
	work := n.Begin(f.prefix, f.u, n.live, n.room)
	n.ascents.spend(f.depth, work)
	if invariants.On {
		n.CheckBound()
	}
	if n.told = n.proof == nil; n.Value > n.room {
		closed := n.tellBound(f)
		if closed {
			n.ascents.earn(f.depth, 1, int64(n.p.Padded()))
		}
		return closed
	}
	least := n.p.StepUp(f.cost + x.atLeast(n.Value) - x.allowed(n.p, f.depth))
	f.rank = max(f.bound, least)
	if f.bound = n.raised(f, f.bound, least); !n.s.wanted(f.bound, f.depth) {
		n.ascents.earn(f.depth, 1, int64(n.p.Padded()))
		return true
	}
	n.Children()
	n.on = true
	return false
}

// findLive fills in live: by label, the columns that are alive in f and gain more than support of it.
func (f *frame) findLive(live [][]uint64, support int64) {
	for label := range live {
		gains := f.g0
		switch {
		case f.many != nil:
			gains = f.many.Gains[label]
		case label == 1:
			gains = f.g1
		}
		bitvec.SelectEither(live[label], f.alive, gains, gains, support, &anyColumn, &noColumn)
	}
}

// anyColumn is within reach with any errors, noColumn with none.
var anyColumn, noColumn = bitvec.Reach{Open: math.MaxInt64}, bitvec.Reach{}

// closesChild reports whether the bound of f's prefix closes a child, and raises the child's
// bound.
func (n *separator) closesChild(f *frame, c *child) bool {
	x := n.s.separated
	if !n.on {
		return false
	}
	if n.IsLive(c.col, c.ruleLabel()) {
		value := n.Child(c.col)
		if x.p.Value(c.cost-f.cost+x.p.Surcharge, 1)+value <= n.room {
			least := n.p.StepUp(c.cost + x.atLeast(value) - x.allowed(n.p, f.depth+1))
			if n.orders {
				c.rank = max(f.rank, least)
			}
			c.bound = n.raised(f, c.bound, least)
			if n.s.wanted(c.bound, f.depth+1) {
				return false
			}
			n.closed++
			return true
		}
	}
	if n.on = n.tellBound(f); n.on {
		n.closed++
	}
	return n.on
}

// expanded notes that the search has made so many children of f's prefix, and how many
// the bound has closed.
func (n *separator) expanded(f *frame, children int64) {
	if n.ascents == nil {
		return
	}
	if n.closed > 0 {
		n.ascents.earn(f.depth+1, n.closed, int64(n.p.Padded()))
	}
	counted := n.columns()
	n.ascents.expanded(f.depth, children, counted-n.counted)
	n.counted = counted
}

// columns returns how many columns the worker has counted.
func (n *separator) columns() int64 { return n.tally.counts.evaluations.Load() + n.tally.evaluations }

// raised returns the larger of two bounds on completions of f's prefix, or of a child,
// the second of which comes from n. With a proof that needs a record, and is of use
// only if it reaches the incumbent's objective: nothing is dropped for less.
func (n *separator) raised(f *frame, bound, least int64) int64 {
	if least > bound && (n.proof == nil || least >= n.s.incumbent.Load().Objective && n.tellBound(f)) {
		return least
	}
	return bound
}

// tellBound reports whether the bound of f's prefix may be used: with a proof it must
// have a record.
func (n *separator) tellBound(f *frame) bool {
	if !n.told {
		n.told = n.proof.Bound(f.prefix, n.s.separated.p, n.Links())
	}
	return n.told
}
