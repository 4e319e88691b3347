package prune

import (
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
)

// Pruning 10: the separation bound (package separation has the argument).
//
// At the root an LP bounds all lists, in (objective, length), and says of rules
// "s then q" that every list which has one is larger than the incumbent. No
// such rule is in L*, so no prefix of L* has it, and a child made by one is
// dropped.
//
// At a prefix an ascent over the root's sets bounds all its completions. If they exceed
// the incumbent in (objective, length), every completion is beaten. If not, the weights
// still bound each child, by the sets that its rule does not touch. The queue's order is by these bounds, too, so that the least of
// them rises as fast as it can.
//
// The weights come from floating point, what is proven with them is in exact
// integers. So what is dropped may differ between machines; what is found
// does not.

// Separated is what the root's LP found.
type Separated struct {
	Root    *separation.Root // nil if prefixes are not bounded
	P       *separation.Problem
	Live    [][]uint64 // by label, the columns whose rule L* may have
	Ascents ascents
	Near    bool  // the bound is so near the incumbent that ascents may take more
	Ahead   int64 // entries, the estimated work of the search before the root's LP
}

// MostNodes bounds the estimated work of a search, in entries.
const MostNodes = 1 << 32

// mostLength bounds the length of a list, for turning a value into an objective.
const mostLength = problem.MaxAntecedents

// AtLeast returns the smallest objective of a list that costs value.
func (x *Separated) AtLeast(value int64) int64 {
	return (value - x.P.Tie*mostLength + x.P.Scale - 1) / x.P.Scale
}

// Room returns what a list may cost beyond a prefix of this cost and length, on the scale of bounds, to be
// smaller than best or as good and no longer.
func (x *Separated) Room(best *problem.Solution, cost int64, depth int) int64 {
	return roomOn(x.P, best, cost, depth)
}

// roomOn is room on the scale of a problem.
func roomOn(p *separation.Problem, best *problem.Solution, cost int64, depth int) int64 {
	if best.Step > 0 {
		return p.Value(best.Objective-best.Step-cost, mostLength)
	}
	return p.Value(best.Objective-cost, len(best.List)-depth)
}

// fixed is the pruning by rules that no list with a better objective has.
type fixed struct{ live [][]uint64 }

func newFixed(x *Context) any {
	if x.Separated == nil {
		return nil
	}
	return fixed{x.Separated.Live}
}

// closesChild reports whether no list with the rule that c makes is L*.
func (x fixed) closesChild(_ *Frame, c *Child) bool {
	return x.live[c.Label][c.Col/64]>>(c.Col%64)&1 == 0
}

// Allowed returns what a limit takes off the bound of a prefix of so many rules: μ for each
// rule that may follow.
func (x *Separated) Allowed(p *problem.Problem, depth int) int64 {
	return x.P.Surcharge * int64(p.Longest-depth)
}
