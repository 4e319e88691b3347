package cli

import (
	"context"
	"errors"
	"io"

	"parcorels"
	"parcorels/cmd/internal/console"
	"parcorels/internal/atomicfile"
)

// errNoProof reports a search that ended without something to prove.
var errNoProof = errors.New("no proof")

// prove runs a search that writes a proof. The file is replaced only by a whole proof that is
// on the disk. What goes wrong with it is a fault, and does not end the search.
func (f *fitRun) prove(ctx context.Context, o parcorels.Options) (err error) {
	begun := false
	fault := atomicfile.Write(f.keeping.proof, func(w io.Writer) error {
		begun = true
		o.Proof = &parcorels.Proof{To: w}
		f.model, err = f.problem.Fit(ctx, o)
		f.announcer.end()
		switch {
		case err != nil:
			return err
		case f.model.Search.ProofErr != nil:
			return f.model.Search.ProofErr
		case !f.model.Search.Proved:
			return errNoProof
		}
		return nil
	})
	switch {
	case !begun:
		return unwritable(f.keeping.proof, fault)
	case err != nil:
		return err
	case errors.Is(fault, errNoProof):
		f.noteNoProof()
	case fault != nil:
		f.fault = unwritable(f.keeping.proof, fault)
	}
	return nil
}

func (f *fitRun) noteNoProof() {
	f.note("no proof in %s: the search ended before the %s was proved to be optimal", console.Escape(f.keeping.proof), f.family.Noun())
}
