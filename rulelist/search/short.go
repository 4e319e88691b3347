package search

import (
	"context"
	"time"

	"parcorels/parallel"
	"parcorels/rulelist/short"
)

// Lists of few rules, by package short.
//
// Where few rules are asked for, it takes the place of the search. Else, once the search has
// gone on for shortAfter, its workers stand still while all lists of up to three rules are looked
// at, and those of four if an estimate says that this takes half of the time left at most. What it
// finds becomes the incumbent, and what it proves is in the result.

const (
	shortAfter  = 5 * time.Second
	shortShare  = 8 // of a limit of time, the part after which it begins if that is less
	shortMost   = 3 // rules that are asked for
	shortMemory = 1 << 30
	shortLeast  = 1 << 20 // bytes that are worth it
)

// Short says what is proved of lists of few rules.
type Short struct {
	Rules int           // no list of at most so many rules is smaller than the one found; 0: none is known to be
	Time  time.Duration // that it took
}

// solveShort reports whether the smallest list of few rules was found without a search. It is the incumbent then.
func (s *search) solveShort(ctx context.Context) bool {
	p, o := s.p, &s.o
	if !p.Limited || p.Longest > shortMost || o.Nodes > 0 || o.Without != 0 || o.hooks != nil {
		return false
	}
	limited, cancel := s.within(ctx, o.Time)
	defer cancel()
	if s.proveShort(limited); s.proved.Rules < p.Longest {
		return false
	}
	if s.proof != nil {
		s.proof.Counted()
	}
	s.bound = s.incumbent.Load().Objective
	s.reports.last()
	return true
}

// watchShort has the monitor look at short lists after a while.
func (s *search) watchShort(ctx context.Context, w *parallel.Watch) {
	if s.proved.Time > 0 || s.finder == nil || s.reached != nil || s.still != nil || s.o.hooks != nil {
		return
	}
	after := shortAfter
	if s.o.Time > 0 {
		after = min(after, s.o.Time/shortShare)
	}
	then, saved := w.OnPause, time.Now()
	if until := max(after-time.Since(s.start), time.Millisecond); w.PauseEvery == 0 || w.PauseEvery > until {
		w.FirstPause = until
	}
	w.OnPause = func(resume func() bool) {
		if s.proved.Time == 0 && time.Since(s.start) >= after {
			s.proveShortWatched(ctx, w.OnProgress)
		}
		if then == nil || time.Since(saved) < w.PauseEvery {
			resume()
			return
		}
		then(resume)
		saved = time.Now()
	}
}

// proveShortWatched is proveShort while the workers stand still. It goes on telling how far the search is.
func (s *search) proveShortWatched(ctx context.Context, look func(final bool)) {
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	if look == nil {
		s.proveShort(limited)
		return
	}
	done := make(chan struct{})
	go func() {
		s.proveShort(limited)
		close(done)
	}()
	tick := time.NewTicker(s.o.ProgressEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			look(false)
		}
	}
}

// proveShort looks at short lists until the context ends.
func (s *search) proveShort(ctx context.Context) {
	start := time.Now()
	defer func() { s.proved.Time = max(time.Since(start), 1) }()
	memory := int64(shortMemory)
	for !s.budget.Reserve(memory) {
		if memory /= 2; memory < shortLeast {
			return
		}
	}
	defer s.budget.Release(memory)
	o := short.Options{
		Workers: s.o.Workers, Memory: memory, Best: s.incumbent.Load, Offer: s.offer,
		Running: func() bool { return ctx.Err() == nil },
	}
	if s.p.Limited {
		o.Most = s.p.Longest
	}
	r := short.Run(s.p, o)
	s.proved.Rules = r.Rules
	s.saver.before.Expanded += r.Prefixes
}
