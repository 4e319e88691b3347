package search

import (
	"context"
	"time"

	"parcorels/parallel"
)

// Why a search has stopped.
const (
	running = iota
	timeUp
	nodesUp
	cancelled
)

// halt stops the search for the first reason that is given.
func (s *search) halt(reason int32) { s.stop.CompareAndSwap(running, reason) }

// status says how a search ended that was stopped for some reason.
func statusOf(reason int32) parallel.Status {
	switch reason {
	case timeUp:
		return parallel.TimeLimit
	case nodesUp:
		return parallel.NodeLimit
	case cancelled:
		return parallel.Interrupted
	}
	return parallel.Optimal
}

// allowance is how many counts a worker takes from the node limit at a time.
// One worker takes them all, so that it makes exactly as many as are allowed.
const allowance = 16

// allow reports whether the search goes on and a count is within the node limit.
func (w *worker) allow() bool {
	if w.stop.Load() != running {
		return false
	}
	if w.o.Nodes == 0 {
		return true
	}
	if w.allowed == 0 {
		w.allowed = w.takeNodes()
	}
	if w.allowed == 0 {
		w.halt(nodesUp)
		return false
	}
	w.allowed--
	return true
}

func (s *search) takeNodes() int64 {
	batch := int64(allowance)
	if s.o.Workers == 1 {
		batch = s.o.Nodes
	}
	for {
		left := s.nodes.Load()
		n := min(left, batch)
		if n == 0 || s.nodes.CompareAndSwap(left, left-n) {
			return n
		}
	}
}

// monitor stops the search when its context or its time ends, and reports
// progress. Nobody else reads a clock.
func (s *search) monitor(ctx context.Context, over <-chan struct{}) {
	var limit, tick <-chan time.Time
	if s.o.Time > 0 {
		t := time.NewTimer(s.o.Time - time.Since(s.start))
		defer t.Stop()
		limit = t.C
	}
	if s.o.Progress != nil {
		t := time.NewTicker(s.o.ProgressEvery)
		defer t.Stop()
		tick = t.C
	}
	done := ctx.Done()
	for {
		select {
		case <-done:
			s.halt(cancelled)
			done = nil
		case <-limit:
			s.halt(timeUp)
		case <-tick:
			s.o.Progress(s.progress(false))
		case <-over:
			return
		}
	}
}

func (s *search) progress(final bool) Progress {
	upper := s.upper.Load()
	lower := min(s.lower.Load(), upper)
	p := Progress{
		Elapsed: time.Since(s.start), Counted: s.counted(), Sets: s.cache.entries(), Bytes: s.memory.used.Load(),
		Leaves: int(s.prices.leaves(upper)), Final: final,
	}
	p.Objective, p.LowerBound = s.value(s.objective(upper)), s.value(s.objective(lower))
	if p.Objective > 0 {
		p.Gap = max(0, (p.Objective-p.LowerBound)/p.Objective)
	}
	return p
}

// counted returns the counts made so far.
func (s *search) counted() (n int64) {
	for _, w := range s.workers {
		n += w.counted.Load()
	}
	return n
}
