package search

import (
	"context"
	"errors"
	"math/bits"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// Solve finds the optimal tree of the points, or the best one until a limit of o
// or the end of ctx. It returns a *optionerr.Error for bad options, and a *price.ErrScale
// when weights and λ take too many digits.
func Solve(ctx context.Context, in *instance.Points, o Options) (*Result, error) {
	s, err := newSearch(in, o)
	if err != nil {
		return nil, err
	}
	s.run.Do(ctx, s.watch(), func(i int) { s.workers[i].work() })
	r := s.result()
	if s.o.Progress != nil {
		p := s.progress()
		p.Length, p.Gap, p.Final = r.Leaves, r.Gap(), true
		p.Value, p.Bound = s.Share(r.Objective), s.Share(r.LowerBound)
		s.o.Progress(p)
	}
	return r, nil
}

func newSearch(in *instance.Points, o Options) (*search, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if in == nil || in.Count == 0 {
		return nil, errors.New("there are no points")
	}
	o = o.withDefaults()
	s := &search{o: o, start: time.Now(), in: in, depth: unlimited, shared: o.Workers > 1}
	if o.Depth > 0 {
		s.depth = o.Depth
	}
	base := s.lay()
	worst, _ := s.splits.LeafCost(s.splits.All())
	var err error
	if s.Prices, err = price.New(o.Lambda, in.Total, base, worst, s.points); err != nil {
		return nil, err
	}
	s.hasher = bitvec.NewHasher(s.splits.Words())
	s.run = parallel.NewRun(parallel.Limits{Workers: o.Workers, Start: s.start, Time: o.Time, Nodes: o.Nodes})
	s.memory.Limit = o.Memory
	s.cache = newCache(min(1<<bits.Len(uint(8*o.Workers)), 1<<10), &s.memory)
	s.busy.Store(int64(o.Workers))
	s.upper.Store(s.One(worst))
	s.viewed.upper, s.viewed.value = price.Far, price.Far
	if s.shared {
		s.marks = make(marks, markCount)
	}
	for range o.Workers {
		w := s.newLooker()
		w.recent = newRecent(s.splits.Features(), &s.memory)
		s.workers = append(s.workers, w)
	}
	return s, nil
}

// work raises the root until it is exact or the search stops, together with other workers. Where another settles it, the
// bounds are in the cache, or were published when the cache has lost them. The worker that
// finishes last reads the tree off the bounds and writes the proof.
func (w *worker) work() {
	s := w.search
	for s.run.Running() && s.lower.Load() < s.upper.Load() {
		lower, upper := w.solve(0, price.Far)
		w.publish(0, lower, upper)
	}
	if s.busy.Add(-1) > 0 || !s.run.Running() {
		return
	}
	s.shared, w.unwind, w.pace.next = false, none, price.Far // the others have ended
	searched, value := s.counted(), s.upper.Load()
	if !w.extract(0, value, &s.tree) {
		return
	}
	s.extracted = s.counted() - searched
	w.deep, w.exact = false, false // a checker counts no triples
	if s.o.Proof != nil {
		s.proofErr = w.prove(s.tree, value)
	}
	s.run.Halt(parallel.Optimal)
}

// result returns the tree that was proved, or the best one that the bounds know
// of.
func (s *search) result() *Result {
	s.shared = false
	status := s.run.End()
	lower, upper, tree := s.lower.Load(), s.upper.Load(), s.tree
	if status != parallel.Optimal {
		tree = nil
		upper = s.workers[0].best(0, &tree, func() bool { return true })
	}
	if status != parallel.Optimal && status != parallel.Finished {
		tree, upper = s.raised(tree)
	}
	stats := Stats{
		ProofBytes: s.proof.bytes, ProofRecords: s.proof.records,
		Counted: s.counted(), Sets: s.cache.entries(), PeakBytes: s.memory.Peak(), Search: time.Since(s.start),
		Extract: s.extracted, Points: s.points, Features: len(s.features), Workers: s.o.Workers, Kernel: bitvec.Kernel(),
	}
	for _, w := range s.workers {
		stats.PerWorker = append(stats.PerWorker, w.counted.Load())
	}
	return &Result{
		Status: status, Leaves: (len(tree) + 1) / 2, ProofErr: s.proofErr,
		Objective: s.Objective(upper), LowerBound: s.Objective(min(lower, upper)), Scale: s.o.Lambda.Den * s.in.Total,
		Errors: s.Errors(upper), Tree: s.named(tree), Stats: stats,
	}
}

// Reaches asks whether some tree has an objective of at most target, in the units of
// Result.Objective, and not which is best. It is not known if a limit ends the search.
//
// It is the search for the best tree with a budget: the root's lower bound is raised until it
// exceeds the target, or a tree is found that does not. A value has the objective above its
// leaves (price.go), so that an objective is at most target if the value is less than
// digits times one more, less what no tree avoids.
func Reaches(ctx context.Context, in *instance.Points, o Options, target int64) (reached, known bool, err error) {
	o.Proof, o.Progress = nil, nil
	s, err := newSearch(in, o)
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
