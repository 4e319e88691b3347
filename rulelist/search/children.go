package search

import (
	"parcorels/bitvec"
	"parcorels/internal/invariants"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/trie"
)

// examine counts all antecedents in the frame's remaining set, offers each
// child as a complete list, and hands every child that cannot be closed to
// judge. It reports false if the search was stopped on the way: then some
// children are missing.
func (w *worker) examine(f *prune.Frame) bool {
	p := w.p
	f.Children = f.Children[:0]
	if !f.Count(p, w.run.Running) {
		return false
	}
	w.Evaluations += int64(p.Padded())
	if f.Depth >= p.Longest {
		return true
	}
	w.offerChildren(f)
	last := p.Limited && f.Depth+1 == p.Longest // all completions were offered
	if !last && w.prunings.Closes(f) {
		return true
	}
	w.proof.Begin(f.Prefix)
	if last {
		w.proof.End()
		return true
	}
	room := bitvec.Far
	if p.Uses(problem.Bound) {
		room = p.Room(w.s.incumbent.Load(), f.Cost+2*p.Price, f.Depth+2)
	}
	f.Cheap(room)
	w.prunings.ClosesOpen(f)
	if w.s.o.hooks.opened != nil {
		w.s.o.hooks.opened(w, f)
	}
	before := w.Placed
	if !w.judgeOpen(f) {
		return false
	}
	w.prunings.Judged(f, w.Placed-before)
	w.proof.End()
	return true
}

// judgeOpen judges the children that f.open has, as far as f's own counts leave
// them open. While one is judged, the memory that the next one is looked up in
// is on its way (prefetched): on MONK's second problem, pairs, look-ups waited for
// it for a seventh of the time.
func (w *worker) judgeOpen(f *prune.Frame) bool {
	var at *prune.Candidate
	next, spare := &w.candidates[0], &w.candidates[1]
	for col := range bitvec.Members(f.Open) {
		if !w.run.Running() {
			return false
		}
		if !w.open(f, col, &next.Child) {
			continue
		}
		w.announce(f, next)
		if at != nil {
			w.judge(f, at)
		}
		at, next, spare = next, spare, next
	}
	if at != nil {
		w.judge(f, at)
	}
	return true
}

// announce computes what c leaves and its key.
func (w *worker) announce(f *prune.Frame, c *prune.Candidate) {
	s := w.s
	hash := w.p.Hasher.AndNotHash(c.Left, f.U, w.p.Columns[c.Col])
	if s.symmetry == nil {
		return
	}
	if s.o.Symmetry == Permutation {
		w.claim.prefix = append(append(w.claim.prefix[:0], f.Prefix...), problem.Column(c.Col))
	}
	c.Hash = hash
	c.Key = symmetryKey(s.p, s.o.Symmetry, hash, w.claim.prefix, f.Depth+1)
	s.symmetry.Prefetch(c.Key)
}

// offerChildren offers the children as complete lists, before any child is
// judged by the incumbent. Most often none is good enough.
func (w *worker) offerChildren(f *prune.Frame) {
	p := w.p
	best := w.s.incumbent.Load()
	if best.Beaten(f.Cost+p.Price+p.Unit*f.Survey.Stop, f.Depth+1) {
		return
	}
	for col := range bitvec.Members(f.Alive) {
		x := p.Column(f.Counts, col)
		objective := f.Cost + p.Price + p.Unit*(x.Errors+x.Stop)
		if !best.Beaten(objective, f.Depth+1) && f.Enough(p, col) {
			w.s.offerColumns(objective, f.Prefix, problem.Column(col))
			best = w.s.incumbent.Load()
		}
	}
}

// open describes the child of f that col makes and reports whether something
// better than the incumbent may still lie below it, as far as f's own counts
// tell.
func (w *worker) open(f *prune.Frame, col int, c *prune.Child) bool {
	least := f.Describe(w.p, col, c)
	if w.p.Uses(problem.Bound) && w.s.incumbent.Load().Beaten(least, f.Depth+2) {
		return false
	}
	c.Bound = max(f.Bound, least)
	return f.Enough(w.p, col) && !w.prunings.ClosesChild(f, c)
}

// shorter returns a shorter prefix that leaves what c leaves and costs no more, or 0. The
// worker's claim is c's. Without a limit of rules there is one key for all lengths.
func (w *worker) shorter(c *prune.Candidate) trie.Ref {
	s := w.s
	if !s.p.Limited || s.o.Symmetry != Captured {
		return 0
	}
	for depth := 1; depth < w.claim.depth; depth++ {
		key := symmetryKey(s.p, Captured, c.Hash, nil, depth)
		if r := s.symmetry.Find(key); r != 0 && w.claim.Against(r) == parallel.Loses {
			return r
		}
	}
	return 0
}

// judge looks the child up in the symmetry map, closes it if look-ahead can,
// and otherwise inserts it into map and queue. A child for which there is no
// memory goes to the frame's list.
func (w *worker) judge(f *prune.Frame, c *prune.Candidate) {
	s := w.s
	w.claim.cost, w.claim.depth = c.Cost, f.Depth+1
	w.claim.prefix = append(append(w.claim.prefix[:0], f.Prefix...), problem.Column(c.Col))
	if s.symmetry != nil {
		if r := s.symmetry.Find(c.Key); r != 0 && w.claim.Against(r) == parallel.Loses {
			w.Hits++
			w.proof.ByHolder(c.Col, r)
			return
		}
		if r := w.shorter(c); r != 0 {
			w.Hits++
			w.proof.ByHolder(c.Col, r)
			return
		}
	}
	if w.prunings.ClosesLeft(f, c) {
		w.Closed++
		return
	}
	if !w.adopt(f, &c.Child) {
		f.Children = append(f.Children, c.Child)
		return
	}
	if s.symmetry != nil {
		outcome, displaced := s.symmetry.Offer(c.Key, s.arena.Ref(c.Id), &w.claim)
		if outcome == parallel.Refused {
			w.trie.Discard(c.Id)
			w.Hits++
			w.proof.ByHolder(c.Col, w.claim.holder)
			return
		}
		if displaced != 0 {
			w.proof.Displaced(displaced, w.claim.prefix)
			w.trie.Kill(trie.ID(displaced))
		}
	}
	if invariants.On && c.Bound < f.Bound {
		panic("search: the bound of a child is below its parent's")
	}
	w.Placed++
	w.out.put(f, &c.Child)
}

// adopt gives the child a node below f's, if there is memory for it.
func (w *worker) adopt(f *prune.Frame, c *prune.Child) bool {
	if f.Rooted && !c.Owned {
		c.Id, c.Owned = w.trie.New(f.Id, c.Col, c.Label&1, c.Cost, c.Bound)
	}
	return c.Owned
}
