package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"parcorels/internal/invariants"
	"parcorels/parallel"
	"parcorels/rulelist/first"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
	"parcorels/rulelist/separation"
	"parcorels/trie"
)

// search is one run of the solver: the problem, what is known of it, what the workers
// share, and a part for each thing that goes on beside them.
type search struct {
	p      *problem.Problem
	o      Options
	start  time.Time
	budget *parallel.Budget
	peak   int64 // bytes of what a trial had in use
	shared
	workers []*worker

	incumbent parallel.Incumbent[problem.Solution]
	improver  improver
	stall     parallel.Stall
	proved    Short
	shortNext time.Duration     // how long the search must have gone on for the next look at short lists
	finder    *first.Finder     // nil: no first incumbent was looked for
	cut       bool              // a limit ended the finder, so that its estimate may be of no use
	pairs     *separation.Pairs // nil: nobody looks for the LP's first sets
	separated *prune.Separated  // nil: no separation bound
	shares    *separation.Split // nil: no split bound
	undecided *save.Mark        // of the search before, where a limit cut the root's part short
	bound     int64             // of the root's LP on every list, 0 for none
	target    int64             // an objective that is enough; see Reaches
	reached   func()            // is called once a list has it; nil: nothing is enough
	slope     int64             // of the edge below the limit of rules, times the unit; 0: not known (limit.go)
	trial     int64             // work left of a search without that LP, in entries; 0: no trial (trial.go)
	trialWork int64             // of the whole trial
	tried     atomic.Int64      // work of it that this run has done
	splitGate                   // when a trial ends for the split bound (trial.go)

	still      func()        // is called every stillEvery while workers stand still; nil: never (part.go)
	stillEvery time.Duration //
	given      atomic.Int64  // nodes in queues that were given away

	proof   *record.Writer // nil: none
	backlog save.Backlog
	saver   saver
	reports reporter
}

// shared are the structures that all workers work on.
//
// The words that workers share beside the engine's are typed atomics as well. Fields of
// what is published are written before, and not written again before nobody can be
// reading them; epochs see to that (package trie). Nodes go through a slot of the map or a
// shard, chunks through the arena's directory.
// Pinning (pinned and epoch) and retirement (generation and epoch) rest on "store, then
// look", as parking does.
//
//	atomic                 written by                read by              what it carries
//	counts.*               its worker                monitor              statistics, each by itself
//	backlog.left           takers, locked            workers              whether to take the lock
//	Arena.top, directory   growers, locked           everyone             a chunk; it is there before any id of it is given out
//	Arena.epoch            who retires or asks       workers              moves on only when every pinned worker has seen it
//	Handle.pinned          its worker                who moves the epoch  the epoch that the worker may still be reading in
//	Node.life, states      expander, killers         everyone             open, expanded, closed, dead; who ends closed releases the node
//	Node.life, references  makers of children, releasers  releasers       who takes them to zero retires the node
//	Node.generation        who retires the node      everyone             part of every Ref: a Ref of an earlier one resolves to nothing
//
// Locks: Arena.mu guards the chunks and the exchange of free nodes, backlog.mu the
// backlog, record.Writer.mu the file. Nobody holds two of them, and none is taken for each
// child.
type shared struct {
	arena    *trie.Arena
	symmetry *symmetryMap // nil: none
	run      *parallel.Run
	queue    *parallel.Queue[trie.ID]
	ranker   ranker
	counts   []*prune.Counts // of each worker
	posts    []*prune.Post   // likewise; nil for one
}

// newSearch returns a search with the empty list as its incumbent.
func newSearch(p *problem.Problem, o Options) *search {
	s := &search{p: p, o: o, start: time.Now(), budget: &parallel.Budget{Limit: o.Memory}}
	s.improver.every = firstEvery
	s.saver.s, s.reports = s, reporter{s: s, at: s.start}
	s.offerOptimal()
	s.offer(&problem.Solution{Objective: p.EmptyObjective(), Source: 'F'})
	return s
}

// limitReached ends the run where the limit of time has, or the caller.
func (s *search) limitReached(ctx context.Context) {
	if ctx.Err() != nil {
		s.run.Halt(parallel.Interrupted)
	} else {
		s.run.Halt(parallel.TimeLimit)
	}
}

// within returns ctx with a deadline so long after the start, unless there is
// no time limit.
func (s *search) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if s.o.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, s.start.Add(d))
}

// wanted reports whether a prefix can still beat the incumbent.
func (s *search) wanted(bound int64, depth int) bool {
	return s.p.Wanted(s.incumbent.Load(), bound, depth)
}

// offer makes a list the incumbent if it is smaller, and reports whether it is.
func (s *search) offer(n *problem.Solution) bool {
	n = s.p.Mend(n)
	n.Found = time.Now() // lists that are worth an offer are few
	if invariants.On && s.p.Evaluate(n.List).Objective != n.Objective {
		panic("search: a list does not have the objective that it was offered with")
	}
	if s.reached != nil && n.Objective <= s.target {
		s.reached()
	}
	return s.incumbent.Offer(n)
}

// offerColumns offers the list of the columns prefix+more.
func (s *search) offerColumns(objective int64, prefix []problem.Column, more ...problem.Column) {
	n := &problem.Solution{Objective: objective, Source: 'S', List: make([]problem.Antecedent, 0, len(prefix)+len(more))}
	for _, col := range prefix {
		n.List = append(n.List, s.p.Antecedents[col])
	}
	for _, col := range more {
		n.List = append(n.List, s.p.Antecedents[col])
	}
	s.offer(n)
}

// worker is one goroutine of the search: what it holds of the structures that all
// share, and a part for each thing that it does. Buffers are sized at the start, so
// that in the steady state nothing is allocated.
type worker struct {
	s     *search
	p     *problem.Problem // the search's, or a copy (problem/private.go)
	index int
	run   *parallel.Run
	queue *parallel.Worker[trie.ID]
	trie  *trie.Handle
	proof *record.Recorder

	prune.Tally
	stack    stack
	out      outbox
	left     []uint64 // what a prefix without a node leaves
	claim    claim
	prunings prune.Set

	candidates [2]prune.Candidate // the children at hand
	noNode     []problem.Column   // the last prefix from the backlog
	worked     int64              // entries since its last round of improvement (improve.go)
	untold     int64              // entries that s.stall lacks
	due        int64              // so many are due for the next round, as far as the worker knows
}

// saver saves checkpoints.
type saver struct {
	s       *search
	before  save.Totals // of the searches that this one resumes from
	bound   int64       // on all lists that those told; 0: none
	open    int64       // prefixes that those left
	current bool        // the last checkpoint tells the present state
	proved  bool        // the last checkpoint has its proof
	err     error       // of the last attempt
	saves   int64
	paused  time.Duration
}

// totals sums what the workers count and what was done before.
func (s *search) totals() save.Totals {
	t := s.saver.before
	t.Search += time.Since(s.start)
	t.Inserted -= s.saver.open // were counted when they were made
	if s.queue != nil {
		t.Inserted += s.queue.Made()
	}
	for _, c := range s.counts {
		t.Expanded += c.Expanded.Load()
		t.Evaluations += c.Evaluations.Load()
		t.MapHits += c.Hits.Load()
		t.Dominated += c.Dominated.Load()
		t.Closed += c.Closed.Load()
	}
	return t
}

// head is what a checkpoint says of the problem.
func (s *search) head() save.Head {
	var digest [32]byte
	if of := s.o.Checkpoint.Digest; of != nil {
		digest = of()
	}
	return save.Head{Digest: s.o.May.Digest(digest), Lambda: s.o.Lambda, MaxRules: s.o.MaxRules}
}

// more is by how much a bound on the completions of a prefix exceeds that of its cost.
func (s *search) more(cost, bound int64) int64 { return max(0, bound-cost-s.p.Price) }

// improver decides when rounds are made.
type improver struct {
	mu    sync.Mutex
	every int64 // how many times a round's work a worker does before the next one
}

const (
	firstEvery = 4  // times the work of a round before the second one
	mostEvery  = 24 // times the work of a round before any other
)

// reporter tells the caller how far the search is.
type reporter struct {
	s     *search
	shown *problem.Solution // the incumbent that the last look showed
	at    time.Time         // of the last look, at first the start of the search
}

// stack holds the frames of a worker: that of the prefix that it took, and of those
// that a dive examines below it.
type stack struct {
	p          *problem.Problem
	frames     []*prune.Frame
	unfinished *prune.Frame // whose prefix is being examined; stays when the search is stopped meanwhile
	depth      int          // frames whose prefix has been examined, and whose children may not all have been
}

// frame returns the frame for a depth of a dive.
func (k *stack) frame(level int) *prune.Frame {
	for level >= len(k.frames) {
		k.frames = append(k.frames, prune.NewFrame(k.p))
	}
	return k.frames[level]
}

// told returns a bound on every list that is known without a look at what is open. That of the
// searches before is told alone, and decides nothing: a limit may end this search before
// what they left is back.
func (s *search) told() int64 { return max(s.lowest(), s.saver.bound) }

// lowest returns the bound that is known of every list.
func (s *search) lowest() int64 { return max(s.bound, s.p.RootCost()+s.p.Price) }

// splitGate says when a trial ends for the split bound.
type splitGate struct {
	gate      int64 // work of the trial; 0: never
	gateAsked sync.Once
	gateOpen  bool // the table is of the kind
	gateEnded bool // the last trial ended so
}
