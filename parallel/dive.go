package parallel

import (
	"cmp"
	"slices"
)

// The depth-first mode, for when the memory budget is spent.
//
// Children that found no place in the trie or the queue are examined at once,
// by the worker that made them, best objective first, and so are theirs. The
// prefix that was taken from the queue stays outstanding until all of that is
// done, so termination and the best bound need no special case. Whenever
// memory has become free in the meantime, children are inserted again.

// dive examines the children that frame level could not insert. It reports
// false if the search was stopped.
func (w *worker) dive(level int) bool {
	f := w.frames[level]
	slices.SortFunc(f.children, func(a, b child) int { return cmp.Compare(a.objective, b.objective) })
	for i := range f.children {
		if !w.diveInto(level, &f.children[i]) {
			return false
		}
	}
	f.children = f.children[:0]
	return true
}

func (w *worker) diveInto(level int, c *child) bool {
	// What a worker refers to through its own open prefix cannot be retired;
	// pinning anew lets the epoch move on during a long dive.
	w.trie.Unpin()
	w.trie.Pin()
	f, s := w.frames[level], w.s
	bound := c.cost + s.p.price
	queued := c.owned // counted as inserted: only the queue refused it
	if s.p.without.has(Bound) || !s.incumbent.load().beaten(bound, f.depth+2) {
		if !s.mayExpand() {
			return false
		}
		w.adopt(f, c)
		below := w.frame(level + 1)
		below.descend(s.p, f, c)
		if !w.dominated(below) && (!w.examine(below) || !w.flush(below) || !w.dive(level+1)) {
			return false
		}
		w.report()
		w.improve()
	}
	switch {
	case queued:
		w.finish(c.id, bound, s.symmetry != nil)
	case c.owned:
		w.trie.Release(c.id)
	}
	return true
}
