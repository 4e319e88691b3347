package search

import (
	"cmp"
	"unsafe"

	"parcorels/internal/prefetch"
	"parcorels/parallel"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/record"
	"parcorels/trie"
)

// A node of the search is a prefix. A worker takes one from the engine's queues, counts
// all antecedents in the set that it leaves (package prune), and judges every child by
// the prunings (children.go). Children that survive become nodes of a shared
// prefix tree (package trie) and go to the worker's own shard (outbox.go). When
// the memory budget is spent, workers search depth-first (dive.go).
//
// The search ends, and everybody comes back, as package parallel argues. A prefix takes
// finite time, and the tree is finite, for no prefix has an antecedent twice. The backlog
// of a checkpoint, which Next asks when every shard is empty, only shrinks. Where a pass
// over the matrix takes some milliseconds, a worker asks between slices of it whether the
// run goes on. A prefix whose examination the end cut short stays open: a checkpoint has
// it, and the proof has no record of it yet.

func newWorker(s *search, i int) *worker {
	p := s.p.Private(s.o.Workers)
	w := &worker{
		s: s, p: p, index: i, run: s.run, queue: s.queue.Worker(i), trie: s.arena.Handle(i),
		proof: record.NewRecorder(s.proof, s.p, s.arena),
		Tally: prune.Tally{Counts: s.counts[i]},
		stack: stack{p: p},
		out:   newOutbox(s.p, s.queue.Worker(i), &s.ranker),
		left:  make([]uint64, p.Words),
		due:   cmp.Or(s.o.hooks.rounds, s.improveAfter()),
		claim: claim{p: s.p, arena: s.arena},
	}
	w.prunings = prune.New(&prune.Context{
		P: p, Incumbent: &s.incumbent, Offer: s.offerColumns, Running: s.run.Running, Tally: &w.Tally, Proof: w.proof,
		Separated: s.separated, Shares: s.shares, Posts: s.posts, Worker: i,
	})
	for i := range w.candidates {
		w.candidates[i].Left = make([]uint64, p.Words)
	}
	return w
}

// loop processes prefixes until the search ends or is stopped.
func (w *worker) loop() {
	defer w.proof.Flush()
	noNode := w.expandNoNode
	for {
		w.maybeImprove()
		if w.s.stall.Stalled(&w.untold, w.s.stands) && w.s.mayStall() {
			w.run.Halt(parallel.Stalled)
		}
		id, ok := w.queue.Next(noNode)
		if !ok {
			return
		}
		if next, ok := w.queue.Peek(); ok { // its node comes meanwhile
			prefetch.Line(unsafe.Pointer(w.s.arena.Node(next)))
		}
		if !w.process(id) {
			return
		}
	}
}

// stallEntries is a worker's work until the first look whether anything moves (parallel.Stall): ten to twenty seconds.
const stallEntries = 8e9

// stands returns what may move.
func (s *search) stands() parallel.Standing {
	bound, _ := s.queue.BestBound()
	best := s.incumbent.Load()
	return parallel.Standing{Best: best, Gap: best.Objective - max(bound, s.told()), Open: s.queue.Open()}
}

// mayStall reports whether nothing is left to be tried beside the search.
func (s *search) mayStall() bool { return s.proved.Time > 0 || !s.looksAtShort() }

// process expands or drops one prefix from the queue. It reports false if the
// search was stopped; then the prefix stays outstanding, and so does its bound.
func (w *worker) process(id trie.ID) bool {
	w.trie.Pin()
	defer w.trie.Unpin()
	n := w.s.arena.Node(id)
	bound := n.Bound
	keep := false
	if n.Closed() { // it was given away (part.go)
		w.s.given.Add(-1)
	} else if w.s.wanted(bound, int(n.Depth)) {
		if !w.run.MayExpand() || w.s.trialOver() {
			return false
		}
		f := w.stack.frame(0)
		if f.Load(w.p, w.s.arena, id) && !w.dominated(f) {
			if !w.explore(0) {
				w.report()
				return false
			}
			keep = w.s.symmetry != nil
		}
	}
	w.report()
	w.finish(id, bound, keep)
	return true
}

// explore examines the prefix of a frame, and whatever below it finds no place
// in the queue. It reports false if the search was stopped.
func (w *worker) explore(level int) bool {
	f := w.stack.frames[level]
	w.stack.unfinished = f
	if !w.examine(f) {
		return false
	}
	w.out.flush(f)
	w.stack.unfinished = nil
	return w.dive(level)
}

// dominated reports whether f's prefix need not be expanded because of another
// one that is smaller.
func (w *worker) dominated(f *prune.Frame) bool {
	if w.prunings.ClosesSet(f) {
		w.Dominations++
		return true
	}
	w.Expanded++
	return false
}

// finish ends the life of a prefix as an open one. With keep, its node stays
// for comparisons through the symmetry map.
func (w *worker) finish(id trie.ID, bound int64, keep bool) {
	if keep {
		w.trie.Close(id)
	} else {
		w.trie.Release(id)
	}
	w.queue.Finished(bound)
}

// report adds the statistics of an expansion to the counters, and its steps to the
// accounts of the prunings.
func (w *worker) report() {
	expanded := w.Expanded > 0
	w.s.tries(w.Evaluations, w.Placed)
	work := prune.ExpansionWork(w.Evaluations, w.Placed, w.s.planeWords())
	w.worked += work
	w.untold += work
	if steps := w.Tally.Flush(w.p); expanded {
		w.prunings.Expanded(steps)
	}
}
