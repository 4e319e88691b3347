package search

import (
	"math/bits"

	"parcorels/rulelist/separation"
)

// Pruning 11: the separation bound (package separation has the argument).
//
// At the root an LP bounds all lists, in (objective, length), and says of rules
// "s then q" that every list which has one is larger than the incumbent. No
// such rule is in L*, so no prefix of L* has it, and a child made by one is
// dropped.
//
// At a prefix an ascent over the root's sets, and a few steps of the LP from there
// where that may pay, bound all its completions. If they exceed the incumbent in
// (objective, length), every completion is beaten. If not, the weights still bound
// each child, by the sets that its rule does not touch, and fix rules for the
// prefix's children. The queue's order is by these bounds, too, so that the least of
// them rises as fast as it can.
//
// The weights come from floating point, what is proven with them is in exact
// integers. So what is dropped may differ between machines; what is found
// does not.

// separated is what the root's LP found.
type separated struct {
	root  *separation.Root // nil if prefixes are not bounded
	p     *separation.Problem
	live  [2][]uint64 // by label, the columns whose rule L* may have
	near  bool        // the bound is so near the incumbent that LPs behind the root may pay
	first int64       // entries, the estimated work of the search before the root's LP
	ahead int64       // and the estimated work of the search with the rules that are not fixed
	node  int64       // entries that an LP behind the root is expected to take
}

// mostLength bounds the length of a list, for turning a value into an objective.
const mostLength = maxAntecedents

// atLeast returns the smallest objective of a list that costs value.
func (x *separated) atLeast(value int64) int64 {
	return (value - x.p.Tie*mostLength + x.p.Scale - 1) / x.p.Scale
}

// When it pays. The search without it is estimated (firsteffort.go), first from a few dives,
// then from more where it may be long. Its work is counted in entries, the numbers of an LP's
// matrix and vectors that a step touches, by what either takes (workAhead). Looking for the
// first sets grows with the square of the points, and may cost an eighth of the search; the
// root's LP as a whole half of it, where its bound is at most four rules below the incumbent,
// less where it is farther, down to an eighth. It ends before where its gap has hardly fallen
// while its work doubled: cars with λ = .01 and tables with much noise stay some rules away,
// and it is ascents that prove them.
//
// Behind the root ascents pay for themselves (ascents.go). So do LPs, which may run where the
// root's bound is within two rules of the incumbent and an ascent's within one.
// What the search has ahead is then estimated anew, with the rules that are not fixed. LPs
// may cost a share of that, and of the work that the search has taken: before one is
// begun, there must be room for as much as the last one took. How much
// more they may cost depends on how many of them close their prefix: if all do, half as
// much as the ascents cost or saved, and no more than the search without them.
//
// In a proof one bound takes the place of many prefixes. So there the root's LP may cost more
// within a rule, where fixing begins, by the square of the gap: four times as much within half
// a rule, and as long as the search within a fifth. The first estimate stays, up to some seconds.
const (
	leastAhead = 1 << 21 // entries; less takes some milliseconds
	mostWrong  = 4       // how many times more than the first estimate says a search may take
	refineMost = 32      // of the most work of heuristics, what a closer look takes at most
	rootShare  = 2       // of the search's work, the part that the root's LP may take
	pairShare  = 8       // and the part of looking for its first sets
	mostRoot   = 1 << 30 // entries of the root's LP
	rootNearer = 64      // times that, where its bound is close, for a proof
	mostNodes  = 1 << 32 // entries
	nodeRules  = 2       // of the gap at the root, for LPs behind it
	nodeSteps  = 100     // that the first LP behind the root is expected to take
	nodeShare  = 32      // of the units, the part that LPs may take as entries if none closes its prefix
	nodeSaves  = 2       // work of ascents that takes as long as an entry, or less
)

// lowest returns the bound that is known of every list.
func (s *search) lowest() int64 { return max(s.bound, s.p.rootCost()+s.p.price) }

// excludes reports whether no list with the rule that c makes is L*.
func (x *separated) excludes(c *child) bool {
	return x != nil && x.live[label(c.label)][c.col/64]>>(c.col%64)&1 == 0
}

// separator is a worker's part.
type separator struct {
	*separation.Node
	ascents ascents
	on      bool // Node is at the frame at hand
	told    bool // there is no proof, or it has a record of the bound
	room    int64
	support int64
	work    int64 // entries of LPs so far
	last    int64 // entries of the last one
	tried   int64 // LPs
	dropped int64 // of them, that closed their prefix
	bytes   int64 // reserved
}

// separates reports whether the bound closes f's prefix, whose columns are
// counted. If not, the bound is ready for its children.
func (w *worker) separates(f *frame) bool {
	x, n := w.s.separated, &w.sep
	n.on = false
	if x == nil || x.root == nil {
		return false
	}
	n.ascents.start(x, int64(w.p.planes.PlaneWords()), int64(w.s.o.Workers))
	lp := x.near && (f.depth == 0 || w.affordsLP())
	if !lp && !n.ascents.may(f.depth, w.counted()) {
		return false
	}
	if n.Node == nil || !w.remembers() {
		n.Node = x.root.NewNode()
		n.support = w.s.p.price / w.s.p.unit
		n.bytes = max(n.bytes, x.root.NodeBytes()) // reserved for it
	}
	best := w.s.incumbent.Load()
	n.room = x.p.Value(best.objective-f.cost, len(best.list)-f.depth)
	work := n.Begin(f.u, func(label, word int) uint64 { return n.liveWord(f, label, word) }, n.room)
	n.ascents.spend(f.depth, work)
	if lp && n.Value <= n.room && n.room-n.Value <= x.p.Value(w.p.price, 1) && f.depth > 0 {
		n.tried++
		n.last = n.Improve(n.room, 3, 100)
		n.work += n.last
		if n.Value > n.room {
			n.dropped++
		}
	}
	n.Settle(n.room)
	if n.told = w.proof == nil; n.Value > n.room {
		closed := w.tellBound(f)
		if closed {
			n.ascents.earn(f.depth, int64(w.p.padded()))
		}
		return closed
	}
	least := f.cost + x.atLeast(n.Value)
	f.rank = max(f.bound, least)
	if f.bound = w.raised(f, f.bound, least); !w.wanted(f.bound, f.depth) {
		n.ascents.earn(f.depth, int64(w.p.padded()))
		return true
	}
	n.Children(n.room)
	n.on = true
	return false
}

// remembers reports whether there is memory for what the pool has become.
func (w *worker) remembers() bool {
	n := &w.sep
	more := n.Bytes() - n.bytes
	if more > 0 && !w.s.budget.Reserve(more) {
		return false
	}
	n.bytes += max(0, more)
	return true
}

// affordsLP reports whether the LPs so far have cost little enough for one more.
func (w *worker) affordsLP() bool {
	n, x := &w.sep, w.s.separated
	ahead := x.ahead / int64(w.s.o.Workers)
	done := w.counted() * n.ascents.evaluate / evaluateParts
	next := n.work + max(n.last, x.node)
	saved := max(n.ascents.made, n.ascents.earned) / nodeSaves
	return next <= max(done, ahead)/nodeShare+min(done+ahead, saved)*n.dropped/(n.tried+1)
}

// liveWord returns the columns of a word that are alive in f and gain enough of
// a label.
func (n *separator) liveWord(f *frame, label, word int) (live uint64) {
	gains := f.g0
	if label == 1 {
		gains = f.g1
	}
	for m := f.alive[word]; m != 0; m &= m - 1 {
		bit := m & -m
		if gains[word*64+bits.TrailingZeros64(m)] > n.support {
			live |= bit
		}
	}
	return live
}

// closesChild reports whether the bound of f's prefix closes a child, and raises the child's
// bound.
func (w *worker) closesChild(f *frame, c *child) bool {
	n, x := &w.sep, w.s.separated
	if !n.on {
		return false
	}
	if n.IsLive(c.col, c.label) {
		value := n.Child(c.col)
		if x.p.Value(c.cost-f.cost, 1)+value <= n.room {
			least := c.cost + x.atLeast(value)
			c.rank = max(f.rank, least)
			c.bound = w.raised(f, c.bound, least)
			if w.wanted(c.bound, f.depth+1) {
				return false
			}
			n.ascents.earn(f.depth+1, int64(w.p.padded()))
			return true
		}
	}
	if n.on = w.tellBound(f); n.on {
		n.ascents.earn(f.depth+1, int64(w.p.padded()))
	}
	return n.on
}

// counted returns how many columns the worker has counted.
func (w *worker) counted() int64 { return w.counts.evaluations.Load() + w.evaluations }

// raised returns the larger of two bounds on completions of f's prefix, or of a child,
// the second of which comes from n. With a proof that needs a record, and is of use
// only if it reaches the incumbent's objective: nothing is dropped for less.
func (w *worker) raised(f *frame, bound, least int64) int64 {
	if least > bound && (w.proof == nil || least >= w.s.incumbent.Load().objective && w.tellBound(f)) {
		return least
	}
	return bound
}

// tellBound reports whether the bound of f's prefix may be used: with a proof it must
// have a record.
func (w *worker) tellBound(f *frame) bool {
	n := &w.sep
	if !n.told {
		n.told = w.proof.bound(f.prefix, w.s.separated.p, n.Links())
	}
	return n.told
}
