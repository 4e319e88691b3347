package search

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

// separated is what the root's LP found.
type separated struct {
	root    *separation.Root // nil if prefixes are not bounded
	p       *separation.Problem
	live    [][]uint64 // by label, the columns whose rule L* may have
	ascents ascents
	near    bool  // the bound is so near the incumbent that ascents may take more
	ahead   int64 // entries, the estimated work of the search before the root's LP
}

// mostLength bounds the length of a list, for turning a value into an objective.
const mostLength = problem.MaxAntecedents

// atLeast returns the smallest objective of a list that costs value.
func (x *separated) atLeast(value int64) int64 {
	return (value - x.p.Tie*mostLength + x.p.Scale - 1) / x.p.Scale
}

// room returns what a list may cost beyond a prefix of this cost and length, on the scale of bounds, to be
// smaller than best or as good and no longer.
func (x *separated) room(best *problem.Solution, cost int64, depth int) int64 {
	return roomOn(x.p, best, cost, depth)
}

// roomOn is room on the scale of a problem.
func roomOn(p *separation.Problem, best *problem.Solution, cost int64, depth int) int64 {
	if best.Step > 0 {
		return p.Value(best.Objective-best.Step-cost, mostLength)
	}
	return p.Value(best.Objective-cost, len(best.List)-depth)
}

// When it pays. The search without it is estimated (package first), first from a few dives,
// then from more where it may be long. Its work is counted in entries, the numbers of an LP's
// matrix and vectors that a step touches, by what either takes (workAhead). Looking for the
// first sets grows with the square of the points, and may cost an eighth of the search. The
// root's LP may cost a third of it, where its bound is at most four rules below the incumbent.
// It may cost less where the bound is farther, down to a twelfth. The LP ends earlier if its gap
// hardly falls: while its work doubles, or within two rules while it grows by a quarter. Cars with
// λ = .01 and tables with much noise stay some rules away, and it is ascents that prove them.
//
// Behind the root ascents pay for themselves (prune_separation_accounts.go). An LP there, with an ascent's
// weights to begin with, closes more prefixes and pays nowhere (docs/tried.md).
//
// In a proof one bound takes the place of many prefixes. So there the root's LP may cost more
// within a rule, where fixing begins, by the square of the gap: four times as much within half
// a rule, and as long as the search within a fifth. The first estimate stays, up to some seconds.
const (
	leastAhead = 1 << 21 // entries; less takes some milliseconds
	mostWrong  = 4       // how many times more than the first estimate says a search may take
	rootShare  = 3       // of the search's work, the part that the root's LP may take
	pairShare  = 8       // and the part of looking for its first sets
	mostRoot   = 1 << 30 // entries of the root's LP
	rootNearer = 64      // times that, where its bound is close, for a proof
	mostNodes  = 1 << 32 // entries
	nearRules  = 2       // of the gap at the root
)

// lowest returns the bound that is known of every list.
func (s *search) lowest() int64 { return max(s.bound, s.p.RootCost()+s.p.Price) }

// excludes reports whether no list with the rule that c makes is L*.
func (x *separated) excludes(c *child) bool {
	return x != nil && x.live[c.ruleLabel()][c.col/64]>>(c.col%64)&1 == 0
}
