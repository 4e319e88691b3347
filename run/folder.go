package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
const checkpointFile = "run.ckpt"
const unfinishedFile = "proof.part"
const ProofFile = "proof"

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

// OutputError marks a failure to write a result, or one to come by it that is not
// the fault of what was given.
func OutputError(err error) error { return marked{err, ErrOutput} }

// ErrOutput is the kind of such errors.
var ErrOutput = errors.New("no output")

// CheckOutputs finds out, before the work is done, that one of the files
// cannot be written, is given twice, or would overwrite one that is read. Empty
// paths do not count.
func CheckOutputs(outputs, inputs []string) error {
	for i, path := range outputs {
		for _, other := range outputs[:i] {
			if path == "-" && other == "-" {
				return errors.New("two results cannot both go to stdout")
			}
			if SameFile(path, other) {
				return fmt.Errorf("%s: two results would go to this file", path)
			}
		}
		if path == "" || path == "-" {
			continue
		}
		for _, in := range inputs {
			if SameFile(path, in) {
				return fmt.Errorf("%s: the result would overwrite what it is made from", path)
			}
		}
		if err := atomicfile.Check(path); err != nil {
			return Unwritable(path, err)
		}
	}
	return nil
}

// SameFile reports whether two paths lead to one regular file, or will.
func SameFile(a, b string) bool {
	if a == b {
		return a != "" && a != "-" && a != os.DevNull
	}
	x, err := os.Stat(a)
	if err != nil || !x.Mode().IsRegular() {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Unwritable turns an error of atomicfile about path into one of ours.
func Unwritable(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok && p.Op == "write" && p.Path == path {
		return OutputError(fmt.Errorf("%s: cannot be written: %w", path, p.Err))
	}
	return err
}

// Cause returns what the system said, without the name of the stream.
func Cause(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}

// Await returns what work returns, or the error of ctx as soon as it is done; work goes on then.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
