package search

import (
	"context"
	"fmt"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/internal/invariants"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
)

// A search and its proof (package record): where it begins, what a checkpoint keeps of it, and where it ends.

// Proof says where Solve writes the proof, and what it is a proof about.
type Proof = blockfile.Proof

// newProof returns a writer that has written the header, nil if no proof is asked
// for.
func (s *search) newProof() *record.Writer {
	p, o := s.p, s.o
	if o.Proof == nil {
		return nil
	}
	w := record.NewWriter(o.Proof, s.budget)
	w.Open(o.Proof, p, o.Lambda, o.MaxRules)
	return w
}

// beginProof writes the header of a proof or, when the search resumes from a
// checkpoint, checks the proof that goes with it. If the context or the time ends
// meanwhile, it returns the status of that and false.
func (s *search) beginProof(ctx context.Context, resumed bool, m record.Mark) (parallel.Status, bool, error) {
	o := s.o
	switch {
	case !resumed || o.Proof == nil:
		s.proof = s.newProof()
		return parallel.Unknown, true, nil
	case m.Bytes == 0:
		return parallel.Unknown, false, fmt.Errorf("%w: it was saved by a search without a proof, and what that did cannot be proved "+
			"any more", save.ErrCheckpoint)
	}
	limited, cancel := s.within(ctx, o.Time)
	defer cancel()
	s.proof = record.NewWriter(o.Proof, s.budget)
	switch err := s.proof.GoOn(limited, m); {
	case err == nil:
		return parallel.Unknown, true, nil
	case limited.Err() == nil:
		return parallel.Unknown, false, err
	case ctx.Err() != nil:
		return parallel.Interrupted, false, nil
	}
	return parallel.TimeLimit, false, nil
}

// keepProof writes the records of all workers, who stand still or have ended, with
// what waited to be written, and makes them last.
func (s *search) keepProof() {
	w := s.proof
	if !w.Lasts() {
		return
	}
	for _, worker := range s.workers {
		if worker != nil {
			worker.proof.Flush()
		}
	}
	w.Keep()
}

// What a search has found and proved, as a result.

// result describes the incumbent and what is proven about it.
func (s *search) result(status parallel.Status, first time.Duration) Result {
	best := s.incumbent.Load()
	r := Result{
		Status:     status,
		Objective:  best.Objective,
		LowerBound: s.lowerBound(status, best),
		Scale:      s.p.Unit * s.p.In.Total,
		Errors:     (best.Objective - s.p.Price*int64(len(best.List))) / s.p.Unit,
	}
	if invariants.On && r.LowerBound > r.Objective {
		panic("search: the lower bound exceeds the objective")
	}
	r.Rules, r.Default = s.p.Rules(best.List)
	r.Stats = s.stats()
	r.Stats.First = first
	r.Weights = s.weights()
	r.ProofKept, r.Short = s.saver.proved, s.proved
	s.finishProof(&r)
	if status != parallel.Optimal {
		r.CheckpointErr = s.saver.err
	}
	return r
}

// lowerBound returns a bound on every list: the incumbent's objective when
// nothing is open, else the best bound, which it caps.
func (s *search) lowerBound(status parallel.Status, best *problem.Solution) int64 {
	switch {
	case status == parallel.Optimal:
		return best.Objective
	case s.queue == nil: // the search did not begin
		return min(best.Objective, s.told())
	}
	bound, open := s.queue.BestBound()
	if !open {
		return best.Objective
	}
	return min(best.Objective, max(bound, s.told()))
}

func (s *search) stats() Stats {
	st := Stats{
		Totals:    s.totals(),
		Live:      len(s.p.Antecedents),
		PeakBytes: max(s.peak, s.budget.Peak()),
		Earlier:   s.saver.before.Search,
		Resumed:   s.saver.open,
		Saves:     s.saver.saves,
		Paused:    s.saver.paused,
		Improved:  s.saver.before.Search + s.incumbent.Load().Found.Sub(s.start),
		Workers:   s.o.Workers,
		Kernel:    bitvec.Kernel(),
	}
	if s.queue != nil {
		st.Longest = s.queue.Deepest()
	}
	for i, c := range s.counts {
		st.PerWorker = append(st.PerWorker, WorkerStats{c.Expanded.Load(), s.queue.Parked(i)})
	}
	if s.symmetry != nil {
		st.MapEntries = s.symmetry.Entries()
	}
	return st
}

// finishProof completes the proof if the result is one, and says how that went.
func (s *search) finishProof(r *Result) {
	w := s.proof
	if w == nil || s.o.Proof == nil { // a block's records are no proof by themselves
		return
	}
	if r.Status == parallel.Optimal {
		w.Finish(r.Rules, r.Default, r.Errors)
		w.Retry() // what it could not write is its fault
	} else if n := min(r.Short.Rules, shortMost); n > 0 && s.o.Proof.File == nil && w.Fault() == nil {
		w.Counted(n)
		w.Finish(r.Rules, r.Default, r.Errors)
		w.Retry()
		if w.Fault() == nil {
			r.Short.Proof = n
		}
	}
	if err := w.Fault(); err != nil {
		r.ProofErr = fmt.Errorf("the proof: %w", err)
	}
	r.Stats.ProofBytes, r.Stats.ProofRecords = w.Bytes(), int64(w.Records)
}
