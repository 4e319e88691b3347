// Package peakmem tells how much memory this process held. Begin with [Peak].
//
// Linux keeps two figures. The one of getrusage survives exec and begins, for a child that was started by vfork as Go
// does, at what its parent held. VmHWM of /proc belongs to the program that runs.
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
