// Package run keeps what a run leaves in files: outputs, a checkpoint, an unfinished proof. Begin with [Open].
package run

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"path/filepath"
	"time"
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
