package search

import (
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
)

// The split bound (pruning 11, prune/split.go): where a table has some dozens of
// antecedents and thousands of points, it takes less time than counting what a child captures, so it
// is asked about each child. It needs the first sets of the root's LP, but no LP. A search whose LP could not
// make many steps goes on trial with the split bound alone.
//
// The estimate of a search may be too low by any factor. So the split bound has a gate of its own: when a trial has taken as
// much work as makes its pairs worth their while, and the table is of the kind, the trial ends. NYCLU with λ = .01 and
// class weights 1 and 20 takes 38,951 prefixes without the gate.
//
// In a proof each closed prefix would need hundreds of pairs, so a search that writes one leaves it out, as do limits of
// rules, whose surcharge it lacks.

const (
	usefulSteps = 100 // of an LP, where the split bound is there
	stepEntries = 12  // of such a step, for each pair
	splitShare  = 2   // of the search's work, the part that looking for its pairs may take
)

// openSplitGate lets the trial end for the split bound, unless a checkpoint's prefixes would be lost, or nobody would begin anew.
func (s *search) openSplitGate() {
	if s.maySplit() && s.trial > 0 && s.saver.before.Evaluations == 0 && s.reached == nil && s.pairWork() <= mostRoot {
		s.gate = max(splitShare*s.pairWork(), leastAhead)
	}
}

// splitDue reports whether the trial is to end for the split bound. Workers call it side by side.
func (s *search) splitDue() bool {
	if s.gate == 0 || s.tried.Load() < s.gate {
		return false
	}
	s.gateAsked.Do(func() { s.gateOpen = s.fewApart() })
	return s.gateOpen
}

// fewApart reports whether most points have one of the other label that few rules tell from them; false without memory for it.
func (s *search) fewApart() bool {
	p := s.layOut(0)
	if p == nil {
		return false
	}
	defer s.budget.Release(s.problemBytes())
	return p.FewApart()
}

// worthSplit reports whether the first sets are worth their while for the split bound, with so much work ahead.
func (s *search) worthSplit(ahead int64) bool {
	if !s.maySplit() || ahead < leastAhead || s.pairWork() > min(ahead/splitShare, mostRoot) {
		return false
	}
	return s.fewApart()
}

// maySplit reports whether the search may use the split bound. Those of a path do without, as each
// begins with the LP of another: adult's single conditions took 50 times as long with it.
func (s *search) maySplit() bool {
	return s.p.Uses(problem.Split) && s.proof == nil && !s.p.Limited && s.p.Labels == 2 && !s.o.KeepWeights && !s.o.Weights.fit(s.p)
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
// one such trial.
func (s *search) goesWithSplit(r *separation.Root, effort int64) bool {
	return s.shares != nil && (s.trialWork == 0 || s.gateEnded) && effort < usefulSteps*stepEntries*int64(r.Pool.Len())
}
