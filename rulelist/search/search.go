package search

import (
	"context"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/trie"
)

// search is one run of the solver.
type search struct {
	p         *problem
	o         Options
	arena     *trie.Arena
	symmetry  *symmetryMap // nil: none
	proof     *proofWriter // nil: none
	incumbent parallel.Incumbent[solution]
	run       *parallel.Run
	queue     *parallel.Queue[trie.ID]
	counts    []*counts
	recent    *recentRing
	finder    *finder // nil: no first incumbent was looked for
	workers   []*worker
	backlog   backlog
	saver     saver
	ranker    ranker
	separated *separated // nil: no separation bound
	bound     int64      // of the root's LP on every list, 0 for none
	shown     *solution  // the incumbent that the last look showed
	budget    parallel.Budget
	start     time.Time
}

// Solve finds the smallest rule list of the instance in the order objective,
// length, antecedent indices, and proves that it is. It returns early, with
// the incumbent, a sound lower bound and a status other than parallel.Optimal, when ctx
// is cancelled or a limit of o is reached. The only errors are a
// *field.Error, ErrOverflow and those of reading a checkpoint and the proof that goes with it,
// ErrCheckpoint and ErrProof among them.
func Solve(ctx context.Context, in *instance.Instance, o Options) (Result, error) {
	if err := o.Validate(); err != nil {
		return Result{}, err
	}
	o = o.withDefaults()
	start := time.Now()
	p, err := pose(in, o)
	if err != nil {
		return Result{}, err
	}
	s := &search{p: p, o: o, start: start}
	s.budget.Limit = o.Memory
	s.offer(&solution{objective: p.emptyObjective(), source: 'F'})
	saved, mark, err := s.resume()
	if err != nil {
		return Result{}, err
	}
	if status, goesOn, err := s.beginProof(ctx, saved != nil, mark); err != nil {
		return Result{}, err
	} else if !goesOn {
		return s.result(status, 0), nil
	}
	if status, ok := s.prepare(ctx); !ok {
		return s.result(status, 0), nil
	}
	o.hooks.alter(p)
	if !p.uses(Incumbent) {
		s.findOrbits(ctx)
	} else {
		s.first(ctx)
	}
	s.separate(ctx)
	first := time.Since(s.start)
	if !s.build() {
		s.lastLook()
		return s.result(parallel.MemoryLimit, first), nil
	}
	o.hooks.changes(s)
	complete, err := s.fill(ctx, saved)
	if err != nil {
		return Result{}, err
	}
	if complete {
		s.runAll(ctx)
	} else {
		s.lastLook()
	}
	status := s.queue.Status()
	if complete && status != parallel.Optimal {
		s.saveLast()
	}
	return s.result(status, first), nil
}

// fill puts into the queues what there is to begin with. It reports false if
// the search is to end before all is there.
func (s *search) fill(ctx context.Context, saved *checkpointReader) (complete bool, err error) {
	if saved == nil {
		s.begin()
		return true, nil
	}
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	complete, err = s.restore(limited, saved)
	switch {
	case complete:
	case ctx.Err() != nil:
		s.run.Halt(parallel.Interrupted)
	default:
		s.run.Halt(parallel.TimeLimit)
	}
	return complete, err
}

// prepare lays out the columns. If the context or the time ends before, it
// returns the status of that and false.
func (s *search) prepare(ctx context.Context) (parallel.Status, bool) {
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	switch {
	case s.p.choose(func() bool { return limited.Err() == nil }):
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
		s.symmetry = parallel.NewKeyMap[trie.Ref](&s.budget)
	}
	if s.p.uses(Similar) {
		s.recent = newRecentRing(s.p)
	}
	s.run = parallel.NewRun(parallel.Limits{Workers: s.o.Workers, Start: s.start, Time: s.o.Time, Nodes: s.o.Nodes})
	levels := parallel.NewLevels(s.p.rootCost()+s.p.price, s.incumbent.Load().objective)
	s.queue = parallel.NewQueue[trie.ID](s.run, levels, finest, s.budget.Reserve)
	s.workers = make([]*worker, s.o.Workers)
	for range s.o.Workers {
		s.counts = append(s.counts, new(counts))
	}
	return true
}

// fixedBytes is what the shared structures take from the start.
func (s *search) fixedBytes() int64 {
	n := int64(s.o.Workers) * (parallel.QueueBytes + countsBytes + s.p.workerBytes() + s.p.privateSize(s.o.Workers))
	n += trie.FirstBytes + s.p.ringBytes()
	if s.o.Symmetry != NoSymmetry {
		n += parallel.KeyMapBytes
	}
	return n
}

// begin puts the root into a queue.
func (s *search) begin() {
	bound := s.p.rootCost() + s.p.price
	if s.proof == nil { // a proof has no record of what a bound of all lists drops
		bound = s.lowest()
	}
	root := s.arena.Node(trie.Root)
	root.Cost, root.Bound = s.p.rootCost(), bound
	s.queue.Worker(0).Push(0, []entry{{Node: trie.Root, Bound: bound}})
}

// runAll runs the workers and the monitor.
func (s *search) runAll(ctx context.Context) {
	s.run.Do(ctx, s.watch(), func(i int) {
		w := newWorker(s, i)
		s.workers[i] = w
		w.loop()
	})
}

// result describes the incumbent and what is proven about it.
func (s *search) result(status parallel.Status, first time.Duration) Result {
	best := s.incumbent.Load()
	r := Result{
		Status:     status,
		Objective:  best.objective,
		LowerBound: s.lowerBound(status, best),
		Scale:      s.p.unit * s.p.in.Total,
		Errors:     (best.objective - s.p.price*int64(len(best.list))) / s.p.unit,
	}
	r.Rules, r.Default = s.p.labels(best.list)
	r.Stats = s.stats()
	r.Stats.First = first
	r.ProofKept = s.saver.proved
	s.finishProof(&r)
	if status != parallel.Optimal {
		r.CheckpointErr = s.saver.err
	}
	return r
}

// lowerBound returns a bound on every list: the incumbent's objective when
// nothing is open, else the best bound, which it caps.
func (s *search) lowerBound(status parallel.Status, best *solution) int64 {
	switch {
	case status == parallel.Optimal:
		return best.objective
	case s.queue == nil: // the search did not begin
		return min(best.objective, s.lowest())
	}
	bound, open := s.queue.BestBound()
	if !open {
		return best.objective
	}
	return min(best.objective, max(bound, s.lowest()))
}

func (s *search) stats() Stats {
	t := s.totals()
	st := Stats{
		Expanded:    t.expanded,
		Inserted:    t.inserted,
		Evaluations: t.evaluations,
		MapHits:     t.hits,
		Dominated:   t.dominated,
		Closed:      t.closed,
		Live:        len(s.p.antecedents),
		PeakBytes:   s.budget.Peak(),
		Search:      t.elapsed,
		Earlier:     s.saver.before.elapsed,
		Resumed:     s.saver.open,
		Saves:       s.saver.saves,
		Paused:      s.saver.paused,
		Improved:    s.saver.before.elapsed + s.incumbent.Load().found.Sub(s.start),
		Workers:     s.o.Workers,
		Kernel:      bitvec.Kernel(),
	}
	if s.queue != nil {
		st.Longest, st.QueueWaits = s.queue.Deepest(), s.queue.Waits()
	}
	for i, c := range s.counts {
		st.PerWorker = append(st.PerWorker, WorkerStats{c.expanded.Load(), s.queue.Parked(i)})
	}
	if s.symmetry != nil {
		st.MapEntries = s.symmetry.Entries()
		st.MapRetries = s.symmetry.Retries()
	}
	return st
}

// labels returns the rules of a list with the label that each predicts: the
// heavier class of what it captures, class 0 on a tie.
func (p *problem) labels(list []uint16) (rules []Rule, def bool) {
	u := append([]uint64(nil), p.all...)
	v := make([]uint64, p.words)
	for _, a := range list {
		col := p.in.Columns[a]
		bitvec.AndNot(v, u, col)
		all1, all0 := p.planes.Cost(u)
		left1, left0 := p.planes.Cost(v)
		rules = append(rules, Rule{Antecedent: int(a), Predict: all1-left1 > all0-left0})
		copy(u, v)
	}
	a, b := p.planes.Cost(u)
	return rules, a > b
}
