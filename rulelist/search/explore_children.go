package search

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/internal/invariants"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// examine counts all antecedents in the frame's remaining set, offers each
// child as a complete list, and hands every child that cannot be closed to
// judge. It reports false if the search was stopped on the way: then some
// children are missing.
func (w *worker) examine(f *frame) bool {
	p := w.p
	f.children = f.children[:0]
	if !f.count(p, w.run.Running) {
		return false
	}
	w.evaluations += int64(p.Padded())
	if f.depth >= p.Longest {
		return true
	}
	w.offerChildren(f)
	last := p.Limited && f.depth+1 == p.Longest // all completions were offered
	if !last && (w.split.closes(f) || w.sep.closes(f)) {
		return true
	}
	w.proof.Begin(f.prefix)
	if last {
		w.proof.End()
		return true
	}
	room := bitvec.Far
	if p.Uses(problem.Bound) {
		room = p.Room(w.s.incumbent.Load(), f.cost+2*p.Price, f.depth+2)
	}
	if p.Classes == nil {
		bitvec.Cheap(f.open, f.alive, f.g1, f.g0, room)
	} else {
		f.cheap(room)
	}
	w.s.o.hooks.opens(w, f)
	before := w.placed
	if !w.judgeOpen(f) {
		return false
	}
	w.sep.expanded(f, w.placed-before)
	w.proof.End()
	return true
}

// candidate is a child on its way to its judgement.
type candidate struct {
	child
	left []uint64   // remaining set
	hash bitvec.Key // of left
	key  bitvec.Key // of the symmetry map
}

// judgeOpen judges the children that f.open has, as far as f's own counts leave
// them open. While one is judged, the memory that the next one is looked up in
// is on its way (prefetched): on MONK's second problem, pairs, look-ups waited for
// it for a seventh of the time.
func (w *worker) judgeOpen(f *frame) bool {
	var at *candidate
	next, spare := &w.candidates[0], &w.candidates[1]
	for i, m := range f.open {
		for ; m != 0; m &= m - 1 {
			if !w.run.Running() {
				return false
			}
			col := i*64 + bits.TrailingZeros64(m)
			if f.many == nil && !w.open(f, col, &next.child) || f.many != nil && !w.openClasses(f, col, &next.child) {
				continue
			}
			w.announce(f, next)
			if at != nil {
				w.judge(f, at)
			}
			at, next, spare = next, spare, next
		}
	}
	if at != nil {
		w.judge(f, at)
	}
	return true
}

// announce computes what c leaves and its key.
func (w *worker) announce(f *frame, c *candidate) {
	s := w.s
	hash := w.p.Hasher.AndNotHash(c.left, f.u, w.p.Columns[c.col])
	if s.symmetry == nil {
		return
	}
	if s.o.Symmetry == Permutation {
		w.claim.prefix = append(append(w.claim.prefix[:0], f.prefix...), problem.Column(c.col))
	}
	c.hash = hash
	c.key = symmetryKey(s.p, s.o.Symmetry, hash, w.claim.prefix, f.depth+1)
	s.symmetry.Prefetch(c.key)
}

// offerChildren offers the children as complete lists, before any child is
// judged by the incumbent. Most often none is good enough.
func (w *worker) offerChildren(f *frame) {
	p := w.p
	best := w.s.incumbent.Load()
	if best.Beaten(f.cost+p.Price+p.Unit*f.survey.Stop, f.depth+1) {
		return
	}
	if f.many != nil {
		w.offerClasses(f)
		return
	}
	for i, m := range f.alive {
		for ; m != 0; m &= m - 1 {
			col := i*64 + bits.TrailingZeros64(m)
			a, b := f.g1[col], f.g0[col]
			errors := min(a, b) + min(f.all1-a, f.all0-b)
			if objective := f.cost + p.Price + p.Unit*errors; !best.Beaten(objective, f.depth+1) {
				w.s.offerColumns(objective, f.prefix, problem.Column(col))
				best = w.s.incumbent.Load()
			}
		}
	}
}

// open describes the child of f that col makes and reports whether something
// better than the incumbent may still lie below it, as far as f's own counts
// tell.
func (w *worker) open(f *frame, col int, c *child) bool {
	p := w.p
	a, b := f.g1[col], f.g0[col]
	c.col, c.label, c.owned = col, a > b, false
	c.cost = f.cost + p.Price + p.Unit*min(a, b)
	c.left1, c.left0 = f.all1-a, f.all0-b
	c.objective = c.cost + p.Unit*min(c.left1, c.left0)
	if p.Uses(problem.Bound) && w.s.incumbent.Load().Beaten(c.cost+p.Price, f.depth+2) {
		return false
	}
	c.bound, c.rank = max(f.bound, c.cost+p.Price), 0
	if w.s.separated.excludes(c) || f.commutes(p, col, c.label) || p.Uses(problem.LookAhead) && !w.look.mayImprove(f, c) {
		return false
	}
	return !w.split.closesChild(f, c) && !w.sep.closesChild(f, c)
}

// judge looks the child up in the symmetry map, closes it if look-ahead can,
// and otherwise inserts it into map and queue. A child for which there is no
// memory goes to the frame's list.
func (w *worker) judge(f *frame, c *candidate) {
	s := w.s
	w.claim.cost, w.claim.depth = c.cost, f.depth+1
	w.claim.prefix = append(append(w.claim.prefix[:0], f.prefix...), problem.Column(c.col))
	if s.symmetry != nil {
		if r := s.symmetry.Find(c.key); r != 0 && w.claim.Against(r) == parallel.Loses {
			w.hits++
			w.proof.ByHolder(c.col, r)
			return
		}
		if r := w.shorter(c); r != 0 {
			w.hits++
			w.proof.ByHolder(c.col, r)
			return
		}
	}
	if w.p.Uses(problem.LookAhead) && w.look.closes(f, c) {
		w.closed++
		return
	}
	if !w.adopt(f, &c.child) {
		f.children = append(f.children, c.child)
		return
	}
	if s.symmetry != nil {
		outcome, displaced := s.symmetry.Offer(c.key, s.arena.Ref(c.id), &w.claim)
		if outcome == parallel.Refused {
			w.trie.Discard(c.id)
			w.hits++
			w.proof.ByHolder(c.col, w.claim.holder)
			return
		}
		if displaced != 0 {
			w.proof.Displaced(displaced, w.claim.prefix)
			w.trie.Kill(trie.ID(displaced))
		}
	}
	if invariants.On && c.bound < f.bound {
		panic("search: the bound of a child is below its parent's")
	}
	w.placed++
	w.out.put(f, &c.child)
}

// adopt gives the child a node below f's, if there is memory for it.
func (w *worker) adopt(f *frame, c *child) bool {
	if f.rooted && !c.owned {
		c.id, c.owned = w.trie.New(f.id, c.col, c.label, c.cost, c.bound)
	}
	return c.owned
}
