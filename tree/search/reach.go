package search

import (
	"context"
	"errors"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// Reaches asks whether some tree has an objective of at most target, in the units of
// Result.Objective, and not which is best. It is not known if a limit ends the search.
//
// It is the search for the best tree with a budget: the root's lower bound is raised until it
// exceeds the target, or a tree is found that does not. A value has the objective above its
// leaves (price.go), so that an objective is at most target if the value is less than
// digits times one more, less what no tree avoids.
func Reaches(ctx context.Context, in *instance.Points, o Options, target int64) (reached, known bool, err error) {
	o.Proof, o.Progress = nil, nil
	if err := o.Validate(); err != nil {
		return false, false, err
	}
	if in == nil || in.Count == 0 {
		return false, false, errors.New("there are no points")
	}
	s, err := newSearch(in, o.withDefaults())
	if err != nil {
		return false, false, err
	}
	left := target - s.Den*s.Base
	if left < 0 {
		return false, true, nil
	}
	budget := price.Far
	if b, ok := price.Product(left+1, s.Digits); ok {
		budget = b
	}
	s.enough = budget
	s.run.Do(ctx, parallel.Watch{}, func(i int) {
		w := s.workers[i]
		for s.run.Running() && s.lower.Load() < min(s.upper.Load(), budget) && s.upper.Load() >= budget {
			lower, upper := w.solve(0, budget)
			w.publish(0, lower, upper)
		}
		s.run.Halt(parallel.Finished)
	})
	switch {
	case s.upper.Load() < budget:
		return true, true, nil
	case s.lower.Load() >= budget || s.lower.Load() >= s.upper.Load():
		return false, true, nil
	}
	return false, false, ctx.Err()
}
