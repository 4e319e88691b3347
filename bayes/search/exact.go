package search

// This file finds the list of largest posterior by branch and bound, and proves that
// there is none better, with the workers of package parallel.
//
// A node is a prefix, in a trie; prefixes are expanded best bound first. A child is
// counted when it is made (worker.go), so that only children enter queue and map below
// which some list may still be the best one. The engine minimises: bounds of nodes are
// negative there.
//
// The best list in the order F, fewer rules, antecedents is the same for any
// number of workers: a prefix is dropped only if its bound is below F of a list that is
// known, or if another prefix gives a list that comes before in this order.

import (
	"context"
	"slices"
	"time"

	"github.com/puzpuzpuz/xsync/v3"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/trie"
)

// exact is one run of the branch and bound.
type exact struct {
	p      *posterior
	b      *bounder
	hasher *bitvec.Hasher

	longest int   // rules of a list that may be the best
	empty   bool  // whether rules that capture nothing may pay
	root    int64 // no list has a larger F

	start     time.Time // of Solve
	workers   int
	run       *parallel.Run
	queue     *parallel.Queue[trie.ID]
	arena     *trie.Arena
	seen      *parallel.KeyMap[trie.Ref]
	budget    parallel.Budget
	incumbent parallel.Incumbent[solution]
	expanded  *xsync.Counter
	scale     float64 // buckets per unit of a bound below root
}

// newExact prepares a search that begins with a known list.
func newExact(p *posterior, b *bounder, best solution) *exact {
	s := &exact{p: p, b: b, expanded: xsync.NewCounter(), hasher: bitvec.NewHasher(p.in.Words)}
	s.incumbent.Offer(&best)
	most := b.most(b.apart(p.all))
	s.longest = p.longestUseful(most, best.value)
	s.empty = p.emptyMayPay(s.longest)
	s.root = max(best.value, newFutures(p, s.longest).of(0, &used{}).prior+most+slack*int64(s.longest+2))
	return s
}

// solve runs the workers until the best list is proved or a limit is reached.
func (s *exact) solve(ctx context.Context, start time.Time, o Options) parallel.Status {
	if !s.build(start, o) {
		return parallel.MemoryLimit
	}
	watch := parallel.Watch{}
	if o.Progress != nil {
		watch.ProgressEvery = o.ProgressEvery
		watch.OnProgress = func() { s.tell(o, false) }
	}
	s.run.Do(ctx, watch, func(i int) { newWorker(s, i).loop() })
	return s.queue.Status()
}

// build makes what the workers share, for as many of them as the memory allows, and
// queues the root. It returns false if not even one fits.
func (s *exact) build(start time.Time, o Options) bool {
	s.budget.Limit = o.Memory
	s.workers = o.Workers
	for s.workers > 1 && o.Memory > 0 && s.fixedBytes() > o.Memory/2 {
		s.workers--
	}
	if !s.budget.Reserve(s.fixedBytes()) {
		return false
	}
	s.run = parallel.NewRun(parallel.Limits{Workers: s.workers, Start: start, Time: o.Time, Nodes: o.Nodes})
	best := s.incumbent.Load().value
	s.queue = parallel.NewQueue[trie.ID](s.run, parallel.NewLevels(-s.root, -best), 0, s.budget.Reserve)
	s.scale = float64(parallel.Buckets-1) / float64(max(s.root-best, 1))
	s.arena = trie.NewArena(s.workers, s.budget.Reserve)
	s.seen = parallel.NewKeyMap[trie.Ref](&s.budget)
	root := s.arena.Node(trie.Root)
	root.Cost, root.Bound = 0, -s.root
	s.queue.Worker(0).Push(0, []parallel.Entry[trie.ID]{{Node: trie.Root, Bound: -s.root}})
	return true
}

// fixedBytes is what a search takes from its start.
func (s *exact) fixedBytes() int64 {
	worker := parallel.QueueBytes + 2*s.frameBytes()
	return int64(s.workers)*worker + trie.FirstBytes + parallel.KeyMapBytes + s.p.matrix.Bytes()
}

// bound returns what no list's F exceeds.
func (s *exact) bound() int64 {
	// The bound first: a list may be offered and its prefix finished between the two.
	bound, open := s.root, true
	if s.queue != nil {
		bound, open = s.queue.BestBound()
		bound = min(-bound, s.root)
	}
	best := s.incumbent.Load().value
	if !open {
		return best
	}
	return max(best, bound)
}

func (s *exact) tell(o Options, final bool) {
	if o.Progress == nil {
		return
	}
	bound := s.bound()
	best := s.incumbent.Load()
	p := Progress{
		Progress: parallel.Progress{
			Elapsed: time.Since(s.start), Nodes: s.expanded.Value(), Length: len(best.rules), Value: nats(best.value),
			Bound: nats(max(bound, best.value)),
			Bytes: s.budget.Used(), Final: final,
		},
		List: slices.Clone(best.rules), Chains: o.Chains,
	}
	if p.Gap = p.Bound - p.Value; s.queue != nil {
		p.Open = s.queue.Open()
	}
	o.Progress(p)
}

// bucket ranks prefixes by their bound.
func (s *exact) bucket(bound int64) uint32 {
	return uint32(min(max(float64(s.root-bound)*s.scale, 0), parallel.Buckets-1))
}
