package search

import (
	"context"
	"errors"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
	"parcorels/trie"
)

// Resuming from a checkpoint: its prefixes go back into trie, symmetry map and
// queues, before the workers run.
//
// A prefix comes as its antecedents. The nodes above it are made as well, once
// each where there is a symmetry map to find them in, and count as closed: had
// they not been examined, nothing would lie below them, or they are in the
// checkpoint as open ones. (Being open wins, in whatever order a prefix comes
// as both: one whose examination was cut short may have children.)
//
// A prefix is dropped here for the reasons that the search has, which are true
// of it whatever the file says: the incumbent beats it (pruning 1), a rule is
// useless even at the root (2 and 6), or another prefix with the same remaining
// set is smaller (4), of which the proof is told. An open prefix for which there
// is no memory goes to the backlog; a closed one is only taken while half of the
// memory is free.
type restorer struct {
	s      *search
	h      *trie.Handle
	column []int32 // of each antecedent; −1: useless at the root
	levels []level // of the path at hand, the root first
	claim  claim
	open   int64 // prefixes put into queues and backlog
	least  int64 // of their bounds
	given  bool  // what comes belongs to other blocks (part.go)
	proof  *record.Recorder
}

// level is a prefix of the path at hand.
type level struct {
	antecedent problem.Antecedent
	col        problem.Column
	dropped    bool // it need not be searched, nor anything below it
	rooted     bool // it has a node
	held       bool // the node is released when the path leaves it
	id         trie.ID
	label      int
	cost       int64
	u          []uint64
}

// resume makes the incumbent of the checkpoint that of the search, and returns
// what reads the rest, and what else it says of the state.
func (s *search) resume() (*save.Reader, save.State, error) {
	c := s.o.Checkpoint
	if c == nil || c.From == nil {
		return nil, save.State{}, nil
	}
	r, st, err := save.Open(c.From, s.head(), s.p)
	if err != nil {
		return nil, save.State{}, err
	}
	s.offer(s.p.Evaluate(st.List))
	s.saver.before, s.saver.proved = st.Totals, st.Proof.Bytes > 0
	if st.Bound > 0 {
		s.saver.bound = s.p.RootCost() + st.Bound
	}
	return r, st, nil
}

// restore puts the prefixes of a checkpoint back. It reports false if ctx was
// done before; then nothing may be saved, since prefixes are missing.
func (s *search) restore(ctx context.Context, r *save.Reader) (bool, error) {
	// Until all is there, the bound that is known is the root's.
	root := s.p.RootCost() + s.p.Price
	s.queue.Worker(0).Opened(0, root)
	x := newRestorer(s)
	x.begin()
	if err := r.Each(ctx, x.put); err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return false, nil
		}
		return false, err
	}
	x.leave(0)
	x.proof.Flush()
	s.backlog.Ready(x.column)
	if s.backlog.Len() > 0 {
		x.h.Hold(trie.Root) // its nodes are yet to be made
	}
	s.saver.open = x.open
	if x.open > 0 {
		s.bound = max(s.bound, x.least) // levels of the queue would round it down once more
	}
	s.queue.Worker(0).Finished(root)
	return true, nil
}

func newRestorer(s *search) *restorer {
	p := s.p
	x := &restorer{
		s: s, h: s.arena.Handle(0), claim: claim{p: s.p, arena: s.arena}, least: problem.Unknown,
		column: make([]int32, p.In.Antecedents),
		proof:  record.NewRecorder(s.proof, s.p, s.arena),
	}
	for i := range x.column {
		x.column[i] = -1
	}
	for col, a := range p.Antecedents {
		x.column[a] = int32(col)
	}
	x.levels = append(x.levels, level{
		rooted: true, id: trie.Root, cost: p.RootCost(), u: p.All,
		dropped: s.incumbent.Load().Beaten(p.RootCost()+p.Price, 1),
	})
	return x
}

// begin makes the root a prefix that has been expanded, if it does not come as open.
func (x *restorer) begin() {
	s := x.s
	root := s.arena.Node(trie.Root)
	root.Cost, root.Bound = s.p.RootCost(), s.p.RootCost()+s.p.Price
	if s.symmetry != nil {
		x.h.Close(trie.Root)
	} else {
		x.levels[0].held = true
		x.h.Hold(trie.Root)
	}
}

// put takes a prefix of the checkpoint.
func (x *restorer) put(kind byte, prefix []problem.Antecedent, more int64) {
	limit := x.s.budget.Limit
	if (kind == save.KindClosed || x.given) && (x.s.symmetry == nil || limit > 0 && x.s.budget.Used() > limit/2) {
		return
	}
	shared := 0
	for shared < min(len(x.levels)-1, len(prefix)) && x.levels[shared+1].antecedent == prefix[shared] {
		shared++
	}
	x.leave(shared + 1)
	for i, a := range prefix[shared:] {
		x.descend(a, shared+i+1 == len(prefix))
	}
	switch {
	case x.given:
		x.give()
	case kind == save.KindOpen:
		x.reopen(prefix, more)
	}
}

// leave goes back to the first n levels.
func (x *restorer) leave(n int) {
	for i := len(x.levels) - 1; i >= n; i-- {
		if l := &x.levels[i]; l.held {
			l.held = false
			x.h.Release(l.id)
		}
	}
	x.levels = x.levels[:n]
}

// descend appends an antecedent to the path, which may be the last.
func (x *restorer) descend(a problem.Antecedent, last bool) {
	n := len(x.levels)
	if n == cap(x.levels) {
		x.levels = append(x.levels, level{})
	}
	x.levels = x.levels[:n+1]
	up, l := &x.levels[n-1], &x.levels[n]
	*l = level{antecedent: a, dropped: up.dropped || x.column[a] < 0, u: l.u}
	if l.dropped {
		return
	}
	p := x.s.p
	l.col = problem.Column(x.column[a])
	column := p.Columns[l.col]
	label, errors, _ := p.Rule(up.u, a)
	l.label, l.cost = label, up.cost+p.Price+p.Unit*errors
	if l.dropped = x.s.incumbent.Load().Beaten(l.cost+p.Price, n+1); l.dropped {
		return
	}
	if l.u == nil {
		l.u = make([]uint64, p.Words)
	}
	hash := p.Hasher.AndNotHash(l.u, up.u, column)
	x.claim.cost, x.claim.depth = l.cost, n
	x.claim.prefix = x.claim.prefix[:0]
	for _, l := range x.levels[1:] {
		x.claim.prefix = append(x.claim.prefix, l.col)
	}
	x.root(up, l, symmetryKey(p, x.s.o.Symmetry, hash, x.claim.prefix, n), last)
}

// root finds or makes the node of a level, as a closed one. The one above what was given away is
// not in the map: it has yet to be expanded.
func (x *restorer) root(up, l *level, key bitvec.Key, last bool) {
	s := x.s
	if s.symmetry != nil {
		if r := s.symmetry.Find(key); r != 0 && x.claim.Against(r) == parallel.Loses {
			l.id = trie.ID(r)
			if l.rooted = x.claim.same(); !l.rooted {
				l.dropped = true
				x.proof.DominatedBy(x.claim.prefix, r)
			}
			return
		}
	}
	if !up.rooted {
		return
	}
	if l.id, l.rooted = x.h.New(up.id, int(l.col), l.label&1, l.cost, l.cost+s.p.Price); !l.rooted {
		return
	}
	if s.symmetry == nil || x.given && !last {
		l.held = true
		return
	}
	if _, displaced := s.symmetry.Offer(key, s.arena.Ref(l.id), &x.claim); displaced != 0 {
		x.proof.Displaced(displaced, x.claim.prefix)
		x.h.Kill(trie.ID(displaced))
	}
	x.h.Close(l.id)
}

// reopen makes the prefix at the end of the path an open one, with a bound so much above
// that of its cost.
func (x *restorer) reopen(prefix []problem.Antecedent, more int64) {
	s, n := x.s, len(x.levels)-1
	l := &x.levels[n]
	if l.dropped {
		return
	}
	bound := l.cost + s.p.Price + more
	if !l.rooted {
		x.count(bound, n)
		s.budget.Take(s.backlog.Put(prefix, more))
		return
	}
	if !x.own(l) {
		return // it is open already
	}
	x.count(bound, n)
	s.arena.Node(l.id).Bound = bound
	_, errors, left := s.p.Best(l.u, l.u)
	e := entry{Node: l.id, Bucket: s.ranker.bucket(bound, l.cost+s.p.Unit*errors, n, left), Bound: bound}
	if s.queue.Worker(int(x.open%int64(s.o.Workers))).Queue([]entry{e}) == 1 {
		return
	}
	if l.held = s.symmetry == nil; !l.held {
		x.h.Close(l.id)
	}
	s.budget.Take(s.backlog.Put(prefix, more))
}

// own takes the reference that a node holds to itself for the queue. It
// reports false if the queue has it already.
func (x *restorer) own(l *level) bool {
	if x.s.symmetry != nil {
		return x.h.Reopen(l.id)
	}
	was := l.held
	l.held = false
	return was
}

// count counts an open prefix.
func (x *restorer) count(bound int64, depth int) {
	x.s.queue.Worker(0).Opened(depth, bound)
	x.open++
	x.least = min(x.least, bound)
}
