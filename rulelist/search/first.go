package search

import (
	"context"

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
		Memory: s.o.Memory, Round: s.o.hooks.round(), Known: s.o.Known, Begun: s.begun(),
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
