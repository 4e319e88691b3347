package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
)

// A search in blocks, for several processes that share one.
//
// A block is a set of open prefixes, in the form of a checkpoint (docs/checkpoint-format.md)
// without closed ones. Block nil is the root. To search a block is to find the smallest list
// that begins with one of its prefixes, or to show that none is smaller than the incumbent.
// What is left of a block can be saved while it is searched, and a part of it given away
// (block_pause.go). So a caller that keeps each prefix in a block that was searched to
// its end, or in one that is open, has the smallest list when no block is open: the smallest of
// those of all blocks. The argument is that of checkpoints (saver.go).
//
// Each block has a symmetry map of its own, and accounts of ascents of its own, which go with
// it when it is divided. Prefixes of two blocks with the same remaining set are both expanded.

// Ready is a problem made ready for searches of blocks: its columns, first
// incumbent, and the bound of its root. One block is searched at a time.
type Ready struct {
	s       *search
	root    []byte                 // records of the root's bound
	records uint64                 // how many
	running atomic.Pointer[search] // the block at hand
}

// List is a complete list with its exact objective, in the units of Result.Objective.
type List struct {
	Antecedents []int
	Objective   int64
}

// Smaller reports whether l comes before than in the order of lists.
func (l List) Smaller(than List) bool { return l.solution().Better(than.solution()) }

func (l List) solution() *problem.Solution {
	s := &problem.Solution{Objective: l.Objective, Source: 'R'}
	for _, a := range l.Antecedents {
		s.List = append(s.List, problem.Antecedent(a))
	}
	return s
}

// ErrList reports what is no list of a problem.
var ErrList = errors.New("not a list of this problem")

// Prepare makes a problem ready. Of the options Checkpoint, Nodes and Progress are not for it;
// with Proof, blocks write records. It returns the errors of Solve, and that of ctx.
func Prepare(ctx context.Context, in *instance.Instance, o Options) (*Ready, error) {
	return prepare(ctx, in, o, nil)
}

// prepare makes a problem ready, as another process did if there is a seed.
func prepare(ctx context.Context, in *instance.Instance, o Options, from *seed) (*Ready, error) {
	o.Checkpoint, o.Nodes, o.Progress = nil, 0, nil
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	p, err := problem.New(in, o.settings())
	if err != nil {
		return nil, err
	}
	s := newSearch(p, o)
	var root blockWriter
	if o.Proof != nil {
		s.proof = record.NewWriter(&Proof{To: &root}, s.budget)
	}
	if _, ok := s.prepare(ctx); !ok {
		return nil, context.Cause(ctx)
	}
	o.hooks.alter(p)
	if from != nil {
		if err := from.use(ctx, s); err != nil {
			return nil, err
		}
	} else {
		s.prepareFirst(ctx)
	}
	r := &Ready{s: s, root: root}
	if s.proof != nil {
		r.records = s.proof.Records
	}
	return r, ctx.Err()
}

// prepareFirst finds what others need not find again.
func (s *search) prepareFirst(ctx context.Context) {
	if s.p.Uses(problem.Incumbent) {
		s.first(ctx)
	} else {
	}
	s.separate(ctx, save.Mark{})
	if s.trial > 0 { // a problem for several processes is taken to be long
		s.separateAfterTrial(ctx, save.Mark{})
		s.trial = 0
	}
}

// blockWriter keeps what is written.
type blockWriter []byte

func (w *blockWriter) Write(b []byte) (int, error) {
	*w = append(*w, b...)
	return len(b), nil
}

// Best returns the smallest list known. It may be called while a block is searched.
func (r *Ready) Best() List {
	best := r.s.incumbent.Load()
	if s := r.running.Load(); s != nil {
		if found := s.incumbent.Load(); found.Better(best) {
			best = found
		}
	}
	return exported(best)
}

func exported(s *problem.Solution) List {
	l := List{Antecedents: []int{}, Objective: s.Objective}
	for _, a := range withoutRepeats(s.List) {
		l.Antecedents = append(l.Antecedents, int(a))
	}
	return l
}

// Evaluate returns a list with its objective, or ErrList.
func (r *Ready) Evaluate(list []int) (List, error) {
	return evaluated(r.s.p, list)
}

func evaluated(p *problem.Problem, list []int) (List, error) {
	if len(list) > p.Longest {
		return List{}, fmt.Errorf("%w: it has %d rules, at most %d are allowed", ErrList, len(list), p.Longest)
	}
	seen := make([]bool, p.In.Antecedents)
	l := List{Antecedents: append([]int{}, list...)}
	for _, a := range list {
		if a < 0 || a >= len(seen) || seen[a] {
			return List{}, fmt.Errorf("%w: %v", ErrList, list)
		}
		seen[a] = true
	}
	l.Objective = p.Evaluate(l.solution().List).Objective
	return l, nil
}

// Offer makes a list that somebody else found the incumbent, if it is smaller. It is evaluated
// here, whatever its objective is said to be. It may be called while a block is searched.
func (r *Ready) Offer(list []int) error {
	l, err := r.Evaluate(list)
	if err != nil {
		return err
	}
	r.s.offer(l.solution())
	if s := r.running.Load(); s != nil {
		s.offer(l.solution())
	}
	return nil
}

// Block says which block to search, and what to do meanwhile.
type Block struct {
	Digest [32]byte  // of the problem; a block of another one is refused
	From   io.Reader // the block; nil: the root
	Given  [][]byte  // parts of it that were given away since it was saved (block_given.go)
	Proof  io.Writer // takes records of the proof, if the problem was made ready for one

	// Pause is called every Every while the workers stand still, and once more when a search
	// has ended that did not come to the end of its block; nil: never.
	Pause func(*Standstill)
	Every time.Duration

	Progress func(Progress) // as in Options
}

// Search searches a block. The result's status is parallel.Optimal if it came to the end; its
// list is the smallest that is known, from any worker. Its counts are of the whole block, with
// those of searches that saved it.
func (r *Ready) Search(ctx context.Context, b Block) (Result, error) {
	s := r.fork(b)
	saved, before, err := s.resume()
	if err != nil {
		return Result{}, err
	}
	r.running.Store(s)
	defer func() {
		r.s.incumbent.Offer(s.incumbent.Load())
		r.running.Store(nil)
	}()
	s.offer(r.s.incumbent.Load()) // again: Offer may have come in between
	s.takeAccounts(&before.Separation)
	if !s.build() {
		return s.result(parallel.MemoryLimit, 0), nil
	}
	complete, err := s.fill(ctx, saved)
	if complete && err == nil {
		complete, err = s.leaveOut(ctx, b.Given)
	}
	if err != nil {
		return Result{}, err
	}
	if complete {
		s.runAll(ctx)
	}
	status := s.queue.Status()
	if complete && status != parallel.Optimal && b.Pause != nil {
		b.Pause(&Standstill{s: s, block: b, ended: true})
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

// fork returns a search of its own of the same problem.
func (r *Ready) fork(b Block) *search {
	o := r.s.o
	o.Progress = b.Progress
	o.Checkpoint = &save.Checkpoint{Digest: b.Digest, From: b.From}
	s := newSearch(r.s.p, o)
	s.o.Proof = nil // its end is not the proof's
	s.finder, s.cut, s.bound = r.s.finder, r.s.cut, r.s.bound
	s.offer(r.s.incumbent.Load())
	if x := r.s.separated; x != nil {
		s.separated = &prune.Separated{Root: x.Root, P: x.P, Live: x.Live, Near: x.Near, Ahead: x.Ahead}
		s.separated.Ascents.Start(s.separated, int64(s.p.Planes.PlaneWords()))
		if x.Root != nil {
			s.budget.Take(x.Root.PlanBytes() + x.Root.NodeBytes()*int64(s.o.Workers))
		}
	}
	if r.s.proof != nil {
		s.proof = record.NewWriter(&Proof{To: b.Proof}, s.budget)
		s.proof.AddRaw(r.root, r.records)
	}
	if b.Pause != nil {
		s.still = func() { b.Pause(&Standstill{s: s, block: b}) }
	}
	s.stillEvery = b.Every
	return s
}
