package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"parcorels/cmd/internal/console"
	"parcorels/family"
	"path/filepath"
	"time"

	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
	"parcorels/internal/wording"
	"parcorels/parallel"
)

// checkpointFile keeps a search in a file, and takes it from one. The zero value does
// neither.
type checkpointFile struct {
	env   *env
	path  string // that is written; "" for none
	from  string // that is read; "" for none
	every time.Duration
	proof *unfinishedProof // nil for none
	last  string           // the failure that was told last
	ends  time.Time        // when the limit of time ends the search
	leave string           // the name of what is written where the default limit of time ends the search; "" for none
	lock  *filelock.Lock
	reads *os.File // from, while it is read
}

// openCheckpoint checks the options of checkpoints before the work is done.
func (e *env) openCheckpoint(o *keeping, out output, everyGiven bool) (k *checkpointFile, err error) {
	k = &checkpointFile{env: e, path: o.checkpoint, from: o.resume, every: o.every}
	if o.checkpoint == "" && o.resume == "" && everyGiven {
		return k, errors.New("--every goes with --checkpoint or --resume")
	}
	if o.resume != "" {
		if info, err := os.Stat(o.resume); err != nil {
			return k, err
		} else if info.IsDir() {
			return k, fmt.Errorf("%s: is a folder, expected a checkpoint", o.resume)
		}
		if err := checkOutputs([]string{out.modelFile, out.json, o.proof}, []string{o.resume, proofBeside(o.resume)}); err != nil {
			return k, err
		}
		k.path = cmp.Or(k.path, o.resume)
	}
	if err := k.take(); err != nil {
		return k, err
	}
	if info, err := os.Stat(k.path); err == nil && info.Mode().IsRegular() && !k.same() {
		k.release()
		return k, fmt.Errorf("%s: exists already: resume it with --resume, or delete it to start anew", k.path)
	}
	if k.path != "" {
		k.begin(o.proof)
	}
	return k, nil
}

// take locks the checkpoint until release, so that no other search writes it,
// or its proof, or removes them.
func (k *checkpointFile) take() (err error) {
	if k.path == "" || k.path == os.DevNull {
		return nil
	}
	if k.lock, err = filelock.Take(k.path); err != nil {
		return fmt.Errorf("%s: another search is writing it; give this one a checkpoint of its own", k.path)
	}
	return nil
}

func (k *checkpointFile) release() {
	if k.reads != nil {
		_ = k.reads.Close() // unless it was read to its end
	}
	k.lock.Release()
	k.lock = nil
}

// begin removes what a process that was killed left beside the files, and
// arranges for a proof if there is to be one.
func (k *checkpointFile) begin(proof string) {
	sweep := func() {
		for _, path := range []string{k.path, proofBeside(k.path), proof} {
			if path != "" {
				atomicfile.Sweep(path)
			}
		}
	}
	if proof != "" {
		k.proof = &unfinishedProof{path: proofBeside(k.path), from: proofBeside(k.from), sweep: sweep}
		return
	}
	sweep()
	if _, err := os.Stat(proofBeside(k.from)); k.from != "" && err == nil {
		k.env.note("without --proof the search gives up the proof in %s", wording.Escape(proofBeside(k.from)))
	}
}

// exists reports whether a checkpoint is there after a search.
func (k *checkpointFile) exists(m *family.Model) bool {
	return m.Stats().Checkpoints > 0 || k.same()
}

// same reports whether the file that is read is written as well.
func (k *checkpointFile) same() bool { return sameFile(k.path, k.from) }

// open returns what the search is to do; nil if nothing is to be kept.
func (k *checkpointFile) open() (*family.Checkpoint, error) {
	switch {
	case k.leave != "":
		return &family.Checkpoint{Save: k.left, Every: 2 * defaultTime, Failed: k.failed}, nil
	case k.path == "":
		return nil, nil
	}
	c := &family.Checkpoint{Save: k.save, Every: k.every, Failed: k.failed}
	if k.from != "" {
		var err error
		if k.reads, err = os.Open(k.from); err != nil {
			return nil, err
		}
		c.From = bufio.NewReaderSize(&readOnce{k.reads}, 1<<16)
	}
	return c, nil
}

// leaveAtLimit keeps a search of the table at path for which nobody asked for a checkpoint,
// if the default limit of time ends it.
func (k *checkpointFile) leaveAtLimit(path string) {
	if k.path == "" {
		k.leave = filepath.Base(path)
		if path == "-" {
			k.leave = "stdin"
		}
	}
}

// left saves the search at its limit under a name that is free, in the current folder.
func (k *checkpointFile) left(write func(io.Writer) error) error {
	if time.Now().Before(k.ends) {
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
		k.path = path
	}
	return unwritable(path, err)
}

func (k *checkpointFile) save(write func(io.Writer) error) error {
	return unwritable(k.path, atomicfile.Write(k.path, write))
}

// failed tells of a checkpoint that could not be written, once of each cause.
func (k *checkpointFile) failed(err error) {
	if text := console.OneLine(err); text != k.last {
		k.last = text
		k.env.note("%s; the search goes on", text)
	}
}

// finish removes the checkpoint of a search that is done with. One whose proof
// is not complete is not.
func (k *checkpointFile) finish(m *family.Model) error {
	if k.path == "" || m.Certificate().Status != parallel.Optimal || k.proof != nil && m.Search.ProofErr != nil && m.Search.ProofKept {
		return nil
	}
	if info, err := os.Stat(k.path); err != nil || !info.Mode().IsRegular() {
		return nil // none was written
	}
	if err := os.Remove(k.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outputError{err}
	}
	if k.proof != nil { // of no use without the checkpoint
		k.proof.discard()
	} else {
		_ = os.Remove(proofBeside(k.path))
	}
	return nil
}

// resumed says what the search resumed from.
func (k *checkpointFile) resumed(m *family.Model) string {
	earlier := time.Duration(m.Stats().SecondsEarlier * float64(time.Second))
	return fmt.Sprintf("resumed from %s: %s open after %s", wording.Escape(k.from), wording.Count(m.Search.Resumed, "prefix"),
		wording.Seconds(earlier))
}

// advice says how to resume a search that was stopped.
func (k *checkpointFile) advice(m *family.Model, proof string) string {
	if k.path == "" || !k.exists(m) {
		return ""
	}
	r := m.Search
	what := "saved"
	if r.CheckpointErr != nil {
		what = "an earlier checkpoint is kept"
	}
	options := "--resume " + wording.Escape(k.path)
	if k.proof != nil && (r.ProofErr == nil || r.ProofKept) {
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
