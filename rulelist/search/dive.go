package search

import (
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
)

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
	frames     []*prune.Frame
	unfinished *prune.Frame // whose prefix is being examined; stays when the search is stopped meanwhile
	depth      int          // frames whose prefix has been examined, and whose children may not all have been
}

// frame returns the frame for a depth of a dive.
func (k *stack) frame(level int) *prune.Frame {
	for level >= len(k.frames) {
		k.frames = append(k.frames, prune.NewFrame(k.p))
	}
	return k.frames[level]
}

// dive examines the children that frame level could not insert. It reports
// false if the search was stopped.
func (w *worker) dive(level int) bool {
	f := w.stack.frames[level]
	if len(f.Children) == 0 {
		return true
	}
	if f.Rooted {
		w.trie.Expanded(f.Id)
	}
	w.stack.depth, f.Next = level+1, 0
	for f.Next < len(f.Children) {
		takeBest(f.Children[f.Next:])
		if !w.run.Paused() || !w.diveInto(level, &f.Children[f.Next]) {
			return false
		}
	}
	w.stack.depth = level
	return true
}

// takeBest puts the best child first. What is examined costs more than to look at all that are left.
func takeBest(children []prune.Child) {
	best := 0
	for i := range children {
		if children[i].Objective < children[best].Objective {
			best = i
		}
	}
	children[0], children[best] = children[best], children[0]
}

func (w *worker) diveInto(level int, c *prune.Child) bool {
	// What a worker refers to through its own open prefix cannot be retired;
	// pinning anew lets the epoch move on during a long dive.
	w.trie.Unpin()
	w.trie.Pin()
	f, s := w.stack.frames[level], w.s
	bound := c.Bound
	queued := c.Owned                                                            // counted as inserted: only the queue refused it
	gone := queued && (s.arena.Node(c.Id).Dead() || s.arena.Node(c.Id).Closed()) // displaced, or given away
	wanted := !gone && w.s.wanted(bound, f.Depth+1)
	if wanted {
		if !w.run.MayExpand() {
			return false
		}
		w.adopt(f, c)
		below := w.stack.frame(level + 1)
		below.Descend(w.p, f, c)
		f.Next++
		if !w.dominated(below) && !w.explore(level+1) {
			return false
		}
		w.report()
	} else {
		f.Next++
	}
	switch {
	case queued:
		w.finish(c.Id, bound, s.symmetry != nil)
	case c.Owned:
		w.trie.Release(c.Id)
	}
	return true
}
