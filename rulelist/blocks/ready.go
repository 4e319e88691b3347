package blocks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"parcorels/instance"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	"parcorels/trie"
)

// Ready is a problem made ready for searches of blocks. One block is searched at a time.
type Ready struct {
	*search.Base
	running atomic.Pointer[search.Run] // the block at hand
}

// List is a complete list with its exact objective, in the units of search.Result.Objective.
type List struct {
	Antecedents []int
	Objective   int64
}

// Smaller reports whether l comes before than in the order of lists.
func (l List) Smaller(than List) bool { return l.solution().Better(than.solution()) }

func (l List) solution() *problem.Solution {
	return &problem.Solution{Objective: l.Objective, Source: 'R', List: antecedents(l.Antecedents)}
}

func antecedents(list []int) (all []problem.Antecedent) {
	for _, a := range list {
		all = append(all, problem.Antecedent(a))
	}
	return all
}

// ErrList reports what is no list of a problem.
var ErrList = errors.New("not a list of this problem")

// Prepare makes a problem ready. It ignores the options Checkpoint, Nodes and Progress; with Proof, blocks write records. It
// returns the errors of search.Solve, and that of ctx.
func Prepare(ctx context.Context, in *instance.Instance, o search.Options) (*Ready, error) {
	base, err := search.NewBase(ctx, in, o)
	if err != nil {
		return nil, err
	}
	return &Ready{Base: base}, nil
}

// Best returns the smallest list known. It may be called while a block is searched.
func (r *Ready) Best() List {
	best := r.Incumbent()
	if run := r.running.Load(); run != nil {
		if found := run.Incumbent(); found.Better(best) {
			best = found
		}
	}
	l := List{Antecedents: []int{}, Objective: best.Objective}
	for _, a := range search.WithoutRepeats(best.List) {
		l.Antecedents = append(l.Antecedents, int(a))
	}
	return l
}

// Evaluate returns a list with its objective, or ErrList.
func (r *Ready) Evaluate(list []int) (List, error) {
	p := r.Problem()
	if len(list) > p.Longest {
		return List{}, fmt.Errorf("%w: it has %d rules, at most %d are allowed", ErrList, len(list), p.Longest)
	}
	seen := make([]bool, p.In.Antecedents)
	for _, a := range list {
		if a < 0 || a >= len(seen) || seen[a] {
			return List{}, fmt.Errorf("%w: %v", ErrList, list)
		}
		seen[a] = true
	}
	return List{append([]int{}, list...), p.Evaluate(antecedents(list)).Objective}, nil
}

// Offer makes a list that somebody else found the incumbent, if it is smaller. It is evaluated
// here, whatever its objective is said to be. It may be called while a block is searched.
func (r *Ready) Offer(list []int) error {
	l, err := r.Evaluate(list)
	if err != nil {
		return err
	}
	r.Base.Offer(l.solution())
	if run := r.running.Load(); run != nil {
		run.Offer(l.solution())
	}
	return nil
}

// Search searches a block, whose Pause it sets. The result's status is parallel.Optimal if it came to the end; its
// list is the smallest that is known, from any worker. Its counts are of the whole block, with
// those of searches that saved it. Pause is called every Every while the workers stand still, and once more when a search
// has ended that did not come to the end of its block.
func (r *Ready) Search(ctx context.Context, block search.Part, pause func(*Standstill)) (search.Result, error) {
	var run *search.Run
	last := trie.Root // where the last gift of a large block ended
	block.Pause = func() { pause(&Standstill{Run: run, last: &last}) }
	run = r.NewRun(block)
	r.running.Store(run)
	defer func() {
		r.Base.Offer(run.Incumbent())
		r.running.Store(nil)
	}()
	run.Offer(r.Incumbent()) // again: Offer may have come in between
	return run.Search(ctx, func() { pause(&Standstill{Run: run, last: &last, Ended: true}) })
}

// The proof of a search in blocks. Every record is true by itself, and a block of records can be read without any other
// (package record). So the proof is what a search writes, with the records of all blocks one after another. Each search of a
// block writes those of the root's bound again, as it has used.

// Piece is what searches of a block have written to search.Part.Proof.
type Piece struct {
	From    io.Reader
	Records int64
}

// WriteProof writes the proof of a result with status parallel.Optimal to where the options of
// the problem say. Each piece is asked for when it is due, and nil ends them.
func (r *Ready) WriteProof(result *search.Result, next func() (*Piece, error)) error {
	w := r.NewProof()
	for w.Err() == nil {
		piece, err := next()
		if err != nil {
			return err
		}
		if piece == nil {
			break
		}
		if err := w.AddPiece(piece.From, piece.Records); err != nil {
			return err
		}
	}
	w.Finish(result.Rules, result.Default, result.Errors)
	w.Retry()
	result.Stats.ProofBytes, result.Stats.ProofRecords = w.Bytes(), int64(w.Records)
	return w.Fault()
}
