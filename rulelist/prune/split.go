package prune

import (
	"parcorels/parallel"
	"parcorels/rulelist/separation"
)

// Pruning 11: the split bound (rulelist/separation/split.go has the argument). Where a table has some dozens of antecedents
// and thousands of points, it takes little more time than counting the columns. So each prefix is bounded, and each child by
// the weights of its parent. NYCLU with λ = .0025 takes 52,000 prefixes with it.
//
// It has no record. A record names the sets that bound a prefix, and here these are hundreds of pairs for each prefix that is
// closed, thousands of which are closed for a millisecond. A table of pairs that all records share would still be checked
// by adding up the pairs of each prefix, as long as the search took. So a search that writes a proof leaves it out.

// splitter is a worker's part.
type splitter struct {
	*Context
	node    *separation.SplitNode
	account parallel.Allowance
	on      bool // node is at the frame at hand
}

func newSplitter(x *Context) any {
	if x.Shares == nil {
		return nil
	}
	return &splitter{
		Context: x, node: x.Shares.NewNode(), account: parallel.NewAllowance(x.Shares.Steps(), overheadSteps),
	}
}

// expanded notes what an expansion took, in steps of the counting kernel.
func (x *splitter) expanded(steps int64) { x.account.Expanded(steps) }

// closesSet reports whether the bound closes f's prefix.
func (x *splitter) closesSet(f *Frame) bool {
	if x.on = x.account.Affords(); !x.on {
		return false
	}
	room := x.room(f.Cost, f.Depth)
	value := x.node.Prefix(f.Prefix, room)
	if value > room {
		x.account.Earn()
		return true
	}
	f.Bound = max(f.Bound, x.raised(f.Cost, value))
	return false
}

// closes closes nothing. It makes the bound ready for the children.
func (x *splitter) closes(*Frame) bool {
	if x.on {
		x.node.Children()
	}
	return false
}

// closesChild reports whether the bound closes a child of f, and raises the child's bound.
func (x *splitter) closesChild(f *Frame, c *Child) bool {
	if !x.on {
		return false
	}
	room := x.room(c.Cost, f.Depth+1)
	value := x.node.Child(c.Col)
	if value > room {
		x.account.Earn()
		return true
	}
	c.Bound = max(c.Bound, x.raised(c.Cost, value))
	return false
}

// raised returns a bound on the objective of all completions of a prefix with such a cost.
func (x *splitter) raised(cost, value int64) int64 {
	p := x.Shares.Problem()
	return x.P.StepUp(cost + (value-p.Tie*mostLength+p.Scale-1)/p.Scale)
}

// room is what a list may cost beyond a prefix of this cost and length, on the scale of bounds, to be
// smaller than the incumbent or as good and no longer.
func (x *splitter) room(cost int64, depth int) int64 {
	return roomOn(x.Shares.Problem(), x.Incumbent.Load(), cost, depth)
}
