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
// A trial does not see that the rules of a prefix come in other orders as well, of which the
// symmetry map keeps one. So a child counts by how many times more orders its rules have than
// those of its parent (orderedPartitions in firsteffort.go). Without that, what is below a
// prefix of the stop-and-frisk table (46 antecedents, lists of 7 rules and more) seems to be
// a thousand times as much as the whole search.
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
	blocks    orderedPartitions
}

// tryChild looks at a child of f that the bound has closed.
func (w *worker) tryChild(f *frame, c *candidate) {
	before := w.tally
	w.proof.mute(true)
	w.announce(f, c)
	survives := w.survives(f, c)
	share := 0.
	if survives {
		share = w.shareOf(f, c.label)
	}
	w.sep.ascents.tried(f.depth, share, w.evaluations-before.evaluations)
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

// tryBelow continues from a frame whose columns are counted.
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
		w.sep.ascents.dived(f.depth, float64(n)*w.shareOf(f, t.candidate.label))
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

// shareOf returns what a child that a rule of some label makes counts: one of the orders of
// its rules, by those of the rules of f's prefix.
func (w *worker) shareOf(f *frame, last bool) float64 {
	if w.s.symmetry == nil {
		return 1
	}
	var rules [2]int
	for _, l := range f.labels {
		rules[label(l)]++
	}
	before := w.trial.blocks.orders(rules[0], rules[1])
	rules[label(last)]++
	return before / w.trial.blocks.orders(rules[0], rules[1])
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
