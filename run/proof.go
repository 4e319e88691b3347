package run

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/verify"
)

// ErrNoProof reports a search that was asked for a proof, and ended without one.
var ErrNoProof = errors.New("no proof")

// marked is an error that is of a kind, and does not say so.
type marked struct {
	error
	kind error
}

// Unwrap returns the cause, and the kind.
func (e marked) Unwrap() []error { return []error{e.error, e.kind} }

// UnwritableProof is Unwritable of a proof.
func UnwritableProof(path string, err error) error {
	if err = Unwritable(path, err); err != nil {
		return marked{err, ErrNoProof}
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
		return OutputError(err)
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

// UnfinishedProof is the proof of a search that is kept in a checkpoint. It
// lies beside the checkpoint, under a name of its own that lasts, because the
// two belong together: the checkpoint says how much of the proof goes with it.
// A process that is killed leaves both. When the proof is whole it is copied to
// where it is to be, and removed after the checkpoint was: so whatever happens
// on the way, either the result is there or the search can be resumed.
//
// The lock of the checkpoint (see Checkpoint) is its lock too.
type UnfinishedProof struct {
	*os.File // nil unless it is open
	Path     string
	Resumes  bool   // it goes on where the checkpoint was saved
	sweep    func() // removes what killed processes left, once nobody else can be at work
}

// ProofBeside returns the name of the unfinished proof beside a checkpoint.
func ProofBeside(checkpoint string) string {
	if checkpoint == "" {
		return ""
	}
	return checkpoint + ".proof.part"
}

// ErrUnopened reports the file that could not be opened, which the error says itself.
var ErrUnopened = errors.New("not opened")

// Open opens the file, with its place at the start, for a search on data of this hash.
func (p *UnfinishedProof) Open(hash string) (err error) {
	flags := os.O_RDWR
	if !p.Resumes {
		flags |= os.O_CREATE
	}
	p.File, err = os.OpenFile(p.Path, flags, 0o666)
	switch {
	case p.Resumes && errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%s: is not there, and without what was proved before the proof cannot be completed; continue without --proof, "+
			"or begin anew", p.Path)
	case err == nil && p.Resumes:
		p.sweep()
		err = p.sameData(hash)
	case err == nil:
		p.sweep()
		err = Unwritable(p.Path, p.Truncate(0))
	}
	if err != nil {
		p.Release()
		return marked{err, ErrUnopened}
	}
	return nil
}

// sameData makes sure that the proof was begun with the same file. (Another one may
// make the same problem, but verify would not take it.) What is no proof at all
// is not what the checkpoint was saved with, and refused for that.
func (p *UnfinishedProof) sameData(hash string) error {
	if s := begunWith(p); s != nil && s.Hash != hash {
		return fmt.Errorf("%s: the proof was begun with another file of data, %s", p.Path, s.File)
	}
	_, err := p.Seek(0, io.SeekStart)
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

// Fault names the file in an error of the proof.
func (p *UnfinishedProof) Fault(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return marked{fmt.Errorf("%s: cannot be written: %w", p.Path, path.Err), ErrNoProof}
	}
	return err
}

// Release closes the file.
func (p *UnfinishedProof) Release() {
	if p.File != nil {
		_ = p.Close()
		p.File = nil
	}
}

// Discard removes the file, if it is open. Not every system removes open files.
func (p *UnfinishedProof) Discard() {
	if p.File == nil {
		return
	}
	p.Release()
	_ = os.Remove(p.Path)
}

// CopyTo makes another file to hold what this one does, as a whole or not at all.
func (p *UnfinishedProof) CopyTo(path string) error {
	return UnwritableProof(path, atomicfile.Write(path, func(w io.Writer) error {
		if _, err := p.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := io.Copy(w, p)
		return err
	}))
}

// Verify checks a proof about a model. Data reads the table as the proof says.
func Verify(ctx context.Context, in io.Reader, m model.Model, data func(family.Reading) (*family.Data, error),
	o family.VerifyOptions) (*family.Verification, error) {
	proof, err := verify.Open(bufio.NewReaderSize(in, 1<<16))
	if err != nil {
		return nil, err
	}
	settings, read, mining, err := family.ReadProof(proof)
	if err != nil {
		return nil, err
	}
	d, err := data(read)
	if err != nil {
		return nil, err
	}
	if d.Hash != settings.Hash {
		return nil, fmt.Errorf("%s is not the table that the proof was made for", d.Source)
	}
	set, err := family.Mine(ctx, d, mining)
	if err != nil {
		return nil, err
	}
	v, err := family.Verify(ctx, proof, set, read, o)
	if err != nil {
		return nil, err
	}
	if differ := model.Differ(v.Model, m); differ != nil {
		return nil, fmt.Errorf("the proof is about another model: %w", differ)
	}
	return v, nil
}
