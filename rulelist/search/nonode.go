package search

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

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
	w.queue.Finished(f.Depth, bound)
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
		errors, _, _, one := p.Capture(left, p.Columns[col])
		bitvec.AndNot(left, left, p.Columns[col])
		cost += p.Price + p.Unit*errors
		bound := cost + p.Price
		if i == len(prefix)-1 {
			bound += more
		}
		below, ok := w.trie.New(id, int(col), one, cost, bound)
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
