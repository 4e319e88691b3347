package rulelist

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Save writes the model to the file path, in the form that Load reads.
//
// The file appears whole or not at all: it is written beside its final place,
// flushed to the disk and then renamed, so that after an error or a crash path
// holds what it held before. A symbolic link stays one, its target is
// replaced; a device or a pipe is written to directly.
func (m *Model) Save(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return replace(path, 0o666, m.Encode)
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "save", Path: path, Err: errors.New("is a directory, expected a file name")}
	case !info.Mode().IsRegular():
		return writeDevice(path, m.Encode)
	}
	return replace(path, info.Mode().Perm(), m.Encode)
}

// replace writes a new file under a temporary name and renames it to path.
func replace(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8])
	// Not os.CreateTemp: its mode 0600 would shut out the readers that the
	// umask, or the file replaced, lets in.
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(temporary)
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(temporary, path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// syncFolder makes the new name last through a power failure where the system
// can. It cannot everywhere, and the model is in place either way.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
