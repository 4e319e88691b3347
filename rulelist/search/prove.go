package search

import (
	"context"
	"fmt"

	"parcorels/internal/blockfile"
	"parcorels/parallel"
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
