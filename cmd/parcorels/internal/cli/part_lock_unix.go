//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"os"
	"syscall"
)

// lock keeps other processes from locking a file, until it is closed or this
// process ends in whatever way. It reports false if one has locked it. On a
// file system that knows no locks there are none.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}
