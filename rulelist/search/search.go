package search

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"parcorels/instance"
	"parcorels/internal/invariants"
	"parcorels/parallel"
	"parcorels/rulelist/first"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
	"parcorels/trie"
)

// search is one run of the solver: the problem, what is known of it, what the workers
// share, and a part for each thing that goes on beside them.
type search struct {
	p      *problem.Problem
	o      Options
	start  time.Time
	budget *parallel.Budget
	peak   int64 // bytes of what a trial had in use
	shared
	workers []*worker

	incumbent parallel.Incumbent[problem.Solution]
	improver  improver
	proved    Short
	finder    *first.Finder     // nil: no first incumbent was looked for
	cut       bool              // a limit ended the finder, so that its estimate may be of no use
	pairs     *separation.Pairs // nil: nobody looks for the LP's first sets
	separated *separated        // nil: no separation bound
	shares    *separation.Split // nil: no split bound
	undecided *separationMark   // of the search before, where a limit cut the root's part short
	bound     int64             // of the root's LP on every list, 0 for none
	target    int64             // an objective that is enough; see Reaches
	reached   func()            // is called once a list has it; nil: nothing is enough
	slope     int64             // of the edge below the limit of rules, times the unit; 0: not known (limit_free.go)
	trial     int64             // work left of a search without that LP, in entries; 0: no trial (trial.go)
	trialWork int64             // of the whole trial
	tried     atomic.Int64      // work of it that this run has done

	still      func()        // is called every stillEvery while workers stand still; nil: never (block_pause.go)
	stillEvery time.Duration //
	given      atomic.Int64  // nodes in queues that were given away
	split      trie.ID       // where the last gift of a large block ended

	proof   *proofWriter // nil: none
	backlog backlog
	saver   saver
	reports reporter
}

// shared are the structures that all workers work on.
//
// The words that workers share beside the engine's are typed atomics as well. Fields of
// what is published are written before, and not written again before nobody can be
// reading them; epochs see to that (package trie). Nodes go through a slot of the map or a
// shard, blocks of dominators through the ring, chunks through the arena's directory.
// Pinning (pinned and epoch) and retirement (generation and epoch) rest on "store, then
// look", as parking does.
//
//	atomic                 written by                read by              what it carries
//	counts.*               its worker                monitor              statistics, each by itself
//	backlog.left           takers, locked            workers              whether to take the lock
//	recentRing.slots       workers                   workers              a full block, immutable while it is in the ring and for two epochs after
//	recentRing.next        workers                   workers              a ticket for each place, and a hint which block is the newest
//	Arena.top, directory   growers, locked           everyone             a chunk; it is there before any id of it is given out
//	Arena.epoch            who retires or asks       workers              moves on only when every pinned worker has seen it
//	Handle.pinned          its worker                who moves the epoch  the epoch that the worker may still be reading in
//	Node.life, states      expander, killers         everyone             open, expanded, closed, dead; who takes it from closed releases the node
//	Node.life, references  makers of children, releasers  releasers       who takes them to zero retires the node
//	Node.generation        who retires the node      everyone             part of every Ref: a Ref of an earlier one resolves to nothing
//
// Locks: Arena.mu guards the chunks and the exchange of free nodes, backlog.mu the
// backlog, proofWriter.mu the file. Nobody holds two of them, and none is taken for each
// child.
type shared struct {
	arena    *trie.Arena
	symmetry *symmetryMap // nil: none
	recent   *recentRing
	run      *parallel.Run
	queue    *parallel.Queue[trie.ID]
	ranker   ranker
	counts   []*counts // of each worker
}

// newSearch returns a search with the empty list as its incumbent.
func newSearch(p *problem.Problem, o Options) *search {
	s := &search{p: p, o: o, start: time.Now(), budget: &parallel.Budget{Limit: o.Memory}}
	s.saver.s, s.reports.s = s, s
	s.offerOptimal()
	s.offer(&problem.Solution{Objective: p.EmptyObjective(), Source: 'F'})
	return s
}

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
	if status, goesOn, err := s.beginProof(ctx, saved != nil, before.proof); err != nil {
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
	if saved == nil && (s.solveShort(ctx) || s.solveFree(ctx, in)) {
		return s.result(parallel.Optimal, time.Since(s.start)), nil
	}
	s.separate(ctx, before.separation)
	s.improve(ctx)
	first := time.Since(s.start)
	complete := false
	for again := true; again; again = s.endTrial() && s.separateAfterTrial(ctx, separationMark{trial: 1, trialWork: s.trialWork}) {
		if !s.build() {
			s.reports.last()
			return s.result(parallel.MemoryLimit, first), nil
		}
		o.hooks.changes(s)
		if complete, err = s.fill(ctx, saved); err != nil {
			return Result{}, err
		}
		if complete {
			s.runAll(ctx)
		} else {
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
func (s *search) fill(ctx context.Context, saved *checkpointReader) (complete bool, err error) {
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

// limitReached ends the run where the limit of time has, or the caller.
func (s *search) limitReached(ctx context.Context) {
	if ctx.Err() != nil {
		s.run.Halt(parallel.Interrupted)
	} else {
		s.run.Halt(parallel.TimeLimit)
	}
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

// within returns ctx with a deadline so long after the start, unless there is
// no time limit.
func (s *search) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if s.o.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, s.start.Add(d))
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
	if s.p.Uses(problem.Similar) {
		s.recent = newRecentRing(s.p)
	}
	s.run = parallel.NewRun(parallel.Limits{Workers: s.o.Workers, Start: s.start, Time: s.o.Time, Nodes: s.o.Nodes})
	levels := parallel.NewLevels(s.p.RootCost()+s.p.Price, s.incumbent.Load().Objective)
	s.queue = parallel.NewQueue[trie.ID](s.run, levels, finest, s.budget.Reserve)
	s.workers = make([]*worker, s.o.Workers)
	for range s.o.Workers {
		s.counts = append(s.counts, new(counts))
	}
	return true
}

// fixedBytes is what the shared structures take from the start.
func (s *search) fixedBytes() int64 {
	n := int64(s.o.Workers) * (parallel.QueueBytes + countsBytes + workerBytes(s.p) + s.p.PrivateSize(s.o.Workers))
	n += trie.FirstBytes + ringBytes(s.p)
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

// runAll runs the workers and the monitor.
func (s *search) runAll(ctx context.Context) {
	s.run.Do(ctx, s.watch(ctx), func(i int) {
		if s.workers[i] == nil {
			s.workers[i] = newWorker(s, i)
		}
		s.workers[i].loop()
	})
}

// wanted reports whether a prefix can still beat the incumbent.
func (s *search) wanted(bound int64, depth int) bool {
	return !s.p.Uses(problem.Bound) || !s.incumbent.Load().Beaten(bound, depth+1)
}

// offer makes a list the incumbent if it is smaller, and reports whether it is.
func (s *search) offer(n *problem.Solution) bool {
	n.Found = time.Now() // lists that are worth an offer are few
	if invariants.On && s.p.Evaluate(n.List).Objective != n.Objective {
		panic("search: a list does not have the objective that it was offered with")
	}
	if s.reached != nil && n.Objective <= s.target {
		s.reached()
	}
	return s.incumbent.Offer(n)
}

// offerColumns offers the list of the columns prefix+more.
func (s *search) offerColumns(objective int64, prefix []problem.Column, more ...problem.Column) {
	n := &problem.Solution{Objective: objective, Source: 'S', List: make([]problem.Antecedent, 0, len(prefix)+len(more))}
	for _, col := range prefix {
		n.List = append(n.List, s.p.Antecedents[col])
	}
	for _, col := range more {
		n.List = append(n.List, s.p.Antecedents[col])
	}
	s.offer(n)
}

// path writes the columns of the prefix id, first rule first, to buf.
func (x *shared) path(id trie.ID, buf []problem.Column) []problem.Column {
	n := x.arena.Node(id)
	buf = slices.Grow(buf[:0], int(n.Depth)+1)[:n.Depth]
	for id != trie.Root {
		buf[n.Depth-1] = problem.Column(n.Antecedent)
		id = n.Parent
		n = x.arena.Node(id)
	}
	return buf
}
