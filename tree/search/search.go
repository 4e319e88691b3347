package search

import (
	"context"
	"errors"
	"math/bits"
	"sync/atomic"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// search is one call of Solve: what all workers share.
type search struct {
	price.Prices
	o        Options
	start    time.Time
	in       *instance.Points
	base     int64 // errors that no tree avoids
	points   int   // distinct points that cost anything
	depth    int   // levels at the root
	splits   *bitvec.Splits
	rows     *bitvec.Planes // of points; nil without MinRows
	features []int          // of the instance, by feature of splits
	hasher   *bitvec.Hasher
	run      *parallel.Run
	memory   parallel.Budget
	cache    *cache
	marks    marks
	shared   bool // more than one worker
	workers  []*worker
	busy     atomic.Int64 // workers that have not finished

	lower, upper atomic.Int64 // bounds on the root's value
	enough       int64        // a tree of a smaller value ends the search; see Reaches

	// What the last worker reads off the bounds once they have met.
	tree      Tree
	extracted int64 // counts that this took
	proof     struct{ bytes, records int64 }
	proofErr  error

	viewed struct { // for those who look at the search: see view.go
		by           *worker
		upper, value int64
	}
}

// unlimited is the number of levels of a tree without a limit: no path is as long.
const unlimited = 1 << 30

// Solve finds the optimal tree of the points, or the best one until a limit of o
// or the end of ctx. It returns a *optionerr.Error for bad options, and a *price.ErrScale
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
	s.run.Do(ctx, s.watch(), func(i int) { s.workers[i].work() })
	r := s.result()
	if s.o.Progress != nil {
		s.o.Progress(s.last(r))
	}
	return r, nil
}

func newSearch(in *instance.Points, o Options) (*search, error) {
	s := &search{o: o, start: time.Now(), in: in, depth: unlimited, shared: o.Workers > 1}
	if o.Depth > 0 {
		s.depth = o.Depth
	}
	var places []int32
	if s.splits, s.features, s.base, places = newSplits(in, o.Rows); o.Rows != nil {
		s.rows = countRows(o.Rows, places)
	}
	s.points = len(places)
	worst, _ := s.splits.LeafCost(s.splits.All())
	var err error
	if s.Prices, err = price.New(o.Lambda, in.Total, worst, s.points); err != nil {
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
		s.workers = append(s.workers, s.newWorker())
	}
	return s, nil
}

// work raises the root until it is exact or the search stops. The worker that
// finishes last reads the tree off the bounds and writes the proof.
func (w *worker) work() {
	w.solveRoot()
	s := w.search
	if s.busy.Add(-1) > 0 || !s.run.Running() {
		return
	}
	s.shared, w.unwind, w.pace.next = false, none, price.Far // the others have ended
	searched, value := s.counted(), s.upper.Load()
	if !w.extract(0, value, &s.tree) {
		return
	}
	s.extracted = s.counted() - searched
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
	r := &Result{
		Status: status, Leaves: (len(tree) + 1) / 2, ProofErr: s.proofErr,
		Objective: s.objective(upper), LowerBound: s.objective(min(lower, upper)), Scale: s.o.Lambda.Den * s.in.Total,
	}
	r.Errors = s.errors(upper)
	r.Tree = s.named(tree)
	r.Stats = s.stats()
	return r
}

func (s *search) stats() Stats {
	stats := Stats{
		ProofBytes: s.proof.bytes, ProofRecords: s.proof.records,
		Counted: s.counted(), Sets: s.cache.entries(), PeakBytes: s.memory.Peak(), Search: time.Since(s.start),
		Extract: s.extracted, Points: s.points, Features: len(s.features), Workers: s.o.Workers, Kernel: bitvec.Kernel(),
	}
	for _, w := range s.workers {
		stats.PerWorker = append(stats.PerWorker, w.counted.Load())
	}
	return stats
}

// publish makes bounds on the root known to the monitor and to the result.
func (w *worker) publish(d int, lower, upper int64) {
	if d > 0 {
		return
	}
	for l := w.search.lower.Load(); lower > l && !w.search.lower.CompareAndSwap(l, lower); l = w.search.lower.Load() {
	}
	if upper < w.enough {
		w.run.Halt(parallel.Finished)
	}
	for u := w.search.upper.Load(); upper < u && !w.search.upper.CompareAndSwap(u, upper); u = w.search.upper.Load() {
	}
}

// objective returns the objective of a value, or a bound on it from a bound on
// the value, times Den·Total: the digits below are leaves (price.go).
func (s *search) objective(value int64) int64 {
	return value/s.Digits + s.o.Lambda.Den*s.base
}

// errors returns the weight of the errors of a tree from its value.
func (s *search) errors(value int64) int64 {
	return s.base + (value-s.Leaves(value)*s.Price)/s.Unit
}

// value returns an objective as a float, for print.
func (s *search) value(objective int64) float64 {
	return float64(objective) / (float64(s.o.Lambda.Den) * float64(s.in.Total))
}
