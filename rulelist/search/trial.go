package search

import (
	"math/bits"

	"parcorels/bitvec"
)

// Trials say what the separation bound saves (pruning 11, ascents.go).
//
// Of the children and prefixes that it closes, a few are looked at as if it had not: whether
// the symmetry map, look-ahead or a sibling drops the child; if not, it is counted, one of
// the children that it would have is drawn, and looked at in the same way, and so on. With n
// to draw from, one that nothing drops stands for n (Knuth's estimate, as in
// firsteffort.go). A prefix that can be closed has far fewer children than others of its
// length, which is why those cannot tell.
//
// Nothing of this comes into map, queue, proof or statistics. The lists that look-ahead meets
// are offered as ever.

// mostTrial bounds the rules that a trial goes behind its prefix.
const mostTrial = 6

// trial is a worker's part.
type trial struct {
	stack     stack
	candidate candidate
	random    uint64
}

// tryChild looks at a child of f that the bound has closed.
func (w *worker) tryChild(f *frame, c *candidate) {
	before := w.tally
	w.proof.mute(true)
	w.announce(f, c)
	survives := w.survives(f, c)
	w.sep.ascents.tried(f.depth, survives, w.evaluations-before.evaluations)
	if survives {
		below := w.trial.stack.frame(0)
		below.descend(w.p, f, &c.child)
		if below.count(w.p, w.run.Running) {
			w.tryBelow(below)
		}
	}
	w.endTrial(before)
}

// tryPrefix looks at a prefix that the bound has closed, and whose columns are counted.
func (w *worker) tryPrefix(f *frame) {
	before := w.tally
	w.proof.mute(true)
	w.tryBelow(f)
	w.endTrial(before)
}

func (w *worker) endTrial(before tally) {
	w.proof.mute(false)
	w.tally = before
	w.sep.ascents.estimate()
}

// tryBelow goes on from a frame whose columns are counted.
func (w *worker) tryBelow(f *frame) {
	t := &w.trial
	for level := 1; f.depth < maxDepth; level++ {
		n := w.childrenToTry(f)
		t.random = t.random*6364136223846793005 + 1442695040888963407
		ok := n > 0 && w.open(f, nth(f.open, int(t.random>>33)%n), &t.candidate.child)
		if ok {
			w.announce(f, &t.candidate)
			ok = w.survives(f, &t.candidate)
		}
		if !ok {
			w.sep.ascents.dived(f.depth, 0)
			return
		}
		w.sep.ascents.dived(f.depth, int64(n))
		if level == mostTrial {
			return
		}
		below := t.stack.frame(level)
		below.descend(w.p, f, &t.candidate.child)
		if f = below; !f.count(w.p, w.run.Running) {
			return
		}
	}
}

// childrenToTry finds the children that the counts of a frame leave open, and returns how
// many they are.
func (w *worker) childrenToTry(f *frame) (n int) {
	room := bitvec.Far
	if w.p.uses(Bound) {
		room = w.p.room(w.s.incumbent.Load(), f.cost+2*w.p.price, f.depth+2)
	}
	bitvec.Cheap(f.open, f.alive, f.g1, f.g0, room)
	w.p.orbits.dropImages(f.open, f.prefix, nil)
	for _, m := range f.open {
		n += bits.OnesCount64(m)
	}
	return n
}

// nth returns the n-th of a set of columns.
func nth(set []uint64, n int) int {
	for i, m := range set {
		if k := bits.OnesCount64(m); n >= k {
			n -= k
			continue
		}
		for ; n > 0; n-- {
			m &= m - 1
		}
		return i*64 + bits.TrailingZeros64(m)
	}
	return 0
}
