package cli

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
func (f *fitRun) prove(ctx context.Context, o family.Options) error {
	fault, err := runs.Proving(f.keeping.proof, func(to *family.Proof) (missing, err error) {
		o.Proof = to
		f.model, err = f.problem.Fit(ctx, o)
		f.announcer.end()
		switch {
		case err != nil:
			return nil, err
		case f.model.Search.ProofErr == nil && !f.model.Search.Proved:
			return runs.ErrNoProof, nil
		}
		return f.model.Search.ProofErr, nil
	})
	switch {
	case err != nil:
		return err
	case fault == runs.ErrNoProof: // not one that wraps it, which says more
		f.endWithoutProof()
	case fault != nil:
		f.fault = fault
	}
	return nil
}

// endWithoutProof makes the program end with an error that says so, once the model is written.
// A client is told by a note, as is a person who interrupted the search.
func (f *fitRun) endWithoutProof() {
	fault := fmt.Errorf("%w in %s: the search ended before the %s was proved to be optimal", runs.ErrNoProof, wording.Escape(f.keeping.proof), f.family.Noun())
	if _, err := os.Lstat(runs.Earlier(f.keeping.proof)); err == nil {
		fault = fmt.Errorf("%w; the earlier proof is now in %s", fault, wording.Escape(runs.Earlier(f.keeping.proof)))
	}
	if f.Client != nil || f.model.Certificate().Status == parallel.Interrupted {
		f.Note("%v", fault)
		return
	}
	f.fault = fault
}
