package search

import (
	"cmp"
	"context"
	"time"

	"parcorels/rulelist/first"
)

const (
	roundShare = 2       // of a time limit, the part that the narrowest beam may take
	timeShare  = 8       // of a time limit, the part for all else of the first incumbent
	beforeRoot = 1 << 24 // work on the first incumbent before the root's LP begins: some hundredths of a second
	probeShare = 16      // of the root's LP, the part that comes before all else of the first incumbent
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
	f.Until(round)
	f.Begin()
	limited, cancel := s.within(ctx, s.o.Time/timeShare)
	defer cancel()
	f.Until(limited)
	f.Estimate()
	s.beginPairs()
	if len(s.incumbent.Load().List) > 0 { // the root's LP alone may prove the empty list, as of balance-scale's pairs
		f.Rounds(beforeRoot)
	}
	s.cut = limited.Err() != nil
}

// moreRounds spends the rest of the budget on the first incumbent, where the beginning of the root's LP has not proved what is
// there.
func (s *search) moreRounds(ctx context.Context) {
	if s.finder == nil || s.cut {
		return
	}
	limited, cancel := s.within(ctx, s.o.Time/timeShare)
	defer cancel()
	s.finder.Until(limited)
	s.finder.Rounds(first.MostWork)
	s.finder.Until(ctx)
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
// A worker makes the first round once it has searched for most of a second, so that short searches make none (mroz is proved in
// .04 s behind the root's bound). The same work takes longer with more classes, so less of it is asked for. A worker makes another
// round when it has worked for a multiple of what that one costs: once after a round that found a better list, up to mostEvery times
// after rounds that did not. So where the gap is wide, and the search hardly ever finds a list, up to half of the time goes to
// rounds as long as they find better ones, and a few hundredths later. (On telco's pairs the search alone expanded 13,000 prefixes
// in 20 s without a better list.) The count is of work, not of time, so one worker always does the same. A worker makes a round where
// it holds no prefix, and one at a time. The list that a search returns does not depend on any of this: it is the smallest of all.

const improveAfter = 3 << 27 // entries of a worker's work on two classes before the first round: most of a second

// improveAfter returns the work before a worker's first round: improveAfter for two classes, or what it does in a part of a time
// limit, if that is less.
func (s *search) improveAfter() int64 {
	after := int64(improveAfter / (s.p.Labels - 1))
	if s.o.Time > 0 && s.o.Time < timeShare*time.Second {
		return int64(float64(after) * s.o.Time.Seconds() / timeShare)
	}
	return after
}

// maybeImprove makes a round if the worker has done enough for one. Most often a look at its own count tells that it has not.
func (w *worker) maybeImprove() {
	s := w.s
	if w.worked < w.due || s.finder == nil || s.reached != nil || s.given.Load() > 0 || !s.improver.mu.TryLock() {
		return
	}
	defer s.improver.mu.Unlock()
	x := &s.improver
	w.due = cmp.Or(s.o.hooks.rounds, int64(unitEntries*float64(x.every*s.finder.RoundWork())))
	if w.worked < w.due { // another worker's round has raised it
		return
	}
	w.worked -= w.due
	if s.finder.Round(w.run.Running) {
		x.every = 1
	} else {
		x.every = min(x.every+x.every/4+1, mostEvery)
	}
}
