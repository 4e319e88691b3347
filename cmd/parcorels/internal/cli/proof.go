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

// prove runs a search for a kind of model that writes its proof to what it is
// given, and says whether the model is proved to be optimal, and what went wrong
// with the proof. The file is there when it is and the whole proof is on the disk,
// and is not touched otherwise. What goes wrong with it is fault, and does not end
// the search; err is the search's own.
func (e *env) prove(path, model string, solve func(io.Writer) (optimal bool, fault, err error)) (written bool, fault, err error) {
	solved := false
	fault = atomicfile.Write(path, func(w io.Writer) error {
		solved = true
		optimal, fault, failed := solve(w)
		switch err = failed; {
		case err != nil:
			return err
		case !optimal:
			return errNoProof
		}
		return fault
	})
	switch {
	case !solved:
		return false, nil, unwritable(path, fault)
	case err != nil:
		return false, nil, err
	case errors.Is(fault, errNoProof):
		e.noProof(path, model)
		return false, nil, nil
	case fault != nil:
		return false, unwritable(path, fault), nil
	}
	return true, nil, nil
}

func (e *env) noProof(path, model string) {
	e.note("no proof in %s: the search ended before the %s was proved to be optimal", onTerminal(path), model)
}

// solveProving is solve with a proof that goes to a file.
func (f *fitted) solveProving(ctx context.Context, e *env, s *settings) error {
	settings, err := s.proofSettings(f.path, f.set.Data)
	if err != nil {
		return err
	}
	s.search.Proof = &search.Proof{Digest: f.set.Digest(), Settings: settings}
	written, fault, err := e.prove(s.proof, "list", func(w io.Writer) (bool, error, error) {
		s.search.Proof.To = w
		if err := f.solve(ctx, e, s); err != nil {
			return false, nil, err
		}
		return f.result.Status == parallel.Optimal, f.result.ProofErr, nil
	})
	if f.proofFault = fault; written {
		f.proof = s.proof
	}
	return err
}

// note prints a line that is no error.
func (e *env) note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.stderr, "parcorels: note: "+format+"\n", args...)
}
