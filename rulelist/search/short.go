package search

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"parcorels/parallel"
	"parcorels/rulelist/short"
)

// Lists of few rules, by package short.
//
// Where few rules are asked for, it takes the place of the search. Else, once the search has
// gone on for shortAfter, its workers stand still while all lists of up to three rules are looked
// at. Those of four follow once the search has gone on for shortPart times what they take by an estimate, or earlier where a limit
// of time leaves just enough for them, and so do those of up to three that take more than shortWait. So a search that ends without
// a limit has spent an eighth on each length at most, and one that ends soon does not wait for them. Lists of up to four rules may
// take two thirds of the time left, longer ones a sixth. (NYCLU, λ = .0025, no limit, takes 1.5 times as long where they begin once
// the search took as long as they do.)
// They wait, but not for long, while rounds of improvement (first.go) find better lists.
// A list that it finds becomes the incumbent, and the result says what it has proved.

const (
	shortAfter  = 5 * time.Second
	shortShare  = 8               // of a limit of time, the part after which it begins if that is less
	shortWait   = 2 * time.Minute // what lists of up to three rules may take at once
	shortPart   = 8               // times what longer ones take, before they are looked at
	shortSample = 100 * time.Millisecond
	shortTrial  = 16      // of what the search has taken, the part that a first rule may take while there is no estimate
	shortLeast  = 1 << 20 // bytes that are worth it
	shortWork   = 4e8     // entries of a worker's work that a second of this counts for, before the next rounds of improvement
)

// solveShort reports whether the smallest list of few rules was found without a search. It is the incumbent then.
func (s *search) solveShort(ctx context.Context) bool {
	p, o := s.p, &s.o
	if !p.Limited || !s.o.May.None() || p.Longest > shortMost || o.Nodes > 0 || o.Without != 0 || o.hooks != &noHooks {
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
		(s.o.hooks == &noHooks || s.o.hooks.short)
}

// watchShort has the monitor look at short lists after a while.
func (s *search) watchShort(ctx context.Context, w *parallel.Watch) {
	if s.proved.Time > 0 || !s.looksAtShort() {
		return
	}
	s.shortNext = shortAfter
	if s.o.Time > 0 {
		s.shortNext = min(shortAfter, s.o.Time/shortShare)
	}
	if s.o.hooks.short {
		s.proveShortWatched(ctx, w.OnProgress)
		return
	}
	then, every, saved := w.OnPause, w.PauseEvery, time.Now()
	w.FirstPause = max(s.shortNext-time.Since(s.start), time.Millisecond)
	if w.PauseEvery = shortAfter; every > 0 {
		w.FirstPause, w.PauseEvery = min(w.FirstPause, every), min(w.PauseEvery, every)
	}
	w.OnPause = func(resume func() bool) {
		if gone := time.Since(s.start); gone >= s.shortNext && (s.improver.every > firstEvery || gone >= 2*s.shortNext) {
			s.proveShortWatched(ctx, w.OnProgress)
		}
		if then == nil || time.Since(saved) < every {
			resume()
			return
		}
		then(resume)
		saved = time.Now()
	}
}

// proveShortWatched is proveShort while the workers stand still. It goes on telling how far the search is.
func (s *search) proveShortWatched(ctx context.Context, look func()) {
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
			look()
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
			return func() { s.proved.Time, s.shortNext = max(time.Since(start), 1), never }
		}
	}
	defer s.budget.Release(memory)
	o := short.Options{
		Workers: s.o.Workers, Memory: memory, Best: s.incumbent.Load, Offer: s.offer,
		Running: func() bool { return ctx.Err() == nil }, Done: s.proved.Rules,
	}
	patience := patience{ctx: ctx, search: s.start, next: never}
	if !s.p.Limited || s.p.Longest > shortMost {
		o.May, o.Running = patience.may, patience.running
	}
	if s.p.Limited {
		o.Most = s.p.Longest
	}
	r, took := short.Run(s.p, o), max(time.Since(start), 1)
	return func() {
		s.proved.Time += took
		if len(s.workers) > 0 && s.workers[0] != nil { // else the search has not begun
			s.workers[0].worked += int64(took.Seconds() * shortWork)
		}
		s.proved.Rules, s.shortNext = r.Rules, patience.next
		s.saver.before.Expanded += r.Prefixes
	}
}

// never is later than any search ends.
const never = time.Duration(math.MaxInt64)

// patience says whether lists of so many rules are worth the time left, by what the first rules that are done have taken.
type patience struct {
	ctx    context.Context
	search time.Time // when the search began

	mu    sync.Mutex
	rules int
	began time.Time
	next  time.Duration // how long the search must have gone on for those that take too long now
	trial atomic.Int64  // when the first rule without an estimate must be done, in nanoseconds since the search began; 0: any time
}

// running reports whether the first rules go on. It ends one that takes long before there is an estimate: of lists of 11 rules on
// letter, one took the minute.
func (p *patience) running() bool {
	trial := p.trial.Load()
	return p.ctx.Err() == nil && (trial == 0 || time.Since(p.search) < time.Duration(trial))
}

func (p *patience) may(rules, done, all int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if searched := now.Sub(p.search); done == 0 && rules > shortMost {
		p.trial.Store(int64(searched + max(searched/shortTrial, shortSample)))
		p.next = 4 * searched
	} else if done == 1 {
		p.trial.Store(0)
		p.next = never
	}
	if rules != p.rules || done <= 1 { // what the first one took is not known
		p.rules, p.began = rules, now
		return true
	}
	took := now.Sub(p.began)
	if took > shortSample {
		took = time.Duration(float64(took) * float64(all) / float64(done))
	}
	searched := p.began.Sub(p.search)
	due := p.due(rules, took, searched)
	if due > searched && due < never {
		p.next = due
	}
	return due <= searched
}

// due returns how long the search must have gone on before lists of so many rules, which take so long, are looked at: never
// where too little is left of the time.
func (p *patience) due(rules int, took, searched time.Duration) time.Duration {
	due := shortPart * took
	if rules <= shortMost && took <= shortWait || took <= shortSample {
		due = 0
	}
	end, limited := p.ctx.Deadline()
	if !limited {
		return due
	}
	last := end.Sub(p.search) - took*6 // longer lists may take a sixth of the time left
	if rules <= shortMost+1 {
		last = end.Sub(p.search) - took*3/2
	}
	if due = min(due, max(last-took/4-shortAfter, took)); max(due, searched) > last {
		return never
	}
	return due
}
