package search

import (
	"time"

	"parcorels/parallel"
)

// watch says what the monitor reports while workers search.
func (s *search) watch() parallel.Watch {
	if s.o.Progress == nil {
		return parallel.Watch{}
	}
	look := func(final bool) {
		if !final { // the last look is at the result
			p := s.progress()
			if s.o.Trees {
				p.Tree, p.Exact = s.view()
			}
			s.o.Progress(p)
		}
	}
	return parallel.Watch{OnProgress: look, ProgressEvery: s.o.ProgressEvery}
}

func (s *search) progress() Progress {
	upper := s.upper.Load()
	lower := min(s.lower.Load(), upper)
	p := Progress{Sets: s.cache.entries()}
	p.Elapsed, p.Nodes, p.Bytes = time.Since(s.start), s.counted(), s.memory.Used()
	p.Length = int(s.Prices.Leaves(upper))
	p.Value, p.Bound = s.Share(s.Objective(upper)), s.Share(s.Objective(lower))
	if p.Value > 0 {
		p.Gap = max(0, (p.Value-p.Bound)/p.Value)
	}
	return p
}

// last is the look at the result.
func (s *search) last(r *Result) Progress {
	p := s.progress()
	p.Length, p.Gap, p.Final = r.Leaves, r.Gap(), true
	p.Value, p.Bound = s.Share(r.Objective), s.Share(r.LowerBound)
	return p
}
