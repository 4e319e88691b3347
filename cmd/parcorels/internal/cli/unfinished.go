package cli

import (
	"context"
	"parcorels/family"

	"parcorels/internal/wording"
	"parcorels/parallel"
)

// proveBesideCheckpoint is prove for a search that is kept in a checkpoint.
func (f *fitRun) proveBesideCheckpoint(ctx context.Context, o family.Options) error {
	p := f.file.Proof
	p.Hash = f.problem.Set.Data.Hash
	if p.From == "" {
		if _, err := p.Opened(); err != nil {
			return p.Fault(err)
		}
	}
	o.Proof = &family.Proof{File: p}
	var err error
	if f.model, err = f.problem.Fit(ctx, o); err != nil {
		if !f.file.Same() {
			p.Discard()
		}
		return err
	}
	r, keep := f.model.Search, f.file.Exists(f.model)
	optimal := f.model.Certificate().Status == parallel.Optimal
	switch {
	case r.ProofErr != nil:
		f.fault = p.Fault(r.ProofErr)
	case !optimal:
		f.endWithoutProof()
	case optimal:
		if f.fault = p.CopyTo(f.keeping.proof); f.fault != nil {
			keep = true // it is the whole proof
			f.Note("the proof is in %s", wording.Escape(p.Path))
		}
	}
	if !keep {
		p.Discard()
	}
	return nil
}
