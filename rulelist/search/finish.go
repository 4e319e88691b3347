package search

import (
	"fmt"
	"time"

	"parcorels/bitvec"
	"parcorels/internal/invariants"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

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
	r.Rules, r.Default = s.p.Labels(best.List)
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
	t := s.totals()
	st := Stats{
		Expanded:    t.Expanded,
		Inserted:    t.Inserted,
		Evaluations: t.Evaluations,
		MapHits:     t.Hits,
		Dominated:   t.Dominated,
		Closed:      t.Closed,
		Live:        len(s.p.Antecedents),
		PeakBytes:   max(s.peak, s.budget.Peak()),
		Search:      t.Elapsed,
		Earlier:     s.saver.before.Elapsed,
		Resumed:     s.saver.open,
		Saves:       s.saver.saves,
		Paused:      s.saver.paused,
		Improved:    s.saver.before.Elapsed + s.incumbent.Load().Found.Sub(s.start),
		Workers:     s.o.Workers,
		Kernel:      bitvec.Kernel(),
	}
	if s.queue != nil {
		st.Longest, st.QueueWaits = s.queue.Deepest(), s.queue.Waits()
	}
	for i, c := range s.counts {
		st.PerWorker = append(st.PerWorker, WorkerStats{c.Expanded.Load(), s.queue.Parked(i)})
	}
	if s.symmetry != nil {
		st.MapEntries = s.symmetry.Entries()
		st.MapRetries = s.symmetry.Retries()
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
	}
	if err := w.Fault(); err != nil {
		r.ProofErr = fmt.Errorf("the proof: %w", err)
	}
	r.Stats.ProofBytes, r.Stats.ProofRecords = w.Bytes(), int64(w.Records)
}
