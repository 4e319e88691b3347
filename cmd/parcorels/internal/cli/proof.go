package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"parcorels/internal/atomicfile"
	"parcorels/parallel"
	"parcorels/rulelist/search"
)

// errNoProof reports a search that ended without something to prove.
var errNoProof = errors.New("no proof")

// solveProving is solve with a proof that goes to a file. The file is there
// when the list is proved to be optimal and the whole proof is on the disk, and
// is not touched otherwise. What goes wrong with it does not end the search: it
// is kept in f.proof, and err is the search's own.
func (f *fitted) solveProving(ctx context.Context, e *env, s *settings) (err error) {
	settings, err := s.proofSettings(f.path, f.set.Data)
	if err != nil {
		return err
	}
	s.search.Proof = &search.Proof{Digest: f.set.Digest(), Settings: settings}
	solved := false
	fault := atomicfile.Write(s.proof, func(w io.Writer) error {
		s.search.Proof.To = w
		solved = true
		if err = f.solve(ctx, e, s); err != nil {
			return err
		}
		if f.result.Status != parallel.Optimal {
			return errNoProof
		}
		return f.result.ProofErr
	})
	switch {
	case !solved:
		return unwritable(s.proof, fault)
	case err != nil:
		return err
	case errors.Is(fault, errNoProof):
		e.noProof(s.proof)
	case fault != nil:
		f.proofFault = unwritable(s.proof, fault)
	default:
		f.proof = s.proof
	}
	return nil
}

func (e *env) noProof(path string) {
	e.note("no proof in %s: the search ended before the list was proved to be optimal", onTerminal(path))
}

// note prints a line that is no error.
func (e *env) note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.stderr, "parcorels: note: "+format+"\n", args...)
}
