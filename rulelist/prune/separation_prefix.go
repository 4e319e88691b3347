package prune

import (
	"parcorels/internal/invariants"
	"parcorels/rulelist/separation"
)

// The part of a worker that bounds prefixes behind the root (pruning 10, separation.go).

// separator is a worker's part.
type separator struct {
	*Context
	*separation.Node
	ascents *ascents // of the search
	orders  bool     // bounds order the queue, as far as was known when the frame at hand began
	counted int64    // columns, when that was last told
	on      bool     // Node is at the frame at hand
	told    bool     // there is no proof, or it has a record of the bound
	closed  int64    // children of the frame at hand
	room    int64
	support int64
	live    [][]uint64 // by label, the columns that a completion of the frame at hand may use
}

func newSeparator(x *Context) any {
	if x.Separated == nil || x.Separated.Root == nil {
		return nil
	}
	return &separator{Context: x, ascents: &x.Separated.Ascents, support: x.P.Price / x.P.Unit}
}

// closes reports whether the bound closes f's prefix, whose columns are
// counted. If not, the bound is ready for its children.
func (n *separator) closes(f *Frame) bool {
	x := n.Separated
	n.on, n.closed = false, 0
	n.orders = n.ascents.orders()
	if !n.ascents.may(f.Depth) {
		return false
	}
	if n.Node == nil {
		n.Node = x.Root.NewNode()
		for range x.Live {
			n.live = append(n.live, make([]uint64, len(f.Alive)))
		}
	}
	best := n.Incumbent.Load()
	n.room = x.Room(best, f.Cost-x.Allowed(n.P, f.Depth), f.Depth)
	f.findLive(n.live, n.support)
	work := n.Begin(f.Prefix, f.U, n.live, n.room)
	n.ascents.spend(f.Depth, work)
	if invariants.On {
		n.CheckBound()
	}
	if n.told = n.Proof == nil; n.Value > n.room {
		closed := n.tellBound(f)
		if closed {
			n.ascents.earn(f.Depth, 1, int64(n.P.Padded()))
		}
		return closed
	}
	least := n.P.StepUp(f.Cost + x.AtLeast(n.Value) - x.Allowed(n.P, f.Depth))
	f.rank = max(f.Bound, least)
	if f.Bound = n.raised(f, f.Bound, least); !n.wanted(f.Bound, f.Depth) {
		n.ascents.earn(f.Depth, 1, int64(n.P.Padded()))
		return true
	}
	n.Children()
	n.on = true
	return false
}

// closesChild reports whether the bound of f's prefix closes a child, and raises the child's
// bound.
func (n *separator) closesChild(f *Frame, c *Child) bool {
	x := n.Separated
	if !n.on {
		return false
	}
	if n.IsLive(c.Col, c.Label) {
		value := n.Child(c.Col)
		if x.P.Value(c.Cost-f.Cost+x.P.Surcharge, 1)+value <= n.room {
			least := n.P.StepUp(c.Cost + x.AtLeast(value) - x.Allowed(n.P, f.Depth+1))
			if n.orders {
				c.Rank = max(f.rank, least)
			}
			c.Bound = n.raised(f, c.Bound, least)
			if n.wanted(c.Bound, f.Depth+1) {
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

// judged notes that the search has made so many children of f's prefix, and how many
// the bound has closed.
func (n *separator) judged(f *Frame, children int64) {
	if n.closed > 0 {
		n.ascents.earn(f.Depth+1, n.closed, int64(n.P.Padded()))
	}
	counted := n.columns()
	n.ascents.expanded(f.Depth, children, counted-n.counted)
	n.counted = counted
}

// columns returns how many columns the worker has counted.
func (n *separator) columns() int64 { return n.Tally.Counts.Evaluations.Load() + n.Tally.Evaluations }

// raised returns the larger of two bounds on completions of f's prefix, or of a child,
// the second of which comes from n. With a proof that needs a record, and is of use
// only if it reaches the incumbent's objective: nothing is dropped for less.
func (n *separator) raised(f *Frame, bound, least int64) int64 {
	if least > bound && (n.Proof == nil || least >= n.Incumbent.Load().Objective && n.tellBound(f)) {
		return least
	}
	return bound
}

// tellBound reports whether the bound of f's prefix may be used: with a proof it must
// have a record.
func (n *separator) tellBound(f *Frame) bool {
	if !n.told {
		n.told = n.Proof.Bound(f.Prefix, n.Separated.P, n.Links())
	}
	return n.told
}
