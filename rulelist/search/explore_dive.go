package search

import "parcorels/rulelist/problem"

// The depth-first mode, for when the memory budget is spent.
//
// Children that found no place in the trie or the queue are examined at once,
// by the worker that made them, best objective first, and so are theirs. The
// prefix that was taken from the queue stays outstanding until all of that is
// done, so termination and the best bound need no special case. Whenever
// memory has become free in the meantime, children are inserted again.

// stack holds the frames of a worker: that of the prefix that it took, and of those
// that a dive examines below it.
type stack struct {
	p          *problem.Problem
	frames     []*frame
	unfinished *frame // whose prefix is being examined; stays when the search is stopped meanwhile
	depth      int    // frames whose prefix has been examined, and whose children may not all have been
}

// frame returns the frame for a depth of a dive.
func (k *stack) frame(level int) *frame {
	for level >= len(k.frames) {
		k.frames = append(k.frames, newFrame(k.p))
	}
	return k.frames[level]
}

// dive examines the children that frame level could not insert. It reports
// false if the search was stopped.
func (w *worker) dive(level int) bool {
	f := w.stack.frames[level]
	if len(f.children) == 0 {
		return true
	}
	if f.rooted {
		w.trie.Expanded(f.id)
	}
	w.stack.depth, f.next = level+1, 0
	for f.next < len(f.children) {
		takeBest(f.children[f.next:])
		if !w.run.Paused() || !w.diveInto(level, &f.children[f.next]) {
			return false
		}
	}
	w.stack.depth = level
	return true
}

// takeBest puts the best child first. What is examined costs more than to look at all that are left.
func takeBest(children []child) {
	best := 0
	for i := range children {
		if children[i].objective < children[best].objective {
			best = i
		}
	}
	children[0], children[best] = children[best], children[0]
}

func (w *worker) diveInto(level int, c *child) bool {
	// What a worker refers to through its own open prefix cannot be retired;
	// pinning anew lets the epoch move on during a long dive.
	w.trie.Unpin()
	w.trie.Pin()
	f, s := w.stack.frames[level], w.s
	bound := c.bound
	queued := c.owned                                                            // counted as inserted: only the queue refused it
	gone := queued && (s.arena.Node(c.id).Dead() || s.arena.Node(c.id).Closed()) // displaced, or given away
	wanted := !gone && w.s.wanted(bound, f.depth+1)
	if wanted {
		if !w.run.MayExpand() {
			return false
		}
		w.adopt(f, c)
		below := w.stack.frame(level + 1)
		below.descend(w.p, f, c)
		f.next++
		if !w.dominated(below) && !w.explore(level+1) {
			return false
		}
		w.report()
	} else {
		f.next++
	}
	switch {
	case queued:
		w.finish(c.id, bound, s.symmetry != nil)
	case c.owned:
		w.trie.Release(c.id)
	}
	return true
}
