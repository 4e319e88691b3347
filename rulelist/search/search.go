package search

import (
	"cmp"
	"context"
	"time"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/save"
	"parcorels/trie"
)

// Solve finds the smallest rule list of the instance in the order objective,
// length, antecedent indices, and proves that it is. It returns early, with
// the incumbent, a sound lower bound and a status other than parallel.Optimal, when ctx
// is cancelled or a limit of o is reached. The only errors are a
// *optionerr.Error, ErrOverflow and those of reading a checkpoint and the proof that goes with it,
// ErrCheckpoint and ErrProof among them.
func Solve(ctx context.Context, in *instance.Instance, o Options) (Result, error) {
	if err := o.Validate(); err != nil {
		return Result{}, err
	}
	o = o.withDefaults()
	start := time.Now()
	p, err := problem.New(in, o.settings())
	if err != nil {
		return Result{}, err
	}
	s := newSearch(p, o)
	s.start = start
	saved, before, err := s.resume()
	if err != nil {
		return Result{}, err
	}
	if status, goesOn, err := s.beginProof(ctx, saved != nil, before.Proof); err != nil {
		return Result{}, err
	} else if !goesOn {
		return s.result(status, 0), nil
	}
	if status, ok := s.prepare(ctx); !ok {
		return s.result(status, 0), nil
	}
	o.hooks.alter(p)
	if p.Uses(problem.Incumbent) {
		s.first(ctx)
	}
	if s.reports.due() { // what follows may take seconds
		s.reports.look(false)
	}
	if saved == nil && (s.solveShort(ctx) || s.solveFree(ctx, in)) {
		return s.result(parallel.Optimal, time.Since(s.start)), nil
	}
	s.separate(ctx, before.Separation)
	first := time.Since(s.start)
	complete := false
	for again := true; again; again = s.endTrial() && s.separateAfterTrial(ctx, save.Mark{Trial: 1, TrialWork: s.trialWork}) {
		if !s.build() {
			s.reports.last()
			return s.result(parallel.MemoryLimit, first), nil
		}
		if o.hooks.built != nil {
			o.hooks.built(s)
		}
		if complete, err = s.fill(ctx, saved); err != nil {
			return Result{}, err
		}
		if complete {
			s.runAll(ctx)
		} else if s.trial == 0 { // the end of a trial looks itself
			s.reports.last()
		}
		saved = nil // a trial that fails begins at the root
	}
	status := s.queue.Status()
	if complete && status != parallel.Optimal {
		s.saver.last()
	}
	return s.result(status, first), nil
}

// fill puts into the queues what there is to begin with. It reports false if
// the search is to end before all is there.
func (s *search) fill(ctx context.Context, saved *save.Reader) (complete bool, err error) {
	if saved == nil {
		s.begin()
		if s.undecided != nil { // what is expanded now lacks the root's bound for good
			s.limitReached(ctx)
		}
		return true, nil
	}
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	if complete, err = s.restore(limited, saved); !complete || s.undecided != nil {
		s.limitReached(ctx)
	}
	return complete, err
}

// prepare lays out the columns. If the context or the time ends before, it
// returns the status of that and false.
func (s *search) prepare(ctx context.Context) (parallel.Status, bool) {
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	switch {
	case s.p.Choose(func() bool { return limited.Err() == nil }):
		return parallel.Unknown, true
	case ctx.Err() != nil:
		return parallel.Interrupted, false
	}
	return parallel.TimeLimit, false
}

// build makes the structures that the workers share, for as many workers as
// the memory budget allows. It reports false if not even one fits.
func (s *search) build() bool {
	s.ranker = newRanker(s.p, s.o.Policy, s.incumbent.Load())
	for s.o.Workers > 1 && s.o.Memory > 0 && s.fixedBytes() > s.o.Memory/2 {
		s.o.Workers--
	}
	if !s.budget.Reserve(s.fixedBytes()) {
		return false
	}
	s.arena = trie.NewArena(s.o.Workers, s.budget.Reserve)
	if s.o.Symmetry != NoSymmetry {
		s.symmetry = parallel.NewKeyMap[trie.Ref](s.budget)
	}
	s.run = parallel.NewRun(parallel.Limits{Workers: s.o.Workers, Start: s.start, Time: s.o.Time, Nodes: s.o.Nodes})
	levels := parallel.NewLevels(s.p.RootCost()+s.p.Price, s.incumbent.Load().Objective)
	s.queue = parallel.NewQueue[trie.ID](s.run, levels, finest, s.budget.Reserve)
	s.workers = make([]*worker, s.o.Workers)
	if s.o.Stalls && s.reached == nil && s.still == nil && s.trial == 0 {
		s.stall.Begin(cmp.Or(s.o.hooks.stalled, stallEntries), s.o.Workers)
	}
	s.posts = prune.NewPosts(s.p, s.o.Workers)
	for range s.o.Workers {
		s.counts = append(s.counts, new(prune.Counts))
	}
	return true
}

// fixedBytes is what the shared structures take from the start.
func (s *search) fixedBytes() int64 {
	n := int64(s.o.Workers) * (parallel.QueueBytes + prune.CountsBytes + prune.WorkerBytes(s.p, s.o.Workers) + s.p.PrivateSize(s.o.Workers))
	n += trie.FirstBytes + s.p.RowBytes()
	if s.o.Symmetry != NoSymmetry {
		n += parallel.KeyMapBytes
	}
	return n
}

// begin puts the root into a queue.
func (s *search) begin() {
	bound := s.p.RootCost() + s.p.Price
	if s.proof == nil { // a proof has no record of what a bound of all lists drops
		bound = s.lowest()
	}
	root := s.arena.Node(trie.Root)
	root.Cost, root.Bound = s.p.RootCost(), bound
	s.queue.Worker(0).Push(0, []entry{{Node: trie.Root, Bound: bound}})
}

// runAll runs the workers and the monitor, and looks for the last time.
func (s *search) runAll(ctx context.Context) {
	s.run.Do(ctx, s.watch(ctx), func(i int) {
		if s.workers[i] == nil {
			s.workers[i] = newWorker(s, i)
		}
		s.workers[i].loop()
	})
	if s.o.Progress != nil && s.trial == 0 { // the end of a trial looks itself
		s.reports.look(true)
	}
}

// watch says what the monitor is to do beside the workers.
func (s *search) watch(ctx context.Context) parallel.Watch {
	w := parallel.Watch{ProgressEvery: s.o.ProgressEvery}
	if s.o.Progress != nil {
		w.OnProgress = func() { s.reports.look(false) }
	}
	if c := s.o.Checkpoint; c != nil && c.Save != nil {
		w.OnPause, w.PauseEvery = s.saver.whilePaused, c.Every
	}
	if s.still != nil {
		w.OnPause = func(resume func() bool) {
			s.still()
			resume()
		}
		w.PauseEvery = s.stillEvery
	}
	s.watchShort(ctx, &w)
	return w
}
