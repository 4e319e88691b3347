package search

import (
	"unsafe"

	"parcorels/bitvec"
	"parcorels/internal/prefetch"
	"parcorels/parallel"
	"parcorels/trie"
)

// worker is one goroutine of the search with everything that it writes to.
// Buffers are sized at the start, so that in the steady state nothing is
// allocated.
type worker struct {
	s        *search
	p        *problem // the search's, or a copy (private.go)
	index    int
	run      *parallel.Run
	queue    *parallel.Worker[trie.ID]
	trie     *trie.Handle
	counts   *counts
	frames   []*frame
	claim    claim
	proof    *proofLog
	near     dominators
	accounts accounts

	loose   []uint16 // the last prefix from the backlog
	made    []child  // children of the present expansion, on their way to the queue
	entries []entry  // their entries

	candidates [2]candidate // the children at hand

	set    []uint64 // what the last rule of a child captures, or a loose prefix leaves
	wrong  []uint64 // points that later rules of the prefix predict wrongly
	prog   bitvec.Program
	h1, h0 []int64
	mask   []uint64 // columns for an exact look
	hint   int      // the block whose column left the last child open
	rivals []uint16 // of each column, the block that held its last better sibling

	cut   *frame // the frame whose prefix is being examined; stays when the search is stopped meanwhile
	depth int    // frames whose prefix has been examined, and whose children may not all have been

	// Statistics of the present expansion, flushed to the counters after it.
	evaluations, hits, dominations, closed, expanded int64

	sep  separator
	work int64 // steps of the counting kernel so far
}

// entry is an open prefix with its place in the queue.
type entry = parallel.Entry[trie.ID]

// flushLen is how many children are held back before they are pushed.
const flushLen = 256

func newWorker(s *search, i int) *worker {
	p := s.p.private(s.o.Workers)
	n := p.padded()
	w := &worker{
		s: s, p: p, index: i, run: s.run, queue: s.queue.Worker(i), trie: s.arena.Handle(i), counts: s.counts[i],
		claim:    claim{s: s},
		proof:    newProofLog(s),
		accounts: newAccounts(p),
		made:     make([]child, 0, flushLen),
		entries:  make([]entry, 0, flushLen),
		set:      make([]uint64, p.words),
		wrong:    make([]uint64, p.words),
		h1:       make([]int64, n), h0: make([]int64, n),
		mask:   make([]uint64, (n+63)/64),
		rivals: make([]uint16, n),
	}
	for i := range w.candidates {
		w.candidates[i].left = make([]uint64, p.words)
	}
	w.near.init(s, w.trie)
	return w
}

// frame returns the worker's frame for a depth of a dive.
func (w *worker) frame(level int) *frame {
	for level >= len(w.frames) {
		w.frames = append(w.frames, newFrame(w.p))
	}
	return w.frames[level]
}

// loop processes prefixes until the search ends or is stopped.
func (w *worker) loop() {
	defer w.proof.flush()
	loose := w.expandLoose
	for {
		id, ok := w.queue.Next(loose)
		if !ok {
			return
		}
		if next, ok := w.queue.Following(); ok { // its node comes meanwhile
			prefetch.Line(unsafe.Pointer(w.s.arena.Node(next)))
		}
		if !w.process(id) {
			return
		}
		w.improve()
	}
}

// process expands or drops one prefix from the queue. It reports false if the
// search was stopped; then the prefix stays outstanding, and so does its bound.
func (w *worker) process(id trie.ID) bool {
	w.trie.Pin()
	defer w.trie.Unpin()
	n := w.s.arena.Node(id)
	bound := n.Bound
	keep := false
	if w.wanted(bound, int(n.Depth)) {
		if !w.run.MayExpand() {
			return false
		}
		f := w.frame(0)
		if f.load(w.p, w.s.arena, id) && !w.dominated(f) {
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
	f := w.frames[level]
	w.cut = f
	if !w.examine(f) {
		return false
	}
	w.flush(f)
	w.cut = nil
	return w.dive(level)
}

// dominated reports whether f's prefix need not be expanded because of another
// one that is smaller.
func (w *worker) dominated(f *frame) bool {
	if w.redundant(f) {
		w.dominations++
		return true
	}
	if w.near.dominate(w.p, f) {
		w.proof.dominated(f.prefix, w.near.by)
		w.dominations++
		return true
	}
	w.expanded++
	return false
}

// wanted reports whether a prefix can still beat the incumbent.
func (w *worker) wanted(bound int64, depth int) bool {
	return !w.p.uses(Bound) || !w.s.incumbent.Load().beaten(bound, depth+1)
}

// finish ends the life of a prefix as an open one. With keep, its node stays
// for comparisons through the symmetry map.
func (w *worker) finish(id trie.ID, bound int64, keep bool) {
	depth := int(w.s.arena.Node(id).Depth)
	if keep {
		w.trie.Close(id)
	} else {
		w.trie.Release(id)
	}
	w.queue.Finished(depth, bound)
}

// enqueue puts a child on its way to the queue.
func (w *worker) enqueue(f *frame, c *child) {
	if len(w.made) == flushLen {
		w.flush(f)
	}
	w.made = append(w.made, *c)
	bucket := w.s.ranker.bucket(c.cost+w.p.price, c.objective, f.depth+1, c.left1+c.left0)
	w.entries = append(w.entries, entry{Node: c.id, Bucket: bucket, Bound: c.bound})
}

// flush pushes the children made so far; those that the queue has no memory
// for go to the frame's list.
func (w *worker) flush(f *frame) {
	n := w.queue.Push(f.depth+1, w.entries)
	f.children = append(f.children, w.made[n:]...)
	w.made, w.entries = w.made[:0], w.entries[:0]
}

// report adds the statistics of an expansion to the counters.
func (w *worker) report() {
	c := w.counts
	steps := w.evaluations / bitvec.Lanes * int64(w.p.planes.PlaneWords())
	w.work += steps
	if w.expanded > 0 {
		w.near.expanded(steps)
		w.accounts.expanded(steps)
	}
	add(&c.evaluations, w.evaluations)
	add(&c.hits, w.hits)
	add(&c.dominated, w.dominations)
	add(&c.closed, w.closed)
	add(&c.expanded, w.expanded)
	w.evaluations, w.hits, w.dominations, w.closed, w.expanded = 0, 0, 0, 0, 0
}
