package search

import (
	"context"
	"sync"
)

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
	improveShare = 4 // of a time limit, the part in which rounds before the search may be made
)

// improver decides when rounds are made.
type improver struct {
	mu   sync.Mutex
	idle int // rounds in a row that found nothing
}

// improve makes rounds before the search, where the root's bound leaves a gap. Where the root has no bound
// yet, it does so only before a search that is long by the estimate.
func (s *search) improve(ctx context.Context) {
	if s.finder == nil || s.reached != nil || s.separated == nil && !s.finder.Long() || s.lowest() >= s.incumbent.Load().Objective {
		return
	}
	limited, cancel := s.within(ctx, s.o.Time/improveShare)
	defer cancel()
	s.finder.Improve(limited.Done())
}

// maybeImprove makes a round if the worker has done enough for one. Most often a look at its own count tells that it has not.
func (w *worker) maybeImprove() {
	s := w.s
	if w.worked < w.due || s.finder == nil || s.reached != nil || s.given.Load() > 0 || !s.improver.mu.TryLock() {
		return
	}
	defer s.improver.mu.Unlock()
	every := int64(roundEvery)
	if s.improver.idle >= idleRounds {
		every = idleEvery
	}
	w.due = int64(unitEntries * float64(every*s.finder.RoundWork()))
	if n := s.o.hooks.round(); n > 0 {
		w.due = n
	}
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
