package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"parcorels"
	"parcorels/cmd/internal/console"
	"parcorels/internal/atomicfile"
	"parcorels/parallel"
)

// errNoProof reports a search that was asked for a proof, and ended without one.
var errNoProof = errors.New("no proof")

// setAside renames an earlier proof, so that nobody takes it for that of this search. It
// returns what removes it once there is a new one.
func (f *fitRun) setAside() (replaced func(), err error) {
	path := f.keeping.proof
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return func() {}, nil // there is none; a device or a link stays
	}
	if err := os.Rename(path, earlier(path)); err != nil {
		return nil, outputError{err}
	}
	return func() { _ = os.Remove(earlier(path)) }, nil
}

// earlier is the name of a proof that was set aside.
func earlier(path string) string { return path + ".old" }

// prove runs a search that writes a proof. The file is replaced only by a whole proof that is
// on the disk. What goes wrong with it is a fault, and does not end the search.
func (f *fitRun) prove(ctx context.Context, o parcorels.Options) error {
	replaced, err := f.setAside()
	if err != nil {
		return err
	}
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
		f.endWithoutProof()
	case fault != nil:
		f.fault = unwritable(f.keeping.proof, fault)
	default:
		replaced()
	}
	return nil
}

// endWithoutProof makes the program end with an error that says so, once the model is written.
// A client is told by a note, as is a person who interrupted the search.
func (f *fitRun) endWithoutProof() {
	fault := fmt.Errorf("%w in %s: the search ended before the %s was proved to be optimal", errNoProof, console.Escape(f.keeping.proof), f.family.Noun())
	if _, err := os.Lstat(earlier(f.keeping.proof)); err == nil {
		fault = fmt.Errorf("%w; the earlier proof is now in %s", fault, console.Escape(earlier(f.keeping.proof)))
	}
	if f.client != nil || f.model.Certificate().Status == parallel.Interrupted {
		f.note("%v", fault)
		return
	}
	f.fault = fault
}
