package search

import (
	"context"
	"math"

	"parcorels/parallel"
)

// A search without the root's bound, on trial.
//
// The estimate of the search (heuristic_effort.go) decides whether the root's LP is worth its
// while (prune_separation_root.go), and it may be wrong by any factor: of cars with λ = .019
// it says a thirtieth. So a search that goes without the bound does so on trial. When it
// has done as much as makes the LP worth its while, it is given up, and the search begins
// anew, with the LP. The incumbent stays, and so do the records of a proof, each of which is
// true by itself. A search is at most twice as long for that, whatever lies ahead.

const (
	trialLeast = 4 * leastAhead // entries
	trialAhead = 4              // how many times the work of a trial is taken to lie ahead of it
)

// beginTrial sets how many prefixes may be expanded before the root's bound is looked for after
// all. Where a search that is resumed has expanded more without it, that was the trial, and has
// failed: another one would lose what the checkpoint holds.
func (s *search) beginTrial(limited context.Context) {
	prefixes, work := s.trialLength()
	if prefixes > 0 && s.saver.before.expanded > prefixes {
		s.boundRoot(limited, trialAhead*work)
		return
	}
	s.tryFor(prefixes, work)
}

// trialLength returns of how many prefixes a trial is, and how much work they are; 0 without one.
func (s *search) trialLength() (prefixes, work int64) {
	f := s.finder
	switch h := s.o.hooks; {
	case h != nil && h.trial > 0:
		return h.trial, trialLeast
	case f == nil || s.pairWork() > mostRoot:
		return 0, 0
	}
	_, ahead := s.workAhead()
	work = max(trialLeast, pairShare*s.pairWork())
	orbit := math.Sqrt(float64(len(s.p.orbits.images) + 1))
	each := columnEntries * float64(len(s.p.columns)) // entries of an expansion, at least: an estimate that was cut short says nothing
	each = max(each, float64(ahead)*orbit*f.effort.dives/max(1, f.effort.sets))
	return 1 + int64(float64(work)/each), work
}

// tryFor begins a trial of so many prefixes, which are so much work.
func (s *search) tryFor(prefixes, work int64) { s.trial, s.trialWork = prefixes, work }

// nodes is the limit of expansions of the run that begins.
func (s *search) nodes() int64 {
	if s.trialLimits() {
		return s.trial
	}
	return s.o.Nodes
}

// trialLimits reports whether a trial ends before the limit of prefixes is reached. If not, a
// search that resumes continues the trial.
func (s *search) trialLimits() bool { return s.trial > 0 && (s.o.Nodes == 0 || s.trial < s.o.Nodes) }

// endTrial reports whether a trial has failed. If so, all is ready to begin anew.
func (s *search) endTrial() (failed bool) {
	if s.trial == 0 {
		return false
	}
	if !s.trialLimits() || s.run.End() != parallel.NodeLimit {
		if s.o.Progress != nil {
			s.reports.look(true) // which the run's monitor did not
		}
		return false
	}
	s.trial = 0
	before := s.totals()
	before.inserted += s.saver.open // which all totals leave out
	before.elapsed = s.saver.before.elapsed
	s.saver.before = before
	s.peak = max(s.peak, s.budget.Peak())
	s.budget = &parallel.Budget{Limit: s.o.Memory}
	s.backlog.clear()
	s.counts, s.workers, s.queue, s.recent, s.symmetry = nil, nil, nil, nil, nil
	if s.o.Nodes > 0 {
		s.o.Nodes = max(1, s.o.Nodes-before.expanded)
	}
	return true
}
