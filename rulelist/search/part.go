package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
	"parcorels/trie"
)

// Searches of parts of a problem, for package blocks.
//
// A part is a set of open prefixes, in the form of a checkpoint without closed ones. To search it is to find the smallest list
// that begins with one of its prefixes, or to show that none is smaller than the incumbent. Each search of a part has a
// symmetry map and accounts of ascents of its own. Prefixes of two parts with the same remaining set are both expanded.

// Base is a problem made ready for searches of its parts: its columns, first incumbent, and the bound of its root.
type Base struct {
	s       *search
	root    blockWriter // records of the root's bound
	records uint64      // how many
}

// NewBase makes a problem ready. It returns the errors of Solve, and that of ctx. It ignores the options Checkpoint, Nodes and
// Progress. With Proof, searches write records.
func NewBase(ctx context.Context, in *instance.Instance, o Options) (*Base, error) {
	o.Checkpoint, o.Nodes, o.Progress = nil, 0, nil
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	p, err := problem.New(in, o.settings())
	if err != nil {
		return nil, err
	}
	b := &Base{s: newSearch(p, o)}
	s := b.s
	if o.Proof != nil {
		s.proof = record.NewWriter(&Proof{To: &b.root}, s.budget)
	}
	if _, ok := s.prepare(ctx); !ok {
		return nil, context.Cause(ctx)
	}
	o.hooks.alter(p)
	s.prepareRoot(ctx)
	if s.proof != nil {
		b.records = s.proof.Records
	}
	return b, ctx.Err()
}

// prepareRoot finds a first incumbent and bounds the root.
func (s *search) prepareRoot(ctx context.Context) {
	if s.p.Uses(problem.Incumbent) {
		s.first(ctx)
	}
	s.separate(ctx, save.Mark{})
	if s.trial > 0 { // a problem for several processes is taken to be long
		s.separateAfterTrial(ctx, save.Mark{})
		s.trial = 0
	}
}

// Problem returns the problem.
func (b *Base) Problem() *problem.Problem { return b.s.p }

// Incumbent returns the smallest list that is known. Several goroutines may call it.
func (b *Base) Incumbent() *problem.Solution { return b.s.incumbent.Load() }

// Offer makes a list the incumbent if it is smaller. Several goroutines may call it.
func (b *Base) Offer(n *problem.Solution) { b.s.offer(n) }

// Result returns the smallest list known as the result of all parts: with status parallel.Optimal if all were searched,
// else with a bound that is known of all lists.
func (b *Base) Result(status parallel.Status, bound int64) Result {
	result := b.s.result(status, 0)
	if status != parallel.Optimal {
		result.LowerBound = min(result.Objective, max(bound, b.s.lowest()))
	}
	return result
}

// NewProof begins the proof of all parts where the options of the problem say.
func (b *Base) NewProof() *record.Writer { return b.s.newProof() }

// blockWriter keeps what is written.
type blockWriter []byte

func (w *blockWriter) Write(b []byte) (int, error) {
	*w = append(*w, b...)
	return len(b), nil
}

// Part says which part to search.
type Part struct {
	Digest [32]byte  // of the problem; a part of another one is refused
	From   io.Reader // the part; nil: the root
	Given  [][]byte  // parts of it that were given away since it was saved
	Proof  io.Writer // takes records of the proof, if the base was made for one
	Pause  func()    // is called every Every while the workers stand still; nil: never
	Every  time.Duration
}

// Run is a search of a part. All but Offer and Incumbent are of use only while its workers stand still, or have ended.
type Run struct {
	s    *search
	part Part
}

// NewRun begins the search of a part.
func (b *Base) NewRun(part Part) *Run {
	o := b.s.o
	o.Checkpoint = &save.Checkpoint{Digest: func() [32]byte { return part.Digest }, From: part.From}
	s := newSearch(b.s.p, o)
	s.o.Proof = nil // its end is not the proof's
	s.finder, s.cut, s.bound = b.s.finder, b.s.cut, b.s.bound
	s.offer(b.Incumbent())
	if x := b.s.separated; x != nil {
		s.separated = &prune.Separated{Root: x.Root, P: x.P, Live: x.Live, Near: x.Near, Ahead: x.Ahead}
		s.separated.Ascents.Start(s.separated, int64(s.p.Planes.PlaneWords()))
		if x.Root != nil {
			s.budget.Take(x.Root.PlanBytes() + x.Root.NodeBytes()*int64(s.o.Workers))
		}
	}
	if b.s.proof != nil {
		s.proof = record.NewWriter(&Proof{To: part.Proof}, s.budget)
		s.proof.AddRaw(b.root, b.records)
	}
	s.still, s.stillEvery = part.Pause, part.Every
	return &Run{s: s, part: part}
}

// Search searches the part. The result's status is parallel.Optimal if it came to the end. Its counts are of the whole part,
// with those of searches that saved it. atEnd is called before the result is made if the search ended before; nil: never.
func (r *Run) Search(ctx context.Context, atEnd func()) (Result, error) {
	s := r.s
	saved, before, err := s.resume()
	if err != nil {
		return Result{}, err
	}
	s.takeAccounts(&before.Separation)
	if !s.build() {
		return s.result(parallel.MemoryLimit, 0), nil
	}
	complete, err := s.fill(ctx, saved)
	if complete && err == nil {
		complete, err = s.leaveOut(ctx, r.part.Given)
	}
	if err != nil {
		return Result{}, err
	}
	if complete {
		s.runAll(ctx)
	}
	status := s.queue.Status()
	if complete && status != parallel.Optimal && atEnd != nil {
		atEnd()
	}
	if s.proof != nil {
		s.proof.Retry()
	}
	result := s.result(status, 0)
	if s.proof != nil {
		result.ProofErr, result.Stats.ProofRecords = s.proof.Fault(), int64(s.proof.Records)
	}
	return result, nil
}

// Incumbent returns the smallest list that is known. Several goroutines may call it.
func (r *Run) Incumbent() *problem.Solution { return r.s.incumbent.Load() }

// Offer makes a list the incumbent if it is smaller. Several goroutines may call it.
func (r *Run) Offer(n *problem.Solution) { r.s.offer(n) }

// Open returns about how many prefixes are open.
func (r *Run) Open() int64 { return max(0, r.s.queue.Open()-r.s.given.Load()) }

// Bound returns a lower bound on all lists that begin with an open prefix, at most the objective of the incumbent.
func (r *Run) Bound() int64 { return r.s.lowerBound(parallel.Unknown, r.s.incumbent.Load()) }

// Expanded returns how many prefixes of the part were expanded, with those of searches that saved it.
func (r *Run) Expanded() int64 { return r.s.totals().Expanded }

// Records writes all records so far to Part.Proof, and returns how many they are. They are to be kept together with what is
// saved while the workers stand still, or not at all.
func (r *Run) Records() (int64, error) {
	w := r.s.proof
	if w == nil {
		return 0, nil
	}
	for _, worker := range r.s.workers {
		if worker != nil {
			worker.proof.Flush()
		}
	}
	w.Retry()
	return int64(w.Records), w.Fault()
}

// Proved reports whether records are written.
func (r *Run) Proved() bool { return r.s.proof != nil }

// EachNode calls f with the open prefixes that have a node, from a node on, and with by how much their bounds exceed those of
// their costs, until f returns false. It returns the node after that, trie.Root at the end.
func (r *Run) EachNode(from trie.ID, f func(id trie.ID, prefix []problem.Column, more int64) bool) (next trie.ID) {
	return r.s.saver.from(from, (*trie.Node).Open, f)
}

// EachOther does so with the open prefixes without a node, given as antecedents. These cannot be given away.
func (r *Run) EachOther(f func(prefix []problem.Antecedent, more int64)) {
	r.s.saver.eachWithoutNode(f)
}

// Antecedents writes the antecedents of columns to key and returns it.
func (r *Run) Antecedents(key []problem.Antecedent, prefix []problem.Column) []problem.Antecedent {
	key = key[:0]
	for _, col := range prefix {
		key = append(key, r.s.p.Antecedents[col])
	}
	return key
}

// GiveAway closes open prefixes by their nodes, as others search them now. The accounts keep the share of the
// prefixes that are kept.
func (r *Run) GiveAway(ids []trie.ID, kept int64) {
	s := r.s
	h := s.arena.Handle(0)
	for _, id := range ids {
		if s.symmetry == nil {
			h.Kill(id)
		} else {
			h.Hold(id) // for the queue, which has it still
			h.Close(id)
		}
	}
	if s.separated != nil {
		m := s.marked()
		m.Scale(kept, kept+int64(len(ids)))
		s.takeAccounts(&m)
	}
	s.given.Add(int64(len(ids)))
}

// Writer begins a part of the run with a share of its accounts. Its counts are those of the run if it is what the run keeps.
func (r *Run) Writer(to io.Writer, kept bool, part, all int64) *save.Writer {
	s := r.s
	share := s.marked()
	var t save.Totals
	if kept {
		t = s.totals()
	} else {
		share.Scale(part, all)
	}
	return save.NewWriter(to, s.p, s.head(), s.saver.state(t, 0, share, record.Mark{}))
}

// Parts that a block gave away after it was saved.
//
// Who gives parts away writes those, and not what it keeps. If it dies, another searches the block from
// what was saved last, and is told of the parts: their prefixes are left out, as other blocks
// have them.
//
// # Why nothing is lost
//
// Let L* be the smallest list. No pruning drops a prefix of L* (saver.go), in any search, since each is
// true of the prefix by itself: a smaller list with the same remaining set, or a bound.
// None relies on what was searched before. So the longest prefix of L* that the second search
// makes is either open, or was left out because it is one of the given parts. Then it is open in the
// block that this part became, or a longer one of L* is open in that block or in a part of it.
//
// A prefix that is left out counts as closed (part.go), and so in the symmetry map it says
// of larger ones with its remaining set that they are not of L*, which is true of it wherever it
// is searched. If the second search finds one that is smaller, that takes its place there; what the other
// block does with it is in vain then, and nothing else.
//
// The prefixes above a given one are not closed: the second search has yet to make and
// expand them. Only the given one is put into the symmetry map, below nodes that are not. (A
// checkpoint's closed prefixes are another matter: what lies above those has been expanded.)
// So the second search makes it again, meets it there, and drops it.
//
// Leaving out saves work, and no more: a prefix that is not left out, because memory is short or
// there is no symmetry map, is searched in two blocks. Its completions are in the lists of one.
//
// Lower bounds: that of the block when it gave is of all lists that begin with what was open then, in
// it or in its parts, by what the first search had excluded for good. So it holds of the
// second search, too.
//
// Proofs: a record of an expansion names the children that are dominated, and all others need
// records of their own. So records count only with what is left of the block (Standstill.Records):
// the first search may have made children that it never came to, and that the second
// drops. So those since the last save are lost with it, and a bound of a given prefix, which may rest on them, is
// written as that of its cost.

// leaveOut leaves out what is open in parts that were given away. It reports false if ctx was
// done before.
func (s *search) leaveOut(ctx context.Context, parts [][]byte) (bool, error) {
	if s.symmetry == nil || len(parts) == 0 {
		return true, nil
	}
	x := newRestorer(s)
	x.given = true
	for _, part := range parts {
		r, _, err := save.Open(bytes.NewReader(part), s.head(), s.p)
		if err == nil {
			err = r.Each(ctx, x.put)
		}
		switch {
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			s.limitReached(ctx)
			return false, nil
		case err != nil:
			return false, err
		}
	}
	x.leave(1)
	x.proof.Flush()
	return true, nil
}

// give closes the prefix at the end of the path, which the queue may have.
func (x *restorer) give() {
	l := &x.levels[len(x.levels)-1]
	if len(x.levels) == 1 || l.dropped || !l.rooted || l.held || !x.s.arena.Node(l.id).Open() {
		return
	}
	x.h.Hold(l.id)
	x.h.Close(l.id)
	x.s.given.Add(1)
}
