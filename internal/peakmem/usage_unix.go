//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package peakmem

import (
	"os"
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
	return peakOf(&u)
}

func usageOf(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return peakOf(u)
	}
	return 0
}

// peakOf returns bytes. Darwin counts in bytes, all others in KiB.
func peakOf(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
