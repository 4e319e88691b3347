//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package peakmem

import (
	"runtime"
	"syscall"
)

// usage returns the most memory that the process, or its parent before it, held, in bytes,
// 0 if the system does not tell.
func usage() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" { // which counts in bytes, all others in KiB
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
