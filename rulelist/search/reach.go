package search

import (
	"context"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
)

// Reaches asks whether some list has an objective of at most target, in the units of
// Result.Objective, and not which is best. It is not known if a limit ends the search.
//
// An incumbent of objective target + 1 that is no list stands in for one: whatever it beats
// is above target, so the search without any other answer has shown that there is none. The
// first list that beats it ends the search. It is taken to have no rules, so it also beats
// every list of its own objective.
func Reaches(ctx context.Context, in *instance.Instance, o Options, target int64) (reached, known bool, err error) {
	o.Proof, o.Checkpoint, o.Progress, o.Optimal, o.Without = nil, nil, nil, nil, 0
	if err := o.Validate(); err != nil {
		return false, false, err
	}
	o = o.withDefaults()
	p, err := problem.New(in, o.settings())
	if err != nil {
		return false, false, err
	}
	switch {
	case p.EmptyObjective() <= target:
		return true, true, nil
	case p.RootCost()+p.Price > target:
		return false, true, nil
	}
	s := newSearch(p, o)
	s.incumbent.Offer(&problem.Solution{Objective: target + 1, Source: 'T'})
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	s.target, s.reached = target, cancel
	status, ok := s.prepare(limited)
	if ok {
		if status, ok = s.tryRoot(); ok {
			s.first(limited)
			s.separate(limited, save.Mark{})
			if s.lowest() > target {
				return false, true, nil
			}
			status = s.searchOn(limited)
		}
	}
	r := s.result(status, 0)
	switch {
	case r.Objective <= target:
		return true, true, nil
	case r.LowerBound > target:
		return false, true, nil
	}
	return false, false, ctx.Err()
}

// tryRoot expands the empty prefix, before all that makes a longer search shorter: labels that say
// nothing most often leave none of its children open. It reports whether there is more to do.
func (s *search) tryRoot() (parallel.Status, bool) {
	if !s.build() {
		return parallel.MemoryLimit, false
	}
	s.begin()
	w := newWorker(s, 0)
	s.workers[0] = w
	if id, ok := w.queue.Next(parallel.Nothing); !ok || !w.process(id) || s.queue.Open() == 0 {
		return s.queue.Status(), false
	}
	return parallel.Unknown, true
}

// searchOn goes on behind the root. A bound on all lists that was found since then is of use from the
// root on. So where there is one, the search begins anew.
func (s *search) searchOn(ctx context.Context) parallel.Status {
	if s.separated != nil || s.shares != nil {
		s.budget.Release(s.fixedBytes())
		s.dropShared()
		if !s.build() {
			return parallel.MemoryLimit
		}
		s.begin()
	}
	s.runAll(ctx)
	return s.queue.Status()
}
