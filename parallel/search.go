package parallel

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/trie"
)

// search is one run of the solver.
type search struct {
	p         *problem
	o         Options
	arena     *trie.Arena
	symmetry  *symmetryMap // nil: none
	proof     *proofWriter // nil: none
	incumbent incumbent
	shards    []*shard
	counters  []*counters
	recent    *recentRing
	finder    *finder // nil: no first incumbent was looked for
	idle      *idleness
	pause     *pause
	workers   []*worker
	backlog   backlog
	saver     saver
	ranker    ranker
	leveller  leveller
	budget    budget
	start     time.Time

	stop  atomic.Int32 // a reason; read in every loop
	_     [60]byte
	taken atomic.Int64 // expansions begun, counted only under a node limit
}

// The reasons to stop.
const (
	pausing int32 = iota - 1 // no reason: the workers are to stand still (pause.go)
	running
	finished
	timeUp
	nodesUp
	cancelled
)

// Solve finds the smallest rule list of the instance in the order objective,
// length, antecedent indices, and proves that it is. It returns early, with
// the incumbent, a sound lower bound and a status other than Optimal, when ctx
// is cancelled or a limit of o is reached. The only errors are ErrOptions,
// ErrOverflow and those of reading a checkpoint and the proof that goes with it,
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
	s.budget.limit = o.Memory
	s.incumbent.offer(&solution{objective: p.emptyObjective(), source: 'F'})
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
	if o.Without.has(Incumbent) {
		s.findOrbits(ctx)
	} else {
		s.first(ctx)
	}
	first := time.Since(s.start)
	if !s.build() {
		return s.result(MemoryLimit, first), nil
	}
	o.hooks.changes(s)
	complete, err := s.fill(ctx, saved)
	if err != nil {
		return Result{}, err
	}
	if complete {
		s.runAll(ctx)
	}
	status := s.status()
	if complete && status != Optimal {
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
		s.halt(cancelled)
	default:
		s.halt(timeUp)
	}
	return complete, err
}

// prepare lays out the columns. If the context or the time ends before, it
// returns the status of that and false.
func (s *search) prepare(ctx context.Context) (Status, bool) {
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	switch {
	case s.p.choose(func() bool { return limited.Err() == nil }):
		return Unknown, true
	case ctx.Err() != nil:
		return Interrupted, false
	}
	return TimeLimit, false
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
	s.ranker = newRanker(s.p, s.o.Policy, s.incumbent.load())
	s.leveller = newLeveller(s.p, s.incumbent.load())
	for s.o.Workers > 1 && s.o.Memory > 0 && s.fixedBytes() > s.o.Memory/2 {
		s.o.Workers--
	}
	if !s.budget.reserve(s.fixedBytes()) {
		return false
	}
	s.arena = trie.NewArena(s.o.Workers, s.budget.reserve)
	if s.o.Symmetry != NoSymmetry {
		s.symmetry = newSymmetryMap(mapPartBits, firstSlots, s.budget.reserve, s.budget.release)
	}
	if !s.p.without.has(Similar) {
		s.recent = newRecentRing(s.p)
	}
	s.idle = newIdleness(s.o.Workers)
	s.pause = newPause(s.o.Workers)
	s.workers = make([]*worker, s.o.Workers)
	for range s.o.Workers {
		s.shards = append(s.shards, newShard(s.budget.reserve))
		s.counters = append(s.counters, new(counters))
	}
	return true
}

// fixedBytes is what the shared structures take from the start.
func (s *search) fixedBytes() int64 {
	n := int64(s.o.Workers) * (shardBytes + countersBytes + s.p.workerBytes())
	n += trie.FirstBytes + s.p.ringBytes()
	if s.o.Symmetry != NoSymmetry {
		n += firstSlots << mapPartBits * slotBytes
	}
	return n
}

// begin puts the root into a queue.
func (s *search) begin() {
	c := s.counters[0]
	root := s.p.rootCost() + s.p.price
	s.arena.Node(trie.Root).Cost = s.p.rootCost()
	s.arena.Node(trie.Root).Bound = root
	add(&c.levels.inserted[s.leveller.level(root)], 1)
	add(&c.inserted, 1)
	c.queue(0, 1)
	s.shards[0].push([]entry{{trie.Root, 0}})
}

// runAll runs the workers and the monitor.
func (s *search) runAll(ctx context.Context) {
	over := make(chan struct{})
	var monitor, workers errgroup.Group
	monitor.Go(func() error { s.monitor(ctx, over); return nil })
	for i := range s.o.Workers {
		workers.Go(func() error {
			if s.goesOn() { // a worker's buffers are large
				w := newWorker(s, i)
				s.workers[i] = w
				w.run()
			} else {
				s.pause.leave()
			}
			return nil
		})
	}
	_ = workers.Wait() // workers return no errors
	close(over)
	_ = monitor.Wait()
}

// halt ends the search for one reason, the first that comes.
func (s *search) halt(reason int32) {
	for old := s.stop.Load(); old <= running; old = s.stop.Load() {
		if s.stop.CompareAndSwap(old, reason) {
			close(s.idle.done)
			return
		}
	}
}

// goesOn reports whether nothing has ended the search.
func (s *search) goesOn() bool { return s.stop.Load() <= running }

// mayExpand reports whether the node limit allows one more expansion.
func (s *search) mayExpand() bool {
	if s.o.Nodes > 0 && s.taken.Add(1) > s.o.Nodes {
		s.halt(nodesUp)
		return false
	}
	return true
}

func (s *search) status() Status {
	if outstanding(s.counters) == 0 {
		return Optimal // also when a limit was reached in the same moment
	}
	switch s.stop.Load() {
	case timeUp:
		return TimeLimit
	case nodesUp:
		return NodeLimit
	}
	return Interrupted
}

// result describes the incumbent and what is proven about it.
func (s *search) result(status Status, first time.Duration) Result {
	best := s.incumbent.load()
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
	s.finishProof(&r)
	if status != Optimal {
		r.CheckpointErr = s.saver.err
	}
	return r
}

// lowerBound returns a bound on every list: the incumbent's objective when
// nothing is open, else the best bound, which it caps.
func (s *search) lowerBound(status Status, best *solution) int64 {
	switch {
	case status == Optimal:
		return best.objective
	case s.shards == nil: // the search did not begin
		return min(best.objective, s.p.rootCost()+s.p.price)
	}
	bound, open := s.leveller.bestBound(s.counters)
	if !open {
		return best.objective
	}
	return min(best.objective, bound)
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
		Live:        len(s.p.names),
		PeakBytes:   s.budget.peak.Load(),
		Search:      t.elapsed,
		Earlier:     s.saver.before.elapsed,
		Resumed:     s.saver.open,
		Saves:       s.saver.saves,
		Paused:      s.saver.paused,
		Improved:    s.saver.before.elapsed + s.incumbent.load().found.Sub(s.start),
		Workers:     s.o.Workers,
		Kernel:      bitvec.Kernel(),
	}
	for _, c := range s.counters {
		st.Longest = max(st.Longest, int(c.longest.Load()))
		st.PerWorker = append(st.PerWorker, WorkerStats{c.expanded.Load(), time.Duration(c.parked.Load())})
	}
	for _, shard := range s.shards {
		st.QueueWaits += shard.waits.Load()
	}
	if s.symmetry != nil {
		st.MapEntries = s.symmetry.entries()
		st.MapRetries = s.symmetry.retries.Load()
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
