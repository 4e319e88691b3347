package search

import (
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
)

// The split bound (pruning 10, rulelist/separation/split.go): where a table has some dozens of
// antecedents and thousands of points, it takes less time than counting what a child captures, so it
// is asked about each child. It needs the first sets of the root's LP, but no LP. A search whose LP could not
// make many steps goes on trial with the split bound alone.
//
// In a proof each closed prefix would need hundreds of pairs, so a search that writes one leaves it out, as do limits of
// rules, whose surcharge it lacks.

const (
	usefulSteps = 100 // of an LP, where the split bound is there
	stepEntries = 12  // of such a step, for each pair
	splitShare  = 2   // of the search's work, the part that looking for its pairs may take
	splitSteps  = 800 // of the counting kernel, for the bounds of a prefix and its children
)

// worthSplit reports whether the first sets are worth their while for the split bound, with so much work ahead.
func (s *search) worthSplit(ahead int64) bool {
	if !s.maySplit() || ahead < leastAhead || s.pairWork() > min(ahead/splitShare, mostRoot) {
		return false
	}
	p := s.layOut(0)
	if p == nil {
		return false
	}
	defer s.budget.Release(s.problemBytes())
	return p.FewApart()
}

// maySplit reports whether the search may use the split bound. Those of a path do without, as each
// begins with the LP of another: adult's single conditions took 50 times as long with it.
func (s *search) maySplit() bool {
	return s.proof == nil && !s.p.Limited && s.p.Classes == nil && !s.o.KeepWeights && !s.o.Weights.fit(s.p)
}

// beginSplit splits the costs of points among the pairs of a root, if that seems to pay.
func (s *search) beginSplit(r *separation.Root) {
	if s.shares != nil || !s.maySplit() {
		return
	}
	s.shares = r.NewSplit()
	if s.shares != nil && !s.budget.Reserve(separation.SplitBytes(r.Pool.Len(), len(s.p.Columns))) {
		s.shares = nil
	}
}

// goesWithSplit reports whether the split bound is to go on trial before an LP of so much work. A search has
// one trial.
func (s *search) goesWithSplit(r *separation.Root, effort int64) bool {
	return s.shares != nil && s.trialWork == 0 && effort < usefulSteps*stepEntries*int64(r.Pool.Len())
}

// splitter is a worker's part.
type splitter struct {
	s       *search
	node    *separation.SplitNode
	account parallel.Allowance
	on      bool // node is at the frame at hand
	live    [][]uint64
}

func (x *splitter) init(s *search, p *problem.Problem) {
	if x.s = s; s.shares == nil {
		return
	}
	x.node = s.shares.NewNode()
	x.account = parallel.NewAllowance(splitSteps, overheadSteps)
	n := (p.Padded() + 63) / 64
	x.live = [][]uint64{make([]uint64, n), make([]uint64, n)}
}

// closes reports whether the bound closes f's prefix, whose columns are counted. If not, it is ready
// for its children.
func (x *splitter) closes(f *frame) bool {
	x.on = x.node != nil && x.account.Affords()
	if !x.on {
		return false
	}
	f.findLive(x.live, x.s.p.Price/x.s.p.Unit)
	x.node.Begin(f.prefix, x.live)
	room := x.room(f.cost, f.depth)
	value := x.node.Prefix(room)
	if value > room {
		x.account.Earn()
		return true
	}
	f.bound = max(f.bound, x.raised(f.cost, value))
	return false
}

// closesChild reports whether the bound closes a child of f, and raises the child's bound.
func (x *splitter) closesChild(f *frame, c *child) bool {
	if !x.on {
		return false
	}
	room := x.room(c.cost, f.depth+1)
	value := x.node.Child(c.col, room)
	if value > room {
		x.account.Earn()
		return true
	}
	c.bound = max(c.bound, x.raised(c.cost, value))
	return false
}

// raised returns a bound on the objective of all completions of a prefix with such a cost.
func (x *splitter) raised(cost, value int64) int64 {
	p := x.s.shares.Problem()
	return x.s.p.StepUp(cost + (value-p.Tie*mostLength+p.Scale-1)/p.Scale)
}

// room is what a list may cost beyond a prefix of this cost and length, on the scale of bounds, to be
// smaller than the incumbent or as good and no longer.
func (x *splitter) room(cost int64, depth int) int64 {
	return roomOn(x.s.shares.Problem(), x.s.incumbent.Load(), cost, depth)
}
