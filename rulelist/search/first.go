package search

import (
	"cmp"
	"context"
	"time"

	"parcorels/rulelist/first"
)

const (
	roundShare = 2 // of a time limit, the part that the narrowest beam may take
	timeShare  = 8 // of a time limit, the part for all else of the first incumbent
)

// first replaces the empty list as the incumbent by the best list that heuristics find.
func (s *search) first(ctx context.Context) {
	if len(s.p.Antecedents) == 0 {
		return
	}
	round, end := s.within(ctx, s.o.Time/roundShare)
	defer end()
	f := first.New(s.p, first.Options{
		Memory: s.o.Memory, Round: s.o.hooks.rounds, Known: s.o.Known, Begun: s.begun(),
		Best: s.incumbent.Load, Offer: s.offer, AtMost: s.atMost,
	})
	s.finder = f
	f.Until(round.Done())
	f.Begin()
	limited, cancel := s.within(ctx, s.o.Time/timeShare)
	defer cancel()
	f.Until(limited.Done())
	f.Estimate()
	s.beginPairs()
	f.Rounds()
	s.cut = limited.Err() != nil
}

// atMost bounds an estimate of the work ahead, which takes each for a set, by what the limit of
// nodes leaves of it, where only an answer is asked for. A search for the best list gives its
// first incumbent and the root's LP their share of the work that a proof takes.
func (s *search) atMost(ahead, each float64) float64 {
	if s.reached == nil || s.o.Nodes == 0 {
		return ahead
	}
	return min(ahead, float64(s.o.Nodes)*each)
}

// Better lists while the search goes on (package first, Finder.Round).
//
// A worker makes a round when its own work since the last one is roundEvery times what the round
// costs. After idleRounds rounds that found nothing it is idleEvery times as much. The count is of work, not of
// time, so one worker always does the same. A worker makes it where it holds no prefix,
// and one at a time. The list that a search returns does not depend on any of this: it is the smallest of all.
//
// On telco's pairs the search alone expanded 13,000 prefixes in 20 s without a better list.

const (
	roundEvery   = 24
	idleRounds   = 8
	idleEvery    = 64
	improveShare = 4       // of a time limit, the part in which rounds before the search may be made
	improveAfter = 3 << 27 // entries of a worker's work before the first rounds: most of a second
)

// improveAfter returns improveAfter, or what a worker does in a part of a time limit, if that is less.
func (s *search) improveAfter() int64 {
	if s.o.Time > 0 && s.o.Time < timeShare*time.Second {
		return int64(improveAfter * s.o.Time.Seconds() / timeShare)
	}
	return improveAfter
}

// improve sees to rounds at the beginning of the search, where the root's bound leaves a gap. Where the root has no bound
// yet, it does so only for a search that is long by the estimate. They take seconds, and the estimate knows nothing of the root's
// bound. So they are made once a worker has searched for most of a second, or before a search with a limit of prefixes.
// (mroz is proved in .04 s behind the root's bound; rounds before that took 1.6.)
func (s *search) improve(ctx context.Context) {
	if s.finder == nil || s.reached != nil || s.separated == nil && !s.finder.Long() || s.lowest() >= s.incumbent.Load().Objective {
		return
	}
	if s.o.Nodes == 0 {
		s.improver.owed = true
		return
	}
	limited, cancel := s.within(ctx, s.o.Time/improveShare)
	defer cancel()
	s.finder.Improve(limited.Done(), nil)
}

// maybeImprove makes a round if the worker has done enough for one. Most often a look at its own count tells that it has not.
func (w *worker) maybeImprove() {
	s := w.s
	if w.worked < w.due || s.finder == nil || s.reached != nil || s.given.Load() > 0 || !s.improver.mu.TryLock() {
		return
	}
	defer s.improver.mu.Unlock()
	if s.improver.owed {
		if w.due = s.improveAfter(); w.worked >= w.due {
			s.improver.owed = false
			s.finder.Improve(nil, w.run.Running)
		}
		return
	}
	every := int64(roundEvery)
	if s.improver.idle >= idleRounds {
		every = idleEvery
	}
	w.due = int64(unitEntries * float64(every*s.finder.RoundWork()))
	w.due = cmp.Or(s.o.hooks.rounds, w.due)
	if w.worked < w.due { // another worker's round has raised it
		return
	}
	w.worked = 0
	if s.finder.Round(w.run.Running) {
		s.improver.idle = 0
	} else {
		s.improver.idle++
	}
}
