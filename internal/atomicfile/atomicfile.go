// Package atomicfile writes files that appear whole or not at all.
//
// Begin with [Write], or with [Check] before long work. It is not package
// renameio, which does not do Windows, nor natefinch/atomic, which does not write
// to the disk before it renames and is not kept: here links, devices, pipes and
// modes stay what they are, and [Sweep] removes what a killed process left.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write makes the file path hold what write writes, through a buffer.
//
// A regular file is written beside its final place, flushed to the disk and
// then renamed, so that after an error or a crash path holds what it held
// before. A symbolic link stays one, its target is replaced; a device or a
// pipe is written to directly. An error of the file system is a
// *fs.PathError about path; one of write that is not is returned as it is.
func Write(path string, write func(io.Writer) error) error {
	target, mode, replaced, err := resolve(path)
	if err != nil {
		return about(path, err)
	}
	if !replaced {
		return about(path, writeDevice(target, write))
	}
	return about(path, replace(target, mode, write))
}

// Check returns the error that Write would meet at once, without writing: a
// folder that does not exist or may not be written to, a path that is a folder.
func Check(path string) error {
	target, mode, replaced, err := resolve(path)
	if err != nil || !replaced {
		return about(path, err)
	}
	f, err := create(target, mode)
	if err != nil {
		return about(path, err)
	}
	return about(path, errors.Join(f.Close(), os.Remove(f.Name())))
}

// resolve follows links. It returns the mode that the file has or gets, and
// whether it is to be replaced as a whole.
func resolve(path string) (target string, mode fs.FileMode, replaced bool, err error) {
	target = path
	if t, err := filepath.EvalSymlinks(path); err == nil {
		target = t
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, 0o666, true, nil
	case err != nil:
		return "", 0, false, err
	case info.IsDir():
		return "", 0, false, errors.New("is a folder, expected a file name")
	}
	return target, info.Mode().Perm(), info.Mode().IsRegular(), nil
}

// The ends of temporary names.
const suffixLen = 8
const suffixLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" // of rand.Text

// create makes a new file beside target. It is not os.CreateTemp, whose mode
// 0600 would shut out readers that the umask, or the file replaced, lets in.
func create(target string, mode fs.FileMode) (*os.File, error) {
	temporary := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+rand.Text()[:suffixLen])
	return os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Sweep removes what was left beside path by a Write whose process was killed.
// Nobody else may be writing path.
func Sweep(path string) {
	target, _, replaced, err := resolve(path)
	if err != nil || !replaced {
		return
	}
	folder, base := filepath.Split(target)
	entries, _ := os.ReadDir(filepath.Dir(target)) // what stays costs space, no more
	for _, e := range entries {
		suffix, found := strings.CutPrefix(e.Name(), "."+base+".")
		if found && e.Type().IsRegular() && len(suffix) == suffixLen && strings.Trim(suffix, suffixLetters) == "" {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

func replace(target string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	f, err := create(target, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err = buffered(f, write); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), target); err != nil {
		return err
	}
	// The new name is made to last through a power failure where the system can. It cannot
	// everywhere, and the file is in place either way.
	if d, err := os.Open(filepath.Dir(target)); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	own := write(b)
	// An error of w sticks to b, so that Flush tells it from one of write.
	if err := b.Flush(); err != nil {
		return err
	}
	if own != nil {
		return ownError{own}
	}
	return nil
}

// ownError is an error of the function that writes, not of the file.
type ownError struct{ error }

// about makes an error that names a temporary file name path instead.
func about(path string, err error) error {
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[ownError](err); ok {
		return own.error
	}
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}
