package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"parcorels/family"

	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/verify"
)

// unfinishedProof is the proof of a search that is kept in a checkpoint. It
// lies beside the checkpoint, under a name of its own that lasts, because the
// two belong together: the checkpoint says how much of the proof goes with it.
// A process that is killed leaves both. When the proof is whole it is copied to
// where it is to be, and removed after the checkpoint was: so whatever happens
// on the way, either the result is there or the search can be resumed.
//
// The file is opened when it is first needed, so that what is wrong with the
// checkpoint is told first. The lock of the checkpoint (see checkpointFile) is its lock
// too. It implements blockfile.File.
type unfinishedProof struct {
	path  string
	from  string // that of the checkpoint resumed; "" begins anew
	hash  string // of the data
	sweep func() // removes what killed processes left, once nobody else can be at work
	file  *os.File
}

// proofBeside returns the name of the unfinished proof beside a checkpoint.
func proofBeside(checkpoint string) string {
	if checkpoint == "" {
		return ""
	}
	return checkpoint + ".proof.part"
}

// unfinishedProofError is one of opening the file, which says all there is to say.
type unfinishedProofError struct{ error }

func (e unfinishedProofError) Unwrap() error { return e.error }

// opened returns the file, with its place at the start if it was not open.
func (p *unfinishedProof) opened() (*os.File, error) {
	if p.file != nil {
		return p.file, nil
	}
	from, isNew, err := p.source()
	if err != nil {
		return nil, unfinishedProofError{p.explained(err)}
	}
	defer from.Close() // of no file is an error that does no harm
	flags := os.O_RDWR
	if isNew {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(p.path, flags, 0o666)
	if err != nil {
		return nil, unfinishedProofError{p.explained(err)}
	}
	p.file = f
	p.sweep()
	if err := p.prepare(isNew, from); err != nil {
		if from != nil {
			p.discard()
		}
		p.release()
		return nil, unfinishedProofError{err}
	}
	return f, nil
}

// source opens the other file that is to be copied, if there is one, and
// reports whether the file begins anew: it does unless it is continued.
func (p *unfinishedProof) source() (from *os.File, isNew bool, err error) {
	if p.from == "" {
		return nil, true, nil
	}
	if sameFile(p.from, p.path) {
		return nil, false, nil
	}
	from, err = os.Open(p.from)
	return from, true, err
}

// prepare makes the file ready for the search, which reads or writes it from the start.
// A new file is empty. If new checkpoints go elsewhere than the old ones, the old
// proof, from, is copied and stays good.
func (p *unfinishedProof) prepare(isNew bool, from *os.File) (err error) {
	if isNew {
		err = p.file.Truncate(0)
	}
	if err == nil && from != nil {
		_, err = io.Copy(p.file, from)
	}
	if err != nil {
		return unwritable(p.path, err)
	}
	if p.from == "" {
		return nil
	}
	if _, err = p.file.Seek(0, io.SeekStart); err == nil {
		err = p.sameData(p.file)
	}
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	return err
}

func (p *unfinishedProof) explained(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: is not there, and without what was proved before the proof cannot be completed; continue without --proof, or begin anew", p.from)
	}
	return err
}

// sameData makes sure that the proof was begun with the same file. (Another one may
// make the same problem, but verify would not take it.) What is no proof at all
// is not what the checkpoint was saved with, and refused for that.
func (p *unfinishedProof) sameData(f *os.File) error {
	if s := begunWith(f); s != nil && s.Hash != p.hash {
		return fmt.Errorf("%s: the proof was begun with another file of data, %s", p.from, s.File)
	}
	return nil
}

// begunWith returns what the header of a proof says of the data; nil of what is none.
func begunWith(f io.Reader) *family.ProofSettings {
	proof, err := verify.Open(f)
	if err != nil {
		return nil
	}
	s := &family.ProofSettings{}
	if json.Unmarshal(proof.About().Settings, s) != nil {
		return &family.ProofSettings{}
	}
	return s
}

// on calls do with the file and some bytes.
func (p *unfinishedProof) on(do func(*os.File, []byte) (int, error), b []byte) (int, error) {
	f, err := p.opened()
	if err != nil {
		return 0, err
	}
	return do(f, b)
}

func (p *unfinishedProof) Read(b []byte) (int, error)  { return p.on((*os.File).Read, b) }
func (p *unfinishedProof) Write(b []byte) (int, error) { return p.on((*os.File).Write, b) }

// Truncate and Sync come after a Read or a Write.
func (p *unfinishedProof) Truncate(size int64) error { return p.file.Truncate(size) }
func (p *unfinishedProof) Sync() error               { return p.file.Sync() }

// fault names the file in an error of the proof.
func (p *unfinishedProof) fault(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return noProofError{fmt.Errorf("%s: cannot be written: %w", p.path, path.Err)}
	}
	return err
}

// release closes the file.
func (p *unfinishedProof) release() {
	if p.file != nil {
		_ = p.file.Close()
		p.file = nil
	}
}

// discard removes the file, if it is open. Not every system removes open files.
func (p *unfinishedProof) discard() {
	if p.file == nil {
		return
	}
	p.release()
	_ = os.Remove(p.path)
}

// copyTo makes another file to hold what this one does, as a whole or not at all, and tells
// sum of it.
func (p *unfinishedProof) copyTo(path string, sum io.Writer) error {
	return unwritableProof(path, atomicfile.Write(path, func(w io.Writer) error {
		if _, err := p.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := io.Copy(io.MultiWriter(w, sum), p.file)
		return err
	}))
}

// proveBesideCheckpoint is prove for a search that is kept in a checkpoint.
func (f *fitRun) proveBesideCheckpoint(ctx context.Context, o family.Options) error {
	p := f.file.proof
	p.hash = f.problem.Set.Data.Hash
	if p.from == "" {
		if _, err := p.opened(); err != nil {
			return p.fault(err)
		}
	}
	o.Proof = &family.Proof{File: p}
	var err error
	if f.model, err = f.problem.Fit(ctx, o); err != nil {
		if !f.file.same() {
			p.discard()
		}
		return err
	}
	r, keep := f.model.Search, f.file.exists(f.model)
	optimal := f.model.Certificate().Status == parallel.Optimal
	switch {
	case r.ProofErr != nil:
		f.fault = p.fault(r.ProofErr)
	case !optimal:
		f.endWithoutProof()
	case optimal:
		sum := sha256.New()
		if f.fault = p.copyTo(f.keeping.proof, sum); f.fault != nil {
			keep = true // it is the whole proof
			f.note("the proof is in %s", wording.Escape(p.path))
		} else {
			f.model.About().Proof = digest(sum)
		}
	}
	if !keep {
		p.discard()
	}
	return nil
}
