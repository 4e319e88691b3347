// Package peakmem tells how much memory processes held. Begin with [Peak] for the
// process itself, or with [PeakOf] for another one.
//
// Linux keeps two figures. The one that getrusage and wait4 give survives exec
// and begins, for a child that was started by vfork as Go does, at what its
// parent held: it says nothing of a process that is smaller than its parent.
// VmHWM of /proc belongs to the program that runs, but is gone once that has
// ended.
package peakmem

import (
	"os"
	"strconv"
	"strings"
)

// Peak returns the most memory that this process held so far, in bytes, 0 if
// the system does not tell.
func Peak() int64 {
	if n := highWater("/proc/self/status"); n > 0 {
		return n
	}
	return usage()
}

// PeakOf is Peak for another process that is still running.
func PeakOf(pid int) int64 { return highWater("/proc/" + strconv.Itoa(pid) + "/status") }

// PeakOfEnded returns the peak that the system kept of a process that has ended, in bytes, 0 if
// it kept none. It is never less than that of this process.
func PeakOfEnded(state *os.ProcessState) int64 { return usageOf(state) }

// highWater reads the line "VmHWM:	  2432 kB" of a status file, 0 if there is
// none.
func highWater(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	_, rest, found := strings.Cut(string(text), "\nVmHWM:")
	f := strings.Fields(rest)
	if !found || len(f) < 2 || f[1] != "kB" {
		return 0
	}
	n, err := strconv.ParseInt(f[0], 10, 53)
	if err != nil {
		return 0
	}
	return n << 10
}
