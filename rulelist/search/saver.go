package search

import (
	"io"
	"time"

	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
	"parcorels/trie"
)

// Checkpoints (docs/checkpoint-format.md): what a search needs to go on after
// the process has ended, in whatever way.
//
// # Why what is saved is enough
//
// No pruning ever drops a prefix of L*, the smallest list. So at any moment
// between prefixes, either L* was offered as the incumbent, or the longest of
// its prefixes that was made is open, because a prefix that was examined had
// its child made. A checkpoint holds the incumbent and every prefix that is
// open. A search that resumes from these, dropping prefixes only for the reasons
// that the search has, finds L* and proves it; by the same argument again, if
// that search is cut off and resumed as well.
//
// # What is open
//
// While the workers stand still (parallel.Watch), or after they have ended:
//
//   - what waits in a queue or in a worker's batch, and what a worker took but
//     did not begin: their nodes are open in the trie;
//   - a prefix whose examination the search's end cut short: its node is open,
//     or, in a dive, it may have none and is named by stack.unfinished. The children
//     that it had made count as well; if one is made again when the search goes
//     on, it meets itself in the symmetry map;
//   - in a dive, what is left of each frame's children (dive.go). The prefix of
//     such a frame is not open, it has been examined;
//   - what is left of the backlog of a checkpoint that this search began from.
//
// A prefix that the incumbent beats, or with a dead node on its path, is left
// out: the search would drop it. The incumbent may improve while the file is
// written, so that the one in it is older; no list beats a prefix of L*, so none
// of L* is left out either way.
//
// # What else is saved
//
// The prefixes that were expanded and are kept in the symmetry map. They save
// work: it is true of them what the map says of them, that they are smaller
// than others with the same remaining set.
//
// An open prefix comes with by how much its bound exceeds that of its cost. An ascent (prune/separation.go)
// raises bounds, which the queue is ordered by, and takes too long to be repeated for all that
// are open. Such a bound is one of the lists that may still be smaller than the incumbent was
// then, and so than the one in the file, which is no larger. With a proof only those are raised
// that have a record in it. Costs are not saved: they are computed anew from the prefixes.
//
// How far the search is with the separation bound (root.go).

// save lets the caller's function write a checkpoint. The workers stand still
// or have ended.
//
// A checkpoint without its proof never takes the place of one that has it: no
// search could complete the proof from there. So while the proof cannot be written,
// the last checkpoint that has it stays.
func (v *saver) save() {
	start := time.Now()
	v.s.keepProof()
	if v.s.proof.Behind() && v.proved {
		return
	}
	v.err = v.s.o.Checkpoint.Save(v.write)
	v.paused += time.Since(start)
	if v.err == nil {
		v.saves++
		v.proved = v.s.proof.Mark().Bytes > 0
	}
}

// last saves what a search leaves that ended too early.
func (v *saver) last() {
	if c := v.s.o.Checkpoint; c != nil && c.Save != nil && !v.current {
		v.save()
	}
}

// write writes the checkpoint.
func (v *saver) write(to io.Writer) error {
	s := v.s
	bound := s.lowerBound(parallel.Unknown, s.incumbent.Load())
	w := save.NewWriter(to, s.p, s.head(), v.state(s.totals(), bound, s.marked(), s.proof.Mark()))
	v.eachNode((*trie.Node).Open, func(_ trie.ID, prefix []problem.Column, more int64) { w.Columns(save.KindOpen, prefix, more) })
	v.eachWithoutNode(func(prefix []problem.Antecedent, more int64) { w.Prefix(save.KindOpen, prefix, more) })
	v.eachNode((*trie.Node).Closed, func(_ trie.ID, prefix []problem.Column, _ int64) { w.Columns(save.KindClosed, prefix, 0) })
	return w.Finish()
}

// WithoutRepeats returns a list without antecedents that came before in it and
// capture nothing. Without the pruning that forbids them an incumbent may have
// some; the list returned is then the smaller one.
func WithoutRepeats(list []problem.Antecedent) []problem.Antecedent {
	var seen [problem.MaxAntecedents]bool
	var short []problem.Antecedent
	for _, a := range list {
		if !seen[a] {
			short = append(short, a)
		}
		seen[a] = true
	}
	return short
}

// eachNode calls f with the prefixes, as columns, of the nodes that are as
// asked for and may still be of use, and by how much their bounds exceed those of their costs.
func (v *saver) eachNode(is func(*trie.Node) bool, f func(id trie.ID, prefix []problem.Column, more int64)) {
	v.from(trie.Root, is, func(id trie.ID, prefix []problem.Column, more int64) bool {
		f(id, prefix, more)
		return true
	})
}

// from does so from a node on, until f returns false, and returns the one after that, or the root
// at the end.
func (v *saver) from(first trie.ID, is func(*trie.Node) bool, f func(id trie.ID, prefix []problem.Column, more int64) bool) (next trie.ID) {
	s := v.s
	var path []problem.Column
	parent, dead := trie.Root, false
	known := false // whether path and dead tell of parent
	return s.arena.From(first, func(id trie.ID, n *trie.Node) bool {
		if !is(n) || s.incumbent.Load().Beaten(n.Cost+s.p.Price, int(n.Depth)+1) {
			return true
		}
		if id == trie.Root {
			return f(id, nil, s.more(n.Cost, n.Bound))
		}
		if !known || n.Parent != parent { // siblings mostly lie side by side
			parent, known = n.Parent, true
			path, dead = trie.Path(s.arena, parent, path), s.dead(parent)
		}
		return dead || f(id, append(path, problem.Column(n.Antecedent)), s.more(n.Cost, n.Bound))
	})
}

// dead reports whether a node or one above it is dead.
func (x *shared) dead(id trie.ID) bool {
	for ; ; id = x.arena.Node(id).Parent {
		if x.arena.Node(id).Dead() {
			return true
		}
		if id == trie.Root {
			return false
		}
	}
}

// eachWithoutNode calls f with the open prefixes that have no node, which are never given.
func (v *saver) eachWithoutNode(f func(prefix []problem.Antecedent, more int64)) {
	var indices []problem.Antecedent
	for _, worker := range v.s.workers {
		if worker == nil {
			continue
		}
		worker.eachNoNode(func(prefix []problem.Column, more int64) {
			indices = indices[:0]
			for _, col := range prefix {
				indices = append(indices, v.s.p.Antecedents[col])
			}
			f(indices, more)
		})
	}
	v.s.backlog.Each(f)
}

// eachNoNode calls f with the open prefixes, as columns, in the worker's hands
// that have no node of their own, as eachNode does.
func (w *worker) eachNoNode(f func(prefix []problem.Column, more int64)) {
	var prefix []problem.Column
	for _, frame := range w.stack.frames[:w.stack.depth] {
		for _, c := range frame.Children[frame.Next:] {
			if !c.Owned && w.s.wanted(c.Cost+w.p.Price, frame.Depth+1) {
				prefix = append(append(prefix[:0], frame.Prefix...), problem.Column(c.Col))
				f(prefix, w.s.more(c.Cost, c.Bound))
			}
		}
	}
	if cut := w.stack.unfinished; cut != nil && !cut.Rooted {
		f(cut.Prefix, w.s.more(cut.Cost, cut.Bound))
	}
}

// whilePaused saves while the workers stand still.
func (v *saver) whilePaused(resume func() bool) {
	v.save()
	goesOn, failed := resume(), v.s.o.Checkpoint.Failed
	switch {
	case v.err == nil:
		v.current = !goesOn && !v.s.proof.Behind()
	case goesOn && failed != nil:
		failed(v.err)
	}
	if failed != nil {
		if err := v.s.proof.Failure(); err != nil {
			failed(err)
		}
	}
}

// state is what a checkpoint begins with. The bound is on all lists; a block of some of the open prefixes has none.
func (v *saver) state(t save.Totals, bound int64, bounds save.Mark, proof record.Mark) save.State {
	list := WithoutRepeats(v.s.incumbent.Load().List)
	return save.State{List: list, Totals: t, Bound: max(bound-v.s.p.RootCost(), 0), Separation: bounds, Proof: proof}
}
