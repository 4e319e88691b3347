package search

import (
	"math"
	"time"

	"parcorels/parallel"
)

// watch says what the monitor is to do beside the workers.
func (s *search) watch() parallel.Watch {
	w := parallel.Watch{LookEvery: s.o.ProgressEvery}
	if s.o.Progress != nil {
		var shown *solution
		w.Look = func(final bool) { shown = s.progress(shown, final) }
	}
	if c := s.o.Checkpoint; c != nil && c.Save != nil {
		w.Still, w.StillEvery = s.savePaused, c.Every
	}
	return w
}

// progress reports once and returns the incumbent that it showed.
func (s *search) progress(shown *solution, final bool) *solution {
	// The bound first: a prefix may offer the optimum and be finished between
	// the two looks, and the incumbent caps the bound only if it is the later one.
	bound, open := s.queue.BestBound()
	best := s.incumbent.Load()
	if bound = max(bound, s.lowest()); !open || bound > best.objective {
		bound = best.objective
	}
	st := s.stats()
	p := Progress{
		Elapsed:    time.Since(s.start),
		Source:     ' ',
		Expanded:   st.Expanded,
		Queued:     s.queue.Open(),
		Length:     len(best.list),
		Objective:  float64(best.objective) / float64(s.p.unit*s.p.in.Total),
		LowerBound: float64(bound) / float64(s.p.unit*s.p.in.Total),
		Gap:        gap(best.objective, bound),
		LogRemain:  s.logRemaining(best.objective - bound),
		MapHits:    st.MapHits,

		QueuedByLength: s.queue.OpenByDepth(),

		Bytes: s.budget.Used(),
		Final: final,
	}
	if best != shown {
		p.Source = best.source
		p.Rules, p.Default = s.p.labels(best.list)
		p.Exact = best.objective
	}
	s.o.Progress(p)
	return best
}

// logRemaining bounds the prefixes left to examine, in the spirit of Theorem 7
// of the CORELS paper: a prefix whose bound leaves room for the objective to
// fall by slack has at most k = slack/price further rules, drawn from the
// antecedents that are alive; summed over k, times the open prefixes.
func (s *search) logRemaining(slack int64) float64 {
	open := float64(s.queue.Open())
	if open <= 0 {
		return 0
	}
	m := float64(len(s.p.antecedents))
	logs, total := 0.0, 1.0 // log10 of m·(m−1)···; sum relative to the largest term
	for k := range min(slack/max(s.p.price, 1), int64(m)) {
		step := math.Log10(m - float64(k))
		logs += step
		total = 1 + total*math.Pow(10, -step)
	}
	return logs + math.Log10(total) + math.Log10(open)
}
