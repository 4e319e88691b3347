package parallel

import (
	"math/rand/v2"

	"parcorels/bitvec"
	"parcorels/trie"
)

// worker is one goroutine of the search with everything that it writes to.
// Buffers are sized at the start, so that in the steady state nothing is
// allocated.
type worker struct {
	s        *search
	index    int
	trie     *trie.Handle
	shard    *shard
	counters *counters
	frames   []*frame
	claim    claim
	proof    *proofLog
	near     dominators
	accounts accounts
	random   *rand.PCG

	batch []trie.ID // taken from the queue, not yet processed
	loose []uint16  // the last prefix from the backlog
	made  []child   // children of the present expansion, on their way to the queue
	made2 []entry   // their entries

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

	work int64 // steps of the counting kernel so far
}

const (
	popMost  = 8   // prefixes taken from a shard at a time
	flushLen = 256 // children held back before they are pushed
)

func newWorker(s *search, i int) *worker {
	p := s.p
	n := p.padded()
	w := &worker{
		s: s, index: i, trie: s.arena.Handle(i), shard: s.shards[i], counters: s.counters[i],
		claim:    claim{s: s},
		proof:    newProofLog(s),
		random:   rand.NewPCG(uint64(i), 1),
		accounts: newAccounts(p),
		batch:    make([]trie.ID, 0, popMost),
		made:     make([]child, 0, flushLen),
		made2:    make([]entry, 0, flushLen),
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
		w.frames = append(w.frames, newFrame(w.s.p))
	}
	return w.frames[level]
}

// run processes prefixes until the search ends or is stopped.
func (w *worker) run() {
	defer w.s.pause.leave()
	defer w.proof.flush()
	for {
		id, ok := w.next()
		if !ok || !w.process(id) {
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
		if !w.s.mayExpand() {
			return false
		}
		f := w.frame(0)
		if f.load(w.s, id) && !w.dominated(f) {
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
	if !w.examine(f) || !w.flush(f) {
		return false
	}
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
	if w.near.dominate(w.s.p, f) {
		w.proof.dominated(f.prefix, w.near.by)
		w.dominations++
		return true
	}
	w.expanded++
	return false
}

// wanted reports whether a prefix can still beat the incumbent.
func (w *worker) wanted(bound int64, depth int) bool {
	return w.s.p.without.has(Bound) || !w.s.incumbent.load().beaten(bound, depth+1)
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
	w.finished(bound, depth)
}

// finished counts a prefix as no longer open.
func (w *worker) finished(bound int64, depth int) {
	w.counters.queue(depth, -1)
	add(&w.counters.levels.finished[w.s.leveller.level(bound)], 1)
	add(&w.counters.finished, 1)
}

// enqueue puts a child on its way to the queue.
func (w *worker) enqueue(f *frame, c *child) {
	if len(w.made) == flushLen {
		w.flush(f)
	}
	w.made = append(w.made, *c)
	w.made2 = append(w.made2, entry{c.id, w.s.ranker.bucket(c.cost+w.s.p.price, c.objective, f.depth+1, c.left1+c.left0)})
}

// flush pushes the children made so far; those that the queue has no memory
// for go to the frame's list. They are counted before anybody else can see
// them.
func (w *worker) flush(f *frame) bool {
	for i := range w.made {
		add(&w.counters.levels.inserted[w.s.leveller.level(w.made[i].cost+w.s.p.price)], 1)
	}
	add(&w.counters.inserted, int64(len(w.made)))
	w.counters.queue(f.depth+1, int64(len(w.made)))
	n := w.shard.push(w.made2)
	f.children = append(f.children, w.made[n:]...)
	w.made, w.made2 = w.made[:0], w.made2[:0]
	if n > 0 {
		w.s.idle.wake()
	}
	return true
}

// report adds the statistics of an expansion to the counters.
func (w *worker) report() {
	c := w.counters
	steps := w.evaluations / bitvec.Lanes * int64(w.s.p.planes.PlaneWords())
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
