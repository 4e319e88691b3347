package search

import (
	"context"
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/parallel"
)

// search is one call of Solve: what all workers share.
type search struct {
	prices
	o        Options
	start    time.Time
	in       *instance.Points
	base     int64 // errors that no tree avoids
	points   int   // distinct points that cost anything
	depth    int   // levels at the root
	splits   *bitvec.Splits
	features []int // of the instance, by feature of splits
	hasher   *bitvec.Hasher
	memory   memory
	cache    *cache
	marks    marks
	shared   bool // more than one worker
	workers  []*worker

	stop         atomic.Int32 // why the search stopped, or running
	nodes        atomic.Int64 // counts that are still allowed
	lower, upper atomic.Int64 // bounds on the root's value
}

// unlimited is the number of levels of a tree without a limit: no path is as long.
const unlimited = 1 << 30

// Solve finds the optimal tree of the points, or the best one until a limit of o
// or the end of ctx. It returns an *OptionError for bad options, and an *ErrScale
// when weights and λ take too many digits.
func Solve(ctx context.Context, in *instance.Points, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if in == nil || in.Count == 0 {
		return nil, errors.New("there are no points")
	}
	s, err := newSearch(in, o.withDefaults())
	if err != nil {
		return nil, err
	}
	over, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		s.monitor(ctx, over)
	}()
	s.run()
	r := s.result()
	close(over)
	<-watched
	if s.o.Progress != nil {
		p := s.progress(true)
		p.Leaves, p.Gap = r.Leaves, r.Gap()
		p.Objective, p.LowerBound = s.value(r.Objective), s.value(r.LowerBound)
		s.o.Progress(p)
	}
	return r, nil
}

func newSearch(in *instance.Points, o Options) (*search, error) {
	s := &search{o: o, start: time.Now(), in: in, depth: unlimited, shared: o.Workers > 1}
	if o.Depth > 0 {
		s.depth = o.Depth
	}
	s.splits, s.features, s.base, s.points = newSplits(in)
	worst, _ := s.splits.LeafCost(s.splits.All())
	var err error
	if s.prices, err = newPrices(o.Lambda, in.Total, worst, s.points); err != nil {
		return nil, err
	}
	s.hasher = bitvec.NewHasher(s.splits.Words())
	s.memory.limit = o.Memory
	s.cache = newCache(min(1<<bits.Len(uint(8*o.Workers)), 1<<10), &s.memory)
	s.nodes.Store(o.Nodes)
	s.upper.Store(s.one(worst))
	if s.shared {
		s.marks = make(marks, markCount)
	}
	for range o.Workers {
		s.workers = append(s.workers, s.newWorker())
	}
	return s, nil
}

// run raises the root until it is exact or the search stops.
func (s *search) run() {
	if !s.shared {
		s.workers[0].solve(0, far)
		return
	}
	var all sync.WaitGroup
	for _, w := range s.workers {
		all.Go(func() { w.solveShared() })
	}
	all.Wait()
}

// result reads the tree off the bounds.
func (s *search) result() *Result {
	w := s.workers[0]
	s.shared = false // the others have ended
	searched := s.counted()
	lower, upper := s.lower.Load(), s.upper.Load()
	var tree Tree
	if s.stop.Load() != running || lower < upper || !w.extract(0, upper, &tree) {
		tree = tree[:0]
		upper = w.best(0, &tree)
	}
	r := &Result{
		Status: statusOf(s.stop.Load()), Leaves: (len(tree) + 1) / 2,
		Objective: s.objective(upper), LowerBound: s.objective(min(lower, upper)), Scale: s.o.Lambda.Den * s.in.Total,
	}
	r.Errors = s.base + (upper-int64(r.Leaves)*s.price)/s.unit
	if s.o.Proof != nil && r.Status == parallel.Optimal {
		r.ProofErr = w.prove(tree, upper, r)
	}
	for i, x := range tree {
		if x >= 0 {
			tree[i] = s.features[x]
		}
	}
	r.Tree = tree
	r.Stats = Stats{ProofBytes: r.Stats.ProofBytes, ProofRecords: r.Stats.ProofRecords,
		Counted: s.counted(), Sets: s.cache.entries(), PeakBytes: s.memory.peak.Load(), Search: time.Since(s.start),
		Extract: s.counted() - searched, Points: s.points, Features: len(s.features), Workers: s.o.Workers, Kernel: bitvec.Kernel(),
	}
	for _, w := range s.workers {
		r.Stats.PerWorker = append(r.Stats.PerWorker, w.counted.Load())
	}
	return r
}

// publish makes bounds on the root known to the monitor and to the result.
func (w *worker) publish(d int, lower, upper int64) {
	if d > 0 {
		return
	}
	for l := w.search.lower.Load(); lower > l && !w.search.lower.CompareAndSwap(l, lower); l = w.search.lower.Load() {
	}
	for u := w.search.upper.Load(); upper < u && !w.search.upper.CompareAndSwap(u, upper); u = w.search.upper.Load() {
	}
}

// objective returns the objective of a value, or a bound on it from a bound on
// the value, times Den·Total: the digits below are leaves (price.go).
func (s *search) objective(value int64) int64 {
	return value/s.digits + s.o.Lambda.Den*s.base
}

// value returns an objective as a float, for print.
func (s *search) value(objective int64) float64 {
	return float64(objective) / (float64(s.o.Lambda.Den) * float64(s.in.Total))
}
