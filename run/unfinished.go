package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/verify"
)

// UnfinishedProof is the proof of a search that is kept in a checkpoint. It
// lies beside the checkpoint, under a name of its own that lasts, because the
// two belong together: the checkpoint says how much of the proof goes with it.
// A process that is killed leaves both. When the proof is whole it is copied to
// where it is to be, and removed after the checkpoint was: so whatever happens
// on the way, either the result is there or the search can be resumed.
//
// The file is opened when it is first needed, so that what is wrong with the
// checkpoint is told first. The lock of the checkpoint (see Checkpoint) is its lock
// too. It implements blockfile.File.
type UnfinishedProof struct {
	Path    string
	Resumes bool   // it goes on where the checkpoint was saved
	Hash    string // of the data
	sweep   func() // removes what killed processes left, once nobody else can be at work
	file    *os.File
}

// ProofBeside returns the name of the unfinished proof beside a checkpoint.
func ProofBeside(checkpoint string) string {
	if checkpoint == "" {
		return ""
	}
	return checkpoint + ".proof.part"
}

// UnopenedError is one of opening the file, which says all there is to say.
type UnopenedError struct{ Err error }

func (e UnopenedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e UnopenedError) Unwrap() error { return e.Err }

// Opened returns the file, with its place at the start if it was not open.
func (p *UnfinishedProof) Opened() (*os.File, error) {
	if p.file != nil {
		return p.file, nil
	}
	flags := os.O_RDWR
	if !p.Resumes {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(p.Path, flags, 0o666)
	if p.Resumes && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: is not there, and without what was proved before the proof cannot be completed; continue without --proof, "+
			"or begin anew", p.Path)
	}
	if err != nil {
		return nil, UnopenedError{err}
	}
	p.file = f
	p.sweep()
	if p.Resumes {
		err = p.sameData(f)
	} else {
		err = Unwritable(p.Path, f.Truncate(0))
	}
	if err != nil {
		p.Release()
		return nil, UnopenedError{err}
	}
	return f, nil
}

// sameData makes sure that the proof was begun with the same file. (Another one may
// make the same problem, but verify would not take it.) What is no proof at all
// is not what the checkpoint was saved with, and refused for that.
func (p *UnfinishedProof) sameData(f *os.File) error {
	if s := begunWith(f); s != nil && s.Hash != p.Hash {
		return fmt.Errorf("%s: the proof was begun with another file of data, %s", p.Path, s.File)
	}
	_, err := f.Seek(0, io.SeekStart)
	return err
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
func (p *UnfinishedProof) on(do func(*os.File, []byte) (int, error), b []byte) (int, error) {
	f, err := p.Opened()
	if err != nil {
		return 0, err
	}
	return do(f, b)
}

func (p *UnfinishedProof) Read(b []byte) (int, error) { return p.on((*os.File).Read, b) }

func (p *UnfinishedProof) Write(b []byte) (int, error) { return p.on((*os.File).Write, b) }

// Truncate and Sync come after a Read or a Write.
func (p *UnfinishedProof) Truncate(size int64) error { return p.file.Truncate(size) }

func (p *UnfinishedProof) Sync() error { return p.file.Sync() }

// Fault names the file in an error of the proof.
func (p *UnfinishedProof) Fault(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return NoProofError{fmt.Errorf("%s: cannot be written: %w", p.Path, path.Err)}
	}
	return err
}

// Release closes the file.
func (p *UnfinishedProof) Release() {
	if p.file != nil {
		_ = p.file.Close()
		p.file = nil
	}
}

// Discard removes the file, if it is open. Not every system removes open files.
func (p *UnfinishedProof) Discard() {
	if p.file == nil {
		return
	}
	p.Release()
	_ = os.Remove(p.Path)
}

// CopyTo makes another file to hold what this one does, as a whole or not at all.
func (p *UnfinishedProof) CopyTo(path string) error {
	return UnwritableProof(path, atomicfile.Write(path, func(w io.Writer) error {
		if _, err := p.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := io.Copy(w, p.file)
		return err
	}))
}
