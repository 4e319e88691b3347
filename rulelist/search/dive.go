package search

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/trie"
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

// takeBest puts the best child first. To examine one costs more than to look at all that are left.
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

// Prefixes from the backlog (save/backlog.go), which have no node.

// expandNoNode takes a prefix from the backlog, if there is one, and gives it a
// node, or without memory expands it at once. It reports false if there is
// none, or if the search was stopped.
func (w *worker) expandNoNode() bool {
	prefix, more, freed, ok := w.s.backlog.Take(w.noNode)
	if w.noNode = prefix; !ok {
		return false
	}
	w.s.budget.Release(freed)
	w.trie.Pin()
	defer w.trie.Unpin()
	if id, ok := w.makeNode(prefix, more); ok {
		w.queue.Keep(id)
		return true
	}
	f := w.stack.frame(0)
	f.LoadColumns(w.p, prefix)
	f.Bound += more
	bound := f.Bound
	if w.s.wanted(bound, f.Depth) {
		w.stack.unfinished = f // until it is known what becomes of it
		if !w.run.MayExpand() {
			return false
		}
		if !w.dominated(f) && !w.explore(0) {
			w.report()
			return false
		}
		w.stack.unfinished = nil
	}
	w.report()
	w.queue.Finished(bound)
	return true
}

// makeNode makes an open node for a prefix with a bound so much above that of its cost, below nodes that last as long as it,
// if there is memory for all of them. It is not offered to the symmetry map:
// it may be there as the one above others of the checkpoint.
func (w *worker) makeNode(prefix []problem.Column, more int64) (trie.ID, bool) {
	p := w.p
	id, cost := trie.Root, p.RootCost()
	left := w.left
	copy(left, p.All)
	for i, col := range prefix {
		label, errors, _ := p.Rule(left, p.Antecedents[col])
		bitvec.AndNot(left, left, p.Columns[col])
		cost += p.Price + p.Unit*errors
		bound := cost + p.Price
		if i == len(prefix)-1 {
			bound += more
		}
		below, ok := w.trie.New(id, int(col), label&1, cost, bound)
		if id != trie.Root {
			w.trie.Release(id)
		}
		if !ok {
			return 0, false
		}
		id = below
	}
	return id, true
}
