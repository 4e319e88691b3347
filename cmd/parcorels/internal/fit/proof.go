package fit

import (
	"context"
	"fmt"
	"os"

	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/parallel"
	runs "parcorels/run"
)

// prove runs a search that writes a proof.
func (f *Run) prove(ctx context.Context, o family.Options) error {
	fault, err := runs.Proving(f.Keeping.Proof, func(to *family.Proof) (missing, err error) {
		o.Proof = to
		err = f.solve(ctx, o)
		f.Announcer.end()
		switch {
		case err != nil:
			return nil, err
		case f.Model.Search.Short.Proof > 0:
			return nil, nil
		case f.Model.Search.ProofErr == nil && !f.Model.Search.Proved:
			return runs.ErrNoProof, nil
		}
		return f.Model.Search.ProofErr, nil
	})
	switch {
	case err != nil:
		return err
	case fault == runs.ErrNoProof: // not one that wraps it, which says more
		f.endWithoutProof()
	case fault != nil:
		f.fault = fault
	case f.Model.Search.Short.Proof > 0:
		f.endWithoutProof()
	}
	return nil
}

// endWithoutProof makes the program end with an error that says so, once the model is written.
// A client is told by a note, as is a person who interrupted the search.
func (f *Run) endWithoutProof() {
	fault := fmt.Errorf("%w in %s: the search ended before the %s was proved to be optimal", runs.ErrNoProof,
		wording.Escape(f.Keeping.Proof), f.Family.Noun())
	if n := f.Model.Search.Short.Proof; n > 0 {
		fault = fmt.Errorf("%w that the list is optimal: the search ended before; %s proves that no list of at most %s is better",
			runs.ErrNoProof, wording.Escape(f.Keeping.Proof), wording.Count(int64(n), "rule"))
	} else if _, err := os.Lstat(runs.Earlier(f.Keeping.Proof)); err == nil {
		fault = fmt.Errorf("%w; the earlier proof is now in %s", fault, wording.Escape(runs.Earlier(f.Keeping.Proof)))
	}
	if f.Client != nil || f.interrupted() {
		f.Note("%v", fault)
		return
	}
	f.fault = fault
}

// proveBesideCheckpoint is prove for a search that is kept in a checkpoint.
func (f *Run) proveBesideCheckpoint(ctx context.Context, o family.Options) error {
	p := f.File.Proof
	err := p.Open(f.Problem.Set.Data.Hash)
	switch {
	case err != nil && p.Resumes:
		return err
	case err != nil:
		return p.Fault(err)
	}
	o.Proof = &family.Proof{File: p}
	if f.Model, err = f.Problem.Fit(ctx, o); err != nil {
		if !f.File.Resumes {
			p.Discard()
		}
		return err
	}
	r, keep := f.Model.Search, f.File.Exists(f.Model)
	optimal := f.Model.Certificate().Status == parallel.Optimal
	switch {
	case r.ProofErr != nil:
		f.fault = p.Fault(r.ProofErr)
	case !optimal:
		f.endWithoutProof()
	case optimal:
		if f.fault = p.CopyTo(f.Keeping.Proof); f.fault != nil {
			keep = true // it is the whole proof
			f.Note("the proof is in %s", wording.Escape(p.Path))
		}
	}
	if !keep {
		p.Discard()
	}
	return nil
}
