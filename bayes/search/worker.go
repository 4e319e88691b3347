package search

import (
	"slices"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/trie"
)

// frame is one prefix under examination with its counts. A worker has one for each
// depth of a dive and one more.
type frame struct {
	id       trie.ID
	rooted   bool // whether the prefix has a node; without, nothing below it is queued
	rules    []uint16
	use      used
	sum      int64
	last     probability // of the last rule
	before   []uint64    // what the prefix without its last rule leaves
	set      []uint64    // what the prefix leaves
	n1, n0   int64       // samples in set
	g1, g0   []int64     // of each antecedent in set
	p1, p0   []int64     // of them, those at points of one class
	h1, h0   []int64     // entropies of the others; h0 is 0
	apart    apart       // the same of all of set
	future   []future    // by the cardinality of one more rule
	children []child     // that found no place in the queue
}

// worker is one goroutine of the search with all that it writes to.
type worker struct {
	s       *exact
	run     *parallel.Run
	queue   *parallel.Worker[trie.ID]
	trie    *trie.Handle
	futures *futures
	frames  []*frame
	claim   claim
	prog    bitvec.Program
	entries []parallel.Entry[trie.ID]
	owned   []child // the children of entries
	child   child   // at hand
}

func newWorker(s *exact, i int) *worker {
	set := func() []uint64 { return make([]uint64, s.p.in.Words) }
	return &worker{
		s: s, run: s.run, queue: s.queue.Worker(i), trie: s.arena.Handle(i),
		futures: newFutures(s.p, s.longest), claim: claim{s: s, set: set()},
	}
}

// frameBytes is about what a frame takes.
func (s *exact) frameBytes() int64 {
	return int64(s.p.matrix.Blocks()*bitvec.Lanes)*6*8 + int64(s.p.in.Words)*16 + int64(unsafe.Sizeof(frame{}))
}

// frame returns the worker's frame of a level.
func (w *worker) frame(level int) *frame {
	for level >= len(w.frames) {
		n, words := w.s.p.matrix.Blocks()*bitvec.Lanes, w.s.p.in.Words
		f := &frame{before: make([]uint64, words), set: make([]uint64, words), g1: make([]int64, n), g0: make([]int64, n),
			future: make([]future, len(w.s.p.quantity))}
		f.p1, f.p0, f.h1, f.h0 = f.g1, f.g0, make([]int64, n), make([]int64, n)
		if w.s.b.mixed {
			f.p1, f.p0 = make([]int64, n), make([]int64, n)
		}
		w.frames = append(w.frames, f)
	}
	return w.frames[level]
}

// loop processes prefixes until the search ends.
func (w *worker) loop() {
	for {
		id, ok := w.queue.Next(parallel.Nothing)
		if !ok || !w.process(id) {
			return
		}
	}
}

// process expands or drops one prefix from the queue. It returns false if the
// search was stopped; then the prefix stays open, and so does its bound.
func (w *worker) process(id trie.ID) bool {
	w.trie.Pin()
	defer w.trie.Unpin()
	n := w.s.arena.Node(id)
	bound, keep := n.Bound, false
	if -bound >= w.s.incumbent.Load().value {
		f := w.frame(0)
		if w.load(f, id) {
			if !w.explore(0) {
				return false
			}
			keep = true
		}
	}
	if keep {
		w.trie.Close(id)
	} else {
		w.trie.Release(id)
	}
	w.queue.Finished(bound)
	return true
}

// load rebuilds the prefix of a node. It returns false if it was dropped for another.
func (w *worker) load(f *frame, id trie.ID) bool {
	p := w.s.p
	f.id, f.rooted = id, true
	for at := id; ; {
		n := w.s.arena.Node(at)
		if n.Dead() {
			return false
		}
		if at == trie.Root {
			break
		}
		at = n.Parent
	}
	f.rules = trie.Path(w.s.arena, id, f.rules)
	f.sum, f.use = w.s.arena.Node(id).Cost, used{}
	copy(f.set, p.all)
	f.last = p.may.top()
	for i, a := range f.rules {
		f.use[p.card[a]]++
		if i == len(f.rules)-1 && p.may.falling {
			f.last = p.may.of(p.in.Planes.CostAnd(f.set, p.in.Columns[a]))
		}
		copy(f.before, f.set)
		bitvec.AndNot(f.set, f.set, p.in.Columns[a])
	}
	return true
}

// descend makes f the frame of a child of up.
func (w *worker) descend(f, up *frame, c *child) bitvec.Key {
	f.rooted = false
	f.rules = append(append(f.rules[:0], up.rules...), uint16(c.antecedent))
	f.use = up.use
	f.use[w.s.p.card[c.antecedent]]++
	f.sum, f.last = c.sum, w.s.p.may.of(up.g1[c.antecedent], up.g0[c.antecedent])
	copy(f.before, up.set)
	return w.s.hasher.AndNotHash(f.set, up.set, w.s.p.in.Columns[c.antecedent])
}

// explore expands the prefix of a frame, and what has no place in the queue below
// it. It returns false if the search was stopped.
func (w *worker) explore(level int) bool {
	if !w.run.MayExpand() {
		return false
	}
	w.s.expanded.Inc()
	f := w.frame(level)
	if !w.count(f) || !w.expand(level) {
		return false
	}
	for i := 0; i < len(f.children); i++ {
		c := f.children[i]
		if c.bound < w.s.incumbent.Load().value {
			continue
		}
		if !w.run.Paused() {
			return false
		}
		// Pinning anew lets memory be reused during a long dive. The node that f refers to is open.
		w.trie.Unpin()
		w.trie.Pin()
		w.descend(w.frame(level+1), f, &c)
		if !w.explore(level + 1) {
			return false
		}
	}
	return true
}

// count counts all antecedents in the set of a frame.
func (w *worker) count(f *frame) bool {
	p, b := w.s.p, w.s.b
	f.n1, f.n0 = p.in.Planes.Cost(f.set)
	f.apart = b.apart(f.set)
	p.in.Planes.Compile(&w.prog, f.set)
	if !w.s.p.matrix.CountWhile(&w.prog, f.g1, f.g0, w.run.Running) {
		return false
	}
	if b.mixed {
		b.pure.Compile(&w.prog, f.set)
		if !w.s.p.matrix.CountWhile(&w.prog, f.p1, f.p0, w.run.Running) {
			return false
		}
		b.entropy.Compile(&w.prog, f.set)
		if !w.s.p.matrix.CountWhile(&w.prog, f.h1, f.h0, w.run.Running) {
			return false
		}
	}
	for c := range f.future {
		if int(f.use[c]) < p.quantity[c] {
			use := f.use
			use[c]++
			f.future[c] = w.futures.of(len(f.rules)+1, &use)
		}
	}
	return true
}

// extend describes the child of a counted frame by antecedent a, with its bound
// as far as f's counts tell. It returns false if no list below it can be of need.
func (w *worker) extend(c *child, f *frame, a int, price, need int64) bool {
	p, b := w.s.p, w.s.b
	g1, g0 := f.g1[a], f.g0[a]
	c.antecedent = int32(a)
	c.sum = f.sum + price + p.leaf(g1, g0)
	c.r1, c.r0 = f.n1-g1, f.n0-g0
	next := f.future[p.card[a]]
	most := b.most(apart{f.apart.n1 - f.p1[a], f.apart.n0 - f.p0[a], f.apart.entropy - f.h1[a]})
	c.bound = c.sum + next.prior + most + slack*int64(next.rules+2)
	return c.bound >= need
}

// look counts a prefix, offers its children as lists, and returns a bound on F of
// all longer ones; what is below the incumbent has only to be known to be. It returns false if the
// search was stopped.
func (w *worker) look(f *frame) (bound int64, ok bool) {
	if !w.count(f) {
		return 0, false
	}
	p := w.s.p
	bound = impossible
	if len(f.rules) >= p.most {
		return bound, true
	}
	best := w.s.incumbent.Load().value
	ends := p.length[len(f.rules)+1]
	prices := p.prices(&f.use)
	var c child
	for a, card := range p.card {
		if !w.mayBe(f, a) {
			continue
		}
		wanted := w.extend(&c, f, a, prices[card], best)
		if value := c.sum + ends + p.leaf(c.r1, c.r0); value >= best && w.ends(f, &c) {
			w.offer(value, f.rules, uint16(a))
			best = w.s.incumbent.Load().value
		}
		if wanted {
			bound = max(bound, c.bound)
		}
	}
	return bound, true
}

// mayBe reports whether an antecedent may be the next rule of a counted frame's prefix.
func (w *worker) mayBe(f *frame, a int) bool {
	return (f.g1[a]+f.g0[a] > 0 || w.s.empty && !w.has(f, a)) && w.may(f, a)
}

// has reports whether a prefix has an antecedent; of those that capture something
// it has none.
func (w *worker) has(f *frame, a int) bool { return slices.Contains(f.rules, uint16(a)) }

// offer offers a list as the incumbent.
func (w *worker) offer(value int64, rules []uint16, last uint16) {
	list := make([]int, 0, len(rules)+1)
	for _, a := range rules {
		list = append(list, int(a))
	}
	w.s.incumbent.Offer(&solution{value, append(list, int(last))})
}

// expand hands every child of the frame's prefix below which the best list may be to
// the queue, or to the frame's children where there is no memory.
func (w *worker) expand(level int) bool {
	f := w.frame(level)
	f.children = f.children[:0]
	w.entries, w.owned = w.entries[:0], w.owned[:0]
	if level == 0 && len(f.rules) == 0 {
		if _, ok := w.look(f); !ok {
			return false
		}
	}
	if !w.each(f, func(c *child) bool { return w.judge(level, c) }) {
		return false
	}
	n := w.queue.Push(len(f.rules)+1, w.entries)
	for i := n; i < len(w.entries); i++ {
		// No room in the queue: the child is searched here, without its node.
		w.queue.Finished(w.entries[i].Bound)
		w.trie.Release(w.entries[i].Node)
		f.children = append(f.children, w.owned[i])
	}
	return true
}

// each calls do with the children of a counted frame's prefix that bounds and exchanges leave open, until it returns false.
func (w *worker) each(f *frame, do func(c *child) bool) bool {
	prices, c := w.s.p.prices(&f.use), &w.child
	for a, card := range w.s.p.card {
		if w.mayBe(f, a) && w.extend(c, f, a, prices[card], w.s.incumbent.Load().value) && !w.commutes(f, a) && !do(c) {
			return false
		}
	}
	return true
}

// judge drops a child that another prefix or its own counts close, and otherwise
// takes it up. It returns false if the search was stopped.
func (w *worker) judge(level int, c *child) bool {
	if !w.run.Running() { // a prefix may have thousands of children
		return false
	}
	f, below := w.frame(level), w.frame(level+1)
	hash := w.descend(below, f, c)
	key := keyOf(hash, &below.use, below.last)
	w.claim.of(below)
	if r := w.s.seen.Find(key); r != 0 && w.claim.Against(r) == parallel.Loses {
		return true
	}
	bound, ok := w.look(below)
	if !ok {
		return false
	}
	c.bound = min(c.bound, bound)
	if c.bound < w.s.incumbent.Load().value {
		return true
	}
	if f.rooted {
		c.bound = min(c.bound, -w.s.arena.Node(f.id).Bound)
	}
	id, adopted := trie.ID(0), false
	if f.rooted {
		id, adopted = w.trie.New(f.id, int(c.antecedent), 0, c.sum, -c.bound)
	}
	if !adopted {
		f.children = append(f.children, *c)
		return true
	}
	switch outcome, displaced := w.s.seen.Offer(key, w.s.arena.Ref(id), &w.claim); {
	case outcome == parallel.Refused:
		w.trie.Discard(id)
		return true
	case displaced != 0:
		w.trie.Kill(trie.ID(displaced))
	}
	w.entries = append(w.entries, parallel.Entry[trie.ID]{Node: id, Bucket: w.s.bucket(c.bound), Bound: -c.bound})
	w.owned = append(w.owned, *c)
	return true
}

// commutes reports whether exchanging the last rule of a frame's prefix with antecedent a
// behind it gives a prefix that comes first: a is the smaller index, the two capture no
// sample that both could, and the prior prefers no other order. Then both prefixes leave
// the same set, with the same counts, and no best list begins with the later one.
func (w *worker) commutes(f *frame, a int) bool {
	m := len(f.rules)
	if m == 0 || a > int(f.rules[m-1]) {
		return false
	}
	if r := &w.s.p.may; !f.last.atMost(r.of(f.g1[a], f.g0[a])) {
		return false
	}
	p, last := w.s.p, int(f.rules[m-1])
	x, y := p.in.Columns[last], p.in.Columns[a]
	for i, left := range f.before {
		if left&x[i]&y[i] != 0 {
			return false
		}
	}
	if p.card[a] == p.card[last] {
		return true
	}
	before := f.use
	before[p.card[last]]--
	first, second := before, f.use
	first[p.card[a]]++
	return p.price(&before, a)+p.price(&first, last) >= p.price(&before, last)+p.price(&second, a)
}

// may reports whether an antecedent may be the next rule of a counted frame's prefix.
func (w *worker) may(f *frame, a int) bool {
	r := &w.s.p.may
	return r.lets(r.of(f.g1[a], f.g0[a]), f.last, f.set, w.s.p.in.Columns[a])
}

// ends reports whether the default of what a child of a counted frame leaves may follow it.
func (w *worker) ends(f *frame, c *child) bool {
	r := &w.s.p.may
	return r.of(c.r1, c.r0).atMost(r.of(f.g1[c.antecedent], f.g0[c.antecedent]))
}
