package search

import (
	"context"
	"sync"
	"time"

	"parcorels/parallel"
	"parcorels/rulelist/short"
)

// Lists of few rules, by package short.
//
// Where few rules are asked for, it takes the place of the search. Else, once the search has
// gone on for shortAfter, its workers stand still while all lists of up to three rules are looked
// at, those of four if an estimate says that this takes half of the time left at most, and longer ones if it takes an eighth. A list
// that it finds becomes the incumbent, and the result says what it has proved.

const (
	shortAfter  = 5 * time.Second
	shortShare  = 8               // of a limit of time, the part after which it begins if that is less
	shortWait   = 2 * time.Minute // where there is no limit of time, what lists of so many rules may take
	shortSample = 100 * time.Millisecond
	shortLeast  = 1 << 20 // bytes that are worth it
)

// solveShort reports whether the smallest list of few rules was found without a search. It is the incumbent then.
func (s *search) solveShort(ctx context.Context) bool {
	p, o := s.p, &s.o
	if !p.Limited || !s.o.May.None() || p.Longest > shortMost || o.Nodes > 0 || o.Without != 0 || o.hooks != nil {
		return false
	}
	limited, cancel := s.within(ctx, o.Time)
	defer cancel()
	if s.proveShort(limited); s.proved.Rules < p.Longest {
		return false
	}
	if s.proof != nil {
		s.proof.Counted(p.Longest)
	}
	s.bound = s.incumbent.Load().Objective
	s.reports.last()
	return true
}

// looksAtShort reports whether the search looks at short lists beside.
func (s *search) looksAtShort() bool {
	return s.finder != nil && s.o.May.None() && s.reached == nil && s.still == nil && s.o.Nodes == 0 &&
		(s.o.hooks == nil || s.o.hooks.short)
}

// watchShort has the monitor look at short lists after a while.
func (s *search) watchShort(ctx context.Context, w *parallel.Watch) {
	if s.proved.Time > 0 || !s.looksAtShort() {
		return
	}
	after := shortAfter
	if s.o.Time > 0 {
		after = min(after, s.o.Time/shortShare)
	}
	if s.o.hooks.shortAtOnce() {
		s.proveShortWatched(ctx, w.OnProgress)
		return
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
	done := make(chan func(), 1)
	go func() { done <- s.lookShort(limited) }()
	tick := time.NewTicker(s.o.ProgressEvery)
	defer tick.Stop()
	for {
		select {
		case keep := <-done:
			keep() // here, as look reads it
			return
		case <-tick.C:
			look(false)
		}
	}
}

// proveShort looks at short lists until the context ends, and keeps what it found.
func (s *search) proveShort(ctx context.Context) { s.lookShort(ctx)() }

// lookShort looks at short lists until the context ends, and returns what keeps that.
func (s *search) lookShort(ctx context.Context) (keep func()) {
	start := time.Now()
	memory := short.Bytes(s.p)
	for !s.budget.Reserve(memory) {
		if memory /= 2; memory < min(shortLeast, short.Bytes(s.p)) {
			return func() { s.proved.Time = max(time.Since(start), 1) }
		}
	}
	defer s.budget.Release(memory)
	o := short.Options{
		Workers: s.o.Workers, Memory: memory, Best: s.incumbent.Load, Offer: s.offer,
		Running: func() bool { return ctx.Err() == nil },
	}
	if !s.p.Limited || s.p.Longest > shortMost {
		o.May = newPatience(ctx)
	}
	if s.p.Limited {
		o.Most = s.p.Longest
	}
	r, took := short.Run(s.p, o), max(time.Since(start), 1)
	return func() {
		s.proved.Time, s.proved.Rules = took, r.Rules
		s.saver.before.Expanded += r.Prefixes
	}
}

// newPatience returns a function that reports whether lists of so many rules are worth the time left, by
// what the first rules that are done have taken. For three rules that would say too much, as
// those come first that take longest: so what is done counts alone.
func newPatience(ctx context.Context) func(rules, done, all int) bool {
	var mu sync.Mutex
	var began time.Time
	var most time.Duration
	at := 0
	return func(rules, done, all int) bool {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		if rules != at || done == 1 { // what the first one took is not known
			at, began, most = rules, now, shortWait
			if end, ok := ctx.Deadline(); ok {
				most = end.Sub(now) / 2
			}
			if rules > shortMost+1 {
				most /= 4
			}
			return true
		}
		took := now.Sub(began)
		if took > shortSample && rules != shortMost {
			took = time.Duration(float64(took) * float64(all) / float64(done))
		}
		return took < most
	}
}
