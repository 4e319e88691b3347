package run

import (
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
)

// ErrNoProof reports a search that was asked for a proof, and ended without one.
var ErrNoProof = errors.New("no proof")

// NoProofError is why there is no proof.
type NoProofError struct{ Err error }

func (e NoProofError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e NoProofError) Unwrap() error { return e.Err }

func (e NoProofError) Is(target error) bool { return target == ErrNoProof }

// UnwritableProof is Unwritable of a proof.
func UnwritableProof(path string, err error) error {
	if err = Unwritable(path, err); err != nil {
		return NoProofError{err}
	}
	return nil
}

// SetAside renames an earlier proof, so that nobody takes it for that of this run, whatever
// becomes of it. A device or a pipe stays.
func SetAside(path string) error {
	info, err := os.Lstat(path)
	if path == "" || err != nil || !info.Mode().IsRegular() && info.Mode()&os.ModeSymlink == 0 {
		return nil
	}
	if info, err = os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if err := os.Rename(path, Earlier(path)); err != nil {
		return OutputError{err}
	}
	return nil
}

// Earlier is the name of a proof that was set aside.
func Earlier(path string) string { return path + ".old" }

// Settle removes an earlier proof once there is a new one, and says where it is if the run
// ended before it could have one.
func Settle(path string, err, stopped error, note func(format string, args ...any)) {
	if path == "" {
		return
	}
	if _, missing := os.Stat(path); missing == nil {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			_ = os.Remove(Earlier(path))
		}
		return
	}
	if _, there := os.Lstat(Earlier(path)); there == nil && err != nil && !errors.Is(err, ErrNoProof) && !errors.Is(err, stopped) {
		note("the earlier proof is now in %s", wording.Escape(Earlier(path)))
	}
}

// Digest names the bytes that h was given as models do.
func Digest(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// Proving runs a search that writes a proof. The search says why there
// is no whole proof, as ErrNoProof does. The file is replaced only by a whole proof that is on the
// disk. An error of it is a fault, and does not end the search.
func Proving(path string, search func(*family.Proof) (missing, err error)) (fault, err error) {
	begun := false
	fault = atomicfile.Write(path, func(w io.Writer) (missing error) {
		begun = true
		if missing, err = search(&family.Proof{To: w}); err != nil {
			return err
		}
		return missing
	})
	switch {
	case !begun:
		return nil, UnwritableProof(path, fault)
	case err != nil || fault == ErrNoProof:
		return fault, err
	}
	return UnwritableProof(path, fault), nil
}
