package search

import (
	"context"

	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/separation"
)

// A search without the root's bound, on trial.
//
// The estimate of the search (package first) decides whether the root's LP is worth its
// while (root.go), and it may be wrong by any factor: of cars with λ = .019
// it says a thirtieth. So a search that goes without the bound does so on trial. When it
// has done as much as makes the LP worth its while, it is given up, and the search begins
// anew, with the LP. The incumbent stays, and so do the records of a proof, each of which is
// true by itself. A search is at most twice as long for that, whatever lies ahead.
//
// The work of a trial is counted, not estimated. By an estimate of each prefix the trial of HELOC's 92
// single conditions, λ = .005, took 9 s instead of 2. The count is the sum over all
// workers, so the trial of many ends where that of one does.

const (
	trialLeast = 4 * leastAhead // entries
	trialAhead = 4              // how many times the work of a trial is taken to lie ahead of it
)

// planeWords is how many words the planes of the problem have.
func (s *search) planeWords() int64 { return int64(s.p.Planes.PlaneWords()) }

// beginTrial sets how much may be done before the root's bound is looked for after all. Where a
// search that is resumed has done more without it, that was the trial, and has failed: another
// one would lose what the checkpoint holds.
func (s *search) beginTrial(limited context.Context) {
	work := s.trialLength()
	if before := &s.saver.before; work > 0 && prune.ExpansionWork(before.Evaluations, before.Inserted, s.planeWords()) > work {
		s.boundRoot(limited, trialAhead*work)
		return
	}
	s.tryFor(work, work)
	s.openSplitGate()
}

// trialLength returns how much work a trial is; 0 without one.
func (s *search) trialLength() int64 {
	if h := s.o.hooks; h.trial > 0 {
		return h.trial * prune.ExpansionWork(int64(s.p.Padded()), 0, s.planeWords())
	}
	if s.finder == nil || s.pairWork() > mostRoot {
		return 0
	}
	least, times := int64(trialLeast), int64(2*pairShare)
	if s.o.KeepWeights { // the LP serves the searches that follow, too: COMPAS from 1/1000 takes .02 s less
		least, times = leastAhead, pairShare
	}
	return max(least, times*s.pairWork())
}

// tryFor begins a trial with so much work left, of so much as a whole.
func (s *search) tryFor(left, work int64) {
	s.trial, s.trialWork = left, work
	s.tried.Store(0)
}

// tries notes what an expansion took, if the search is on trial.
func (s *search) tries(columns, children int64) {
	if s.trial > 0 {
		s.tried.Add(prune.ExpansionWork(columns, children, s.planeWords()))
	}
}

// trialOver reports whether a trial's work is done, and ends the run if so.
func (s *search) trialOver() bool {
	over := s.trial > 0 && (s.tried.Load() >= s.trial || s.splitDue())
	if over {
		s.run.Halt(parallel.NodeLimit)
	}
	return over
}

// endTrial reports whether a trial has failed. If so, all is ready to begin anew.
func (s *search) endTrial() (failed bool) {
	if s.trial == 0 {
		return false
	}
	before := s.totals()
	expanded := before.Expanded - s.saver.before.Expanded // by this run
	bound, open := s.queue.BestBound()
	if !open || s.run.End() != parallel.NodeLimit || s.o.Nodes > 0 && expanded >= s.o.Nodes {
		if s.o.Progress != nil {
			s.reports.look(true)
		}
		return false
	}
	s.gateEnded = s.splitDue() && s.tried.Load() < s.trial
	s.trial, s.gate = 0, 0
	before.Inserted += s.saver.open // which all totals leave out
	before.Search = s.saver.before.Search
	s.saver.before = before
	s.saver.bound = max(s.saver.bound, bound) // what was told of all lists stays true
	s.peak = max(s.peak, s.budget.Peak())
	s.budget, s.shares = &parallel.Budget{Limit: s.o.Memory}, nil
	s.dropShared()
	if s.o.Nodes > 0 {
		s.o.Nodes -= expanded
	}
	return true
}

// dropShared forgets what the workers share, so that it can be built anew.
func (s *search) dropShared() {
	s.backlog.Clear()
	s.counts, s.posts, s.workers, s.queue, s.symmetry = nil, nil, nil, nil, nil
}

// The split bound (pruning 11, prune/split.go) is asked about each prefix and child of a table with some dozens of
// antecedents and thousands of points. It needs the first sets of the root's LP, but no LP. A search whose LP could not
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
