// Package run keeps what a run leaves in files: outputs, a checkpoint, an unfinished proof. Begin with [Open].
package run

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/verify"
)

// Keeping is how a search outlives its process: names of files, "" for none.
type Keeping struct {
	Checkpoint string
	Every      time.Duration // from one checkpoint to the next
	Resume     string
	Proof      string
}

// Checkpoint keeps a search in a file, and takes it from one. The zero value does
// neither.
type Checkpoint struct {
	Note  func(format string, args ...any) // tells people
	Path  string                           // "" for none
	every time.Duration
	Proof *UnfinishedProof // nil for none

	Resumes bool          // it is read before it is written
	last    string        // the failure that was told last
	Ends    time.Time     // when the limit of time ends the search
	limit   time.Duration // of time, by default
	leave   string        // the name of what is written where the default limit of time ends the search; "" for none
	lock    *filelock.Lock
	reads   *os.File // from, while it is read
}

// Open checks the options of checkpoints before the work is done.
func Open(o Keeping, outputs []string, everyGiven bool, note func(format string, args ...any)) (k *Checkpoint, err error) {
	k = &Checkpoint{Note: note, Path: cmp.Or(o.Resume, o.Checkpoint), every: o.Every, Resumes: o.Resume != ""}
	switch {
	case k.Path == "" && everyGiven:
		return k, errors.New("--every goes with --checkpoint or --resume")
	case k.Resumes && o.Checkpoint != "" && !SameFile(o.Checkpoint, o.Resume):
		return k, errors.New("--resume goes on in its own file: leave --checkpoint out, or copy the file before, with its .proof.part")
	}
	if k.Resumes {
		if info, err := os.Stat(k.Path); err != nil {
			return k, err
		} else if info.IsDir() {
			return k, fmt.Errorf("%s: is a folder, expected a checkpoint", k.Path)
		}
		if err := CheckOutputs(append(outputs, o.Proof), []string{k.Path, ProofBeside(k.Path)}); err != nil {
			return k, err
		}
	}
	if err := k.take(); err != nil {
		return k, err
	}
	if info, err := os.Stat(k.Path); err == nil && info.Mode().IsRegular() && !k.Resumes {
		k.Release()
		return k, fmt.Errorf("%s: exists already: resume it with --resume, or delete it to start anew", k.Path)
	}
	if k.Path != "" {
		k.begin(o.Proof)
	}
	return k, nil
}

// take locks the checkpoint until release, so that no other search writes it,
// or its proof, or removes them.
func (k *Checkpoint) take() (err error) {
	if k.Path == "" || k.Path == os.DevNull {
		return nil
	}
	if k.lock, err = filelock.Take(k.Path); err != nil {
		return fmt.Errorf("%s: another search is writing it; give this one a checkpoint of its own", k.Path)
	}
	return nil
}

func (k *Checkpoint) Release() {
	if k.reads != nil {
		_ = k.reads.Close() // unless it was read to its end
	}
	k.lock.Release()
	k.lock = nil
}

// begin removes what a process that was killed left beside the files, and
// arranges for a proof if there is to be one.
func (k *Checkpoint) begin(proof string) {
	sweep := func() {
		for _, path := range []string{k.Path, ProofBeside(k.Path), proof} {
			if path != "" {
				atomicfile.Sweep(path)
			}
		}
	}
	if proof != "" {
		k.Proof = &UnfinishedProof{Path: ProofBeside(k.Path), Resumes: k.Resumes, sweep: sweep}
		return
	}
	sweep()
	if _, err := os.Stat(ProofBeside(k.Path)); k.Resumes && err == nil {
		k.Note("without --proof the search gives up the proof in %s", wording.Escape(ProofBeside(k.Path)))
	}
}

// Exists reports whether a checkpoint is there after a search.
func (k *Checkpoint) Exists(m *family.Model) bool {
	return m.Stats().Checkpoints > 0 || k.Resumes
}

// Begin returns what the search is to do; nil if nothing is to be kept.
func (k *Checkpoint) Begin() (*family.Checkpoint, error) {
	switch {
	case k.leave != "":
		return &family.Checkpoint{Save: k.left, Every: 2 * k.limit, Failed: k.failed}, nil
	case k.Path == "":
		return nil, nil
	}
	c := &family.Checkpoint{Save: k.save, Every: k.every, Failed: k.failed}
	if k.Resumes {
		var err error
		if k.reads, err = os.Open(k.Path); err != nil {
			return nil, err
		}
		c.From = bufio.NewReaderSize(&readOnce{k.reads}, 1<<16)
	}
	return c, nil
}

// SaveOnTimeLimit keeps a search of the table at path for which nobody asked for a checkpoint,
// if the default limit of time ends it.
func (k *Checkpoint) SaveOnTimeLimit(path string, limit time.Duration) {
	if k.Path == "" {
		k.leave, k.limit = filepath.Base(path), limit
		if path == "-" {
			k.leave = "stdin"
		}
	}
}

// left saves the search at its limit under a name that is free, in the current folder.
func (k *Checkpoint) left(write func(io.Writer) error) error {
	if time.Now().Before(k.Ends) {
		return nil // something else ended it
	}
	path := k.leave + ".ckpt"
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			break
		}
		path = fmt.Sprintf("%s.%d.ckpt", k.leave, i)
	}
	err := atomicfile.Write(path, write)
	if err == nil {
		k.Path = path
	}
	return Unwritable(path, err)
}

func (k *Checkpoint) save(write func(io.Writer) error) error {
	return Unwritable(k.Path, atomicfile.Write(k.Path, write))
}

// failed tells of a checkpoint that could not be written, once of each cause.
func (k *Checkpoint) failed(err error) {
	if text := wording.OneLine(err); text != k.last {
		k.last = text
		k.Note("%s; the search goes on", text)
	}
}

// Finish removes the checkpoint of a search that is done with. One whose proof
// is not complete is not.
func (k *Checkpoint) Finish(m *family.Model) error {
	if k.Path == "" || m.Certificate().Status != parallel.Optimal || k.Proof != nil && m.Search.ProofErr != nil && m.Search.ProofKept {
		return nil
	}
	if info, err := os.Stat(k.Path); err != nil || !info.Mode().IsRegular() {
		return nil // none was written
	}
	if err := os.Remove(k.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return OutputError(err)
	}
	if k.Proof != nil { // of no use without the checkpoint
		k.Proof.Discard()
	} else {
		_ = os.Remove(ProofBeside(k.Path))
	}
	return nil
}

// Resumed says what the search resumed from.
func (k *Checkpoint) Resumed(m *family.Model) string {
	earlier := time.Duration(m.Stats().SecondsEarlier * float64(time.Second))
	return fmt.Sprintf("resumed from %s: %s open after %s", wording.Escape(k.Path), wording.Count(m.Search.Resumed, "prefix"),
		wording.Seconds(earlier))
}

// Advice says how to resume a search that was stopped.
func (k *Checkpoint) Advice(m *family.Model, proof string) string {
	if k.Path == "" || !k.Exists(m) {
		return ""
	}
	r := m.Search
	what := "saved"
	if r.CheckpointErr != nil {
		what = "an earlier checkpoint is kept"
	}
	options := "--resume " + wording.Escape(k.Path)
	if k.Proof != nil && (r.ProofErr == nil || r.ProofKept) {
		options += " --proof " + wording.Escape(proof)
		if r.ProofErr != nil {
			return fmt.Sprintf("(the last checkpoint that has its proof is kept: complete the proof with %s)\n", options)
		}
	}
	return fmt.Sprintf("(%s: resume with %s)\n", what, options)
}

// readOnce closes a file at its end, so that it can be replaced everywhere.
type readOnce struct{ f *os.File }

func (r *readOnce) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	if errors.Is(err, io.EOF) {
		_ = r.f.Close()
	}
	return n, err
}

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
	if path, ok := errors.AsType[*fs.PathError](err); ok {
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
