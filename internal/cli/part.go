package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"parcorels/internal/atomicfile"
	"parcorels/parallel"
	"parcorels/verify"
)

// part is the unfinished proof of a search that is kept in a checkpoint. It
// lies beside the checkpoint, under a name of its own that lasts, because the
// two belong together: the checkpoint says how much of the proof goes with it.
// A process that is killed leaves both. When the proof is whole it is copied to
// where it is to be, and removed after the checkpoint was: so whatever happens
// on the way, either the result is there or the search can be gone on with.
//
// The file is opened when it is first needed, so that what is wrong with the
// checkpoint is told first. It implements parallel.ProofFile.
type part struct {
	path string
	from string // that of the checkpoint resumed; "" begins anew
	hash string // of the data
	file *os.File
}

// partOf returns the name of the unfinished proof beside a checkpoint.
func partOf(checkpoint string) string {
	if checkpoint == "" {
		return ""
	}
	return checkpoint + ".proof.part"
}

// partError is one of opening the file, which says all there is to say.
type partError struct{ error }

func (e partError) Unwrap() error { return e.error }

// opened returns the file, with its place at the begin if it was not open.
func (p *part) opened() (*os.File, error) {
	if p.file != nil {
		return p.file, nil
	}
	open := p.reopen
	if p.from == "" {
		open = p.create
	}
	f, err := open()
	if err != nil {
		return nil, partError{err}
	}
	p.file = f
	return f, nil
}

// create opens an empty file.
func (p *part) create() (*os.File, error) {
	f, err := os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err = p.locked(f); err == nil {
		err = f.Truncate(0)
	}
	if err != nil {
		_ = f.Close()
	}
	return f, err
}

// locked makes sure that no other process writes the file: two searches that
// went on from the same checkpoint would spoil each other's proof.
func (p *part) locked(f *os.File) error {
	if !lock(f) {
		return fmt.Errorf("%s: another search is writing it; give this one a checkpoint of its own", p.path)
	}
	return nil
}

// reopen opens the proof of the search that is gone on with, or a copy if the
// new checkpoints go elsewhere: the old one stays good.
func (p *part) reopen() (*os.File, error) {
	if !sameFile(p.from, p.path) {
		if err := copyFile(p.path, p.from); err != nil {
			return nil, p.explained(err)
		}
	}
	f, err := os.OpenFile(p.path, os.O_RDWR, 0)
	if err != nil {
		return nil, p.explained(err)
	}
	if err = p.locked(f); err == nil {
		err = p.about(f)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = f.Close()
	}
	return f, err
}

func (p *part) explained(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: is not there, and without what was proved before the proof cannot be completed; go on without --proof, or begin anew", p.from)
	}
	return err
}

// about makes sure that the proof was begun with the same file. (Another one may
// make the same problem, but verify would not take it.) What is no proof at all
// is not what the checkpoint was saved with, and refused for that.
func (p *part) about(f *os.File) error {
	proof, err := verify.Open(f)
	if err != nil {
		return nil
	}
	var s proofSettings
	if err := json.Unmarshal(proof.Header().Settings, &s); err != nil || s.Hash != p.hash {
		return fmt.Errorf("%s: the proof was begun with another file of data, %s", p.from, s.File)
	}
	return nil
}

func (p *part) Read(b []byte) (int, error) {
	f, err := p.opened()
	if err != nil {
		return 0, err
	}
	return f.Read(b)
}

func (p *part) Write(b []byte) (int, error) {
	f, err := p.opened()
	if err != nil {
		return 0, err
	}
	return f.Write(b)
}

// Truncate and Sync come after a Read or a Write.
func (p *part) Truncate(size int64) error { return p.file.Truncate(size) }
func (p *part) Sync() error               { return p.file.Sync() }

// fault names the file in an error of the proof.
func (p *part) fault(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return outputError{fmt.Errorf("%s: cannot be written: %w", p.path, path.Err)}
	}
	return err
}

// close closes the file, and removes it unless it is to be kept.
func (p *part) close(keep bool) {
	if p.file == nil {
		return
	}
	_ = p.file.Close()
	if !keep {
		_ = os.Remove(p.path)
	}
}

// copyFile makes the file to hold what from holds, as a whole or not at all.
func copyFile(to, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return unwritable(to, atomicfile.Write(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	}))
}

// solveKeeping is solveProving for a search that is kept in a checkpoint.
func (f *fitted) solveKeeping(ctx context.Context, e *env, s *settings) error {
	settings, err := s.proofSettings(f.path, f.set.Data)
	if err != nil {
		return err
	}
	p := f.keeper.part
	p.hash = f.set.Data.Hash
	if p.from == "" {
		if _, err := p.opened(); err != nil {
			return p.fault(err)
		}
	}
	s.search.Proof = &parallel.Proof{Digest: f.set.Digest(), Settings: settings, File: p}
	err = f.solve(ctx, e, s)
	r := f.result
	keep := f.keeper.there(r)
	switch {
	case err != nil:
	case r.ProofErr != nil:
		f.proofFault = p.fault(r.ProofErr)
	case r.Status != parallel.Optimal && !keep:
		e.noProof(s.proof)
	case r.Status == parallel.Optimal:
		if f.proofFault = copyFile(s.proof, p.path); f.proofFault != nil {
			keep = true // it is the whole proof
			e.note("the proof is in %s", onTerminal(p.path))
		} else {
			f.proof = s.proof
		}
	}
	p.close(keep)
	return err
}
