// Package filelock keeps two processes from writing one file.
//
// A process takes the lock of a file before it writes it and releases it when
// it ends; begin with [Take]. The lock is a file of its own beside the other,
// with the ending .lock: Windows does not let a process write what it has locked
// through another handle, and a file that is replaced by renaming would lose its
// lock. The system ends the lock of a process that is killed; the empty file that
// then stays does no harm. Package gofrs/flock locks on every system.
package filelock

import (
	"errors"
	"os"

	"github.com/gofrs/flock"
)

// ErrHeld reports that another process, or another part of this one, has the lock.
var ErrHeld = errors.New("another process is writing it")

// Lock is a lock that is held. A nil Lock is one of a file system without locks.
type Lock struct {
	file *flock.Flock
	path string
}

// attempts is how often a lock is tried for whose file its owner removes
// meanwhile.
const attempts = 100

// Take locks the file path, which need not exist. The error is ErrHeld or nil:
// where the system cannot lock, or the folder cannot be written, the lock is nil.
func Take(path string) (*Lock, error) {
	path += ".lock"
	for range attempts {
		f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
		held, err := f.TryLock()
		if err != nil {
			_ = f.Close()
			return nil, nil
		}
		if !held {
			_ = f.Close()
			return nil, ErrHeld
		}
		// Between opening and locking the file, its owner may have removed it.
		locked, err := f.Stat()
		named, err2 := os.Stat(path)
		if err == nil && err2 == nil && os.SameFile(locked, named) {
			return &Lock{f, path}, nil
		}
		_ = f.Close()
	}
	return nil, ErrHeld
}

// Release removes the lock's file and gives up the lock: in this order, while
// nobody else can have it, unless the system does not remove open files.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	err := os.Remove(l.path)
	_ = l.file.Close()
	if err != nil {
		_ = os.Remove(l.path)
	}
}
