package search

import (
	"math"
	"time"

	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

// due reports whether it is time for a look.
func (r *reporter) due() bool {
	return r.s.o.Progress != nil && time.Since(r.at) >= r.s.o.ProgressEvery
}

// look reports once. Before the queues are made the root is what is left.
func (r *reporter) look(final bool) {
	s := r.s
	// The bound first: a prefix may offer the optimum and be finished between
	// the two looks, and the incumbent caps the bound only if it is the later one.
	bound, open := int64(0), true
	queued := int64(1)
	if s.queue != nil {
		bound, open = s.queue.BestBound()
		queued = s.queue.Open()
	}
	best := s.incumbent.Load()
	if bound = max(bound, s.told()); !open || bound > best.Objective {
		bound = best.Objective
	}
	st := s.stats()
	p := Progress{
		Progress: parallel.Progress{
			Elapsed: time.Since(s.start),
			Nodes:   st.Expanded,
			Open:    queued,
			Length:  len(best.List),
			Value:   float64(best.Objective) / float64(s.p.Unit*s.p.In.Total),
			Bound:   float64(bound) / float64(s.p.Unit*s.p.In.Total),
			Gap:     gap(best.Objective, bound),
			Bytes:   s.budget.Used(),
			Final:   final,
		},
		Source:    ' ',
		LogRemain: logRemaining(s.p, queued, best.Objective-bound),
	}
	if best != r.shown {
		p.Source = best.Source
		p.Rules, p.Default = s.p.Rules(best.List)
		p.Exact = best.Objective
	}
	r.shown, r.at = best, time.Now()
	s.o.Progress(p)
}

// last is the final look of a search that ends before its workers run, if there
// was any look.
func (r *reporter) last() {
	if r.shown != nil {
		r.look(true)
	}
}

// logRemaining bounds the prefixes left to examine, in the spirit of Theorem 7
// of the CORELS paper: a prefix whose bound leaves room for the objective to
// fall by slack has at most k = slack/price further rules, drawn from the
// antecedents that are alive; summed over k, times the open prefixes.
func logRemaining(p *problem.Problem, queued, slack int64) float64 {
	open := float64(queued)
	if open <= 0 {
		return 0
	}
	m := float64(len(p.Antecedents))
	logs, total := 0.0, 1.0 // log10 of m·(m−1)···; sum relative to the largest term
	for k := range min(slack/max(p.Price, 1), int64(m)) {
		step := math.Log10(m - float64(k))
		logs += step
		total = 1 + total*math.Pow(10, -step)
	}
	return logs + math.Log10(total) + math.Log10(open)
}
