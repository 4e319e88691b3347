package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
	"parcorels/parallel"
)

// errNoProof reports a search that was asked for a proof, and ended without one.
var errNoProof = errors.New("no proof")

// noProofError is why there is no proof.
type noProofError struct{ error }

func (e noProofError) Unwrap() error        { return e.error }
func (e noProofError) Is(target error) bool { return target == errNoProof }

// unwritableProof is unwritable of a proof.
func unwritableProof(path string, err error) error {
	if err = unwritable(path, err); err != nil {
		return noProofError{err}
	}
	return nil
}

// setAside renames an earlier proof, so that nobody takes it for that of this run, whatever
// becomes of it. A device or a pipe stays.
func setAside(path string) error {
	info, err := os.Lstat(path)
	if path == "" || err != nil || !info.Mode().IsRegular() && info.Mode()&os.ModeSymlink == 0 {
		return nil
	}
	if info, err = os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if err := os.Rename(path, earlier(path)); err != nil {
		return outputError{err}
	}
	return nil
}

// earlier is the name of a proof that was set aside.
func earlier(path string) string { return path + ".old" }

// settle removes an earlier proof once there is a new one, and says where it is if the run
// ended before it could have one.
func (e *env) settle(path string, err error) {
	if path == "" {
		return
	}
	if _, missing := os.Stat(path); missing == nil {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			_ = os.Remove(earlier(path))
		}
		return
	}
	if _, there := os.Lstat(earlier(path)); there == nil && err != nil && !errors.Is(err, errNoProof) && !errors.Is(err, errStopped) {
		e.note("the earlier proof is now in %s", wording.Escape(earlier(path)))
	}
}

// digest names the bytes that h was given as models do.
func digest(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// proving runs a search that writes a proof, and returns the name of its bytes. The search says why there
// is no whole proof, as errNoProof does. The file is replaced only by a whole proof that is on the
// disk. What goes wrong with it is a fault, and does not end the search.
func proving(path string, search func(*family.Proof) (missing, err error)) (name string, fault, err error) {
	begun, sum := false, sha256.New()
	fault = atomicfile.Write(path, func(w io.Writer) (missing error) {
		begun = true
		if missing, err = search(&family.Proof{To: io.MultiWriter(w, sum)}); err != nil {
			return err
		}
		return missing
	})
	switch {
	case !begun:
		return "", nil, unwritableProof(path, fault)
	case err != nil || fault == errNoProof:
		return "", fault, err
	}
	return digest(sum), unwritableProof(path, fault), nil
}

// prove runs a search that writes a proof.
func (f *fitRun) prove(ctx context.Context, o family.Options) error {
	name, fault, err := proving(f.keeping.proof, func(to *family.Proof) (missing, err error) {
		o.Proof = to
		f.model, err = f.problem.Fit(ctx, o)
		f.announcer.end()
		switch {
		case err != nil:
			return nil, err
		case f.model.Search.ProofErr == nil && !f.model.Search.Proved:
			return errNoProof, nil
		}
		return f.model.Search.ProofErr, nil
	})
	switch {
	case err != nil:
		return err
	case fault == errNoProof: // not one that wraps it, which says more
		f.endWithoutProof()
	case fault != nil:
		f.fault = fault
	default:
		f.model.About().Proof = name
	}
	return nil
}

// endWithoutProof makes the program end with an error that says so, once the model is written.
// A client is told by a note, as is a person who interrupted the search.
func (f *fitRun) endWithoutProof() {
	fault := fmt.Errorf("%w in %s: the search ended before the %s was proved to be optimal", errNoProof, wording.Escape(f.keeping.proof), f.family.Noun())
	if _, err := os.Lstat(earlier(f.keeping.proof)); err == nil {
		fault = fmt.Errorf("%w; the earlier proof is now in %s", fault, wording.Escape(earlier(f.keeping.proof)))
	}
	if f.client != nil || f.model.Certificate().Status == parallel.Interrupted {
		f.note("%v", fault)
		return
	}
	f.fault = fault
}
