package cli

import (
	"context"
	"crypto/sha256"
	"parcorels/family"
	runs "parcorels/run"

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
		sum := sha256.New()
		if f.fault = p.CopyTo(f.keeping.proof, sum); f.fault != nil {
			keep = true // it is the whole proof
			f.note("the proof is in %s", wording.Escape(p.Path))
		} else {
			f.model.About().Proof = runs.Digest(sum)
		}
	}
	if !keep {
		p.Discard()
	}
	return nil
}
