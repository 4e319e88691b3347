package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"parcorels/cmd/internal/console"
	"time"

	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// keeper keeps a search in a file, and takes it from one. The zero value does
// neither.
type keeper struct {
	env   *env
	path  string // that is written; "" for none
	from  string // that is read; "" for none
	every time.Duration
	part  *part  // the unfinished proof; nil for none
	last  string // the failure that was told last
	lock  *filelock.Lock
}

// keeper checks the options of checkpoints before the work is done.
func (e *env) keeper(s *settings) (k keeper, err error) {
	k = keeper{env: e, path: s.checkpoint, from: s.resume, every: s.every}
	if s.checkpoint == "" && s.resume == "" && s.given["every"] {
		return k, errors.New("--every goes with --checkpoint or --resume")
	}
	if s.resume != "" {
		if info, err := os.Stat(s.resume); err != nil {
			return k, err
		} else if info.IsDir() {
			return k, fmt.Errorf("%s: is a folder, expected a checkpoint", s.resume)
		}
		if err := checkOutputs([]string{s.output, s.json, s.proof}, []string{s.resume, partOf(s.resume)}); err != nil {
			return k, err
		}
		if k.path == "" {
			k.path = s.resume
		}
	}
	if err := k.take(); err != nil {
		return k, err
	}
	if info, err := os.Stat(k.path); err == nil && info.Mode().IsRegular() && !k.same() {
		k.release()
		return k, fmt.Errorf("%s: exists already: resume it with --resume, or delete it to start anew", k.path)
	}
	if k.path != "" {
		k.begin(s.proof)
	}
	return k, nil
}

// take locks the checkpoint until release, so that no other search writes it,
// or its proof, or removes them.
func (k *keeper) take() (err error) {
	if k.path == "" || k.path == os.DevNull {
		return nil
	}
	if k.lock, err = filelock.Take(k.path); err != nil {
		return fmt.Errorf("%s: another search is writing it; give this one a checkpoint of its own", k.path)
	}
	return nil
}

func (k *keeper) release() {
	k.lock.Release()
	k.lock = nil
}

// begin removes what a process that was killed left beside the files, and
// arranges for a proof if there is to be one.
func (k *keeper) begin(proof string) {
	sweep := func() {
		for _, path := range []string{k.path, partOf(k.path), proof} {
			if path != "" {
				atomicfile.Sweep(path)
			}
		}
	}
	if proof != "" {
		k.part = &part{path: partOf(k.path), from: partOf(k.from), sweep: sweep}
		return
	}
	sweep()
	if _, err := os.Stat(partOf(k.from)); k.from != "" && err == nil {
		k.env.note("without --proof the search gives up the proof in %s", console.Escape(partOf(k.from)))
	}
}

// exists reports whether a checkpoint is there after a search.
func (k *keeper) there(r search.Result) bool { return r.Stats.Saves > 0 || k.same() }

// same reports whether the file that is read is written as well.
func (k *keeper) same() bool { return sameFile(k.path, k.from) }

// open returns what the search is to do; nil if nothing is to be kept.
func (k *keeper) open(set *rules.Set) (*search.Checkpoint, error) {
	if k.path == "" {
		return nil, nil
	}
	c := &search.Checkpoint{Digest: set.Digest(), Save: k.save, Every: k.every, Failed: k.failed}
	if k.from != "" {
		f, err := os.Open(k.from)
		if err != nil {
			return nil, err
		}
		c.From = bufio.NewReaderSize(&readOnce{f}, 1<<16)
	}
	return c, nil
}

func (k *keeper) save(write func(io.Writer) error) error {
	return unwritable(k.path, atomicfile.Write(k.path, write))
}

// failed tells of a checkpoint that could not be written, once of each cause.
func (k *keeper) failed(err error) {
	if text := console.OneLine(err); text != k.last {
		k.last = text
		k.env.note("%s; the search goes on", text)
	}
}

// finish removes the checkpoint of a search that is done with. One whose proof
// is not complete is not.
func (k *keeper) finish(r search.Result) error {
	if k.path == "" || r.Status != parallel.Optimal || k.part != nil && r.ProofErr != nil && r.ProofKept {
		return nil
	}
	if info, err := os.Stat(k.path); err != nil || !info.Mode().IsRegular() {
		return nil // none was written
	}
	if err := os.Remove(k.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outputError{err}
	}
	if k.part != nil { // of no use without the checkpoint
		k.part.discard()
	} else {
		_ = os.Remove(partOf(k.path))
	}
	return nil
}

// resumed says what the search resumed from.
func (k *keeper) resumed(s search.Stats) string {
	return fmt.Sprintf("resumed from %s: %s open after %s", console.Escape(k.from), wording.Count(s.Resumed, "prefix"), seconds(s.Earlier))
}

// advice says how to resume a search that was stopped.
func (k *keeper) advice(r search.Result, proof string) string {
	if k.path == "" || !k.there(r) {
		return ""
	}
	what := "saved"
	if r.CheckpointErr != nil {
		what = "an earlier checkpoint is kept"
	}
	options := "--resume " + console.Escape(k.path)
	if k.part == nil || r.ProofErr != nil && !r.ProofKept {
		return fmt.Sprintf("(%s: resume with %s)\n", what, options)
	}
	options += " --proof " + console.Escape(proof)
	if r.ProofErr != nil {
		return fmt.Sprintf("(the last checkpoint that has its proof is kept: complete the proof with %s)\n", options)
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
