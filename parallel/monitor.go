package parallel

import (
	"context"
	"math"
	"time"
)

// monitor stops the search when its context or its time ends, and reports
// progress. While prefixes are expanded nobody else reads a clock, and it only
// reads what the workers count.
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
	var saving *time.Timer
	var save <-chan time.Time
	if c := s.o.Checkpoint; c != nil && c.Save != nil && c.Every > 0 {
		saving = time.NewTimer(c.Every)
		defer saving.Stop()
		save = saving.C
	}
	done := ctx.Done()
	var shown *solution
	for {
		select {
		case <-done:
			s.halt(cancelled)
			done = nil
		case <-limit:
			s.halt(timeUp)
		case <-save:
			if s.stop.CompareAndSwap(running, pausing) {
				s.pause.ask()
			}
		case <-s.pause.still:
			s.savePaused(ctx)
			saving.Reset(s.o.Checkpoint.Every)
		case <-tick:
			shown = s.progress(shown, false)
		case <-over:
			if s.o.Progress != nil {
				s.progress(shown, true)
			}
			return
		}
	}
}

// progress reports once and returns the incumbent that it showed.
func (s *search) progress(shown *solution, final bool) *solution {
	// The bound first: a prefix may offer the optimum and be finished between
	// the two looks, and the incumbent caps the bound only if it is the later one.
	bound, open := s.leveller.bestBound(s.counters)
	best := s.incumbent.load()
	if !open || bound > best.objective {
		bound = best.objective
	}
	st := s.stats()
	p := Progress{
		Elapsed:    time.Since(s.start),
		Source:     ' ',
		Expanded:   st.Expanded,
		Queued:     outstanding(s.counters),
		Length:     len(best.list),
		Objective:  float64(best.objective) / float64(s.p.unit*s.p.in.Total),
		LowerBound: float64(bound) / float64(s.p.unit*s.p.in.Total),
		Gap:        gap(best.objective, bound),
		LogRemain:  s.logRemaining(best.objective - bound),
		MapHits:    st.MapHits,

		QueuedByLength: queuedByLength(s.counters),

		Bytes: s.budget.used.Load(),
		Final: final,
	}
	if best != shown {
		p.Source = best.source
	}
	s.o.Progress(p)
	return best
}

// logRemaining bounds the prefixes left to examine, in the spirit of Theorem 7
// of the CORELS paper: a prefix whose bound leaves room for the objective to
// fall by slack has at most k = slack/price further rules, drawn from the
// antecedents that are alive; summed over k, times the open prefixes.
func (s *search) logRemaining(slack int64) float64 {
	open := float64(outstanding(s.counters))
	if open <= 0 {
		return 0
	}
	m := float64(len(s.p.names))
	logs, total := 0.0, 1.0 // log10 of m·(m−1)···; sum relative to the largest term
	for k := range min(slack/max(s.p.price, 1), int64(m)) {
		step := math.Log10(m - float64(k))
		logs += step
		total = 1 + total*math.Pow(10, -step)
	}
	return logs + math.Log10(total) + math.Log10(open)
}
