package run

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"parcorels/family"
	"parcorels/internal/atomicfile"
)

// Folder is where a run keeps its files: what was asked and found as JSON, a checkpoint and a proof.
type Folder struct {
	Path  string
	Write func(path string, write func(io.Writer) error) error // as atomicfile.Write, which it is but in tests of a full disk
}

// Names of files of a folder. The unfinished proof belongs with the checkpoint, which says how much of it counts.
const (
	checkpointFile = "run.ckpt"
	unfinishedFile = "proof.part"
	ProofFile      = "proof"
)

// At is the path of a file.
func (f *Folder) At(file string) string { return filepath.Join(f.Path, file) }

// Open opens a file that lies in the folder, not behind a link.
func (f *Folder) Open(file string) (*os.File, error) { return os.OpenInRoot(f.Path, file) }

// Bytes is how much room the files take, 0 of a folder that is not there.
func (f *Folder) Bytes() (n int64) {
	entries, _ := os.ReadDir(f.Path) // none of a run that was removed meanwhile
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// ReadJSON reads a value from a file.
func (f *Folder) ReadJSON(file string, into any) error {
	in, err := f.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	return json.NewDecoder(in).Decode(into)
}

// WriteJSON writes a value to a file.
func (f *Folder) WriteJSON(file string, v any) error {
	return f.Put(file, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(v)
	})
}

// Put writes a file as a whole or not at all.
func (f *Folder) Put(file string, write func(io.Writer) error) error {
	return f.Write(f.At(file), write)
}

// Model reads a model from a file.
func (f *Folder) Model(file string) (*family.Model, error) {
	in, err := f.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return family.Decode(in, file)
}

// Sweep removes what a process that was killed left half written.
func (f *Folder) Sweep(model string) {
	atomicfile.Sweep(f.At(checkpointFile))
	atomicfile.Sweep(f.At(model))
}

// Kept reports whether the folder has a checkpoint.
func (f *Folder) Kept() bool {
	_, err := os.Stat(f.At(checkpointFile))
	return err == nil
}

// Checkpoint adds to c where it is written and read. Close what it returns after the search, nil of a new search.
func (f *Folder) Checkpoint(c *family.Checkpoint) *os.File {
	c.Save = func(write func(io.Writer) error) error { return f.Put(checkpointFile, write) }
	from, err := f.Open(checkpointFile)
	if err != nil {
		return nil
	}
	c.From = &readOnce{from}
	return from
}

// Unfinished opens the file of the proof: at its start beside a checkpoint, empty without one.
func (f *Folder) Unfinished() (*os.File, error) {
	flags := os.O_RDWR | os.O_CREATE
	if !f.Kept() {
		flags |= os.O_TRUNC
	}
	return os.OpenFile(f.At(unfinishedFile), flags, 0o666)
}

// Forget removes the checkpoint with its proof.
func (f *Folder) Forget() (err error) {
	for _, file := range []string{checkpointFile, unfinishedFile} {
		if e := os.Remove(f.At(file)); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// Tidy puts a whole proof in place, and forgets a search that cannot go on. A kill may come before, so each start
// tidies again.
func (f *Folder) Tidy(proved, resumes bool) {
	if proved {
		_ = os.Rename(f.At(unfinishedFile), f.At(ProofFile)) // done already where there is none
	}
	if !resumes {
		_ = f.Forget()
	}
}
