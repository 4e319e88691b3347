//go:build unix

package bench

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// ownGroup gives the process a group, so that what it starts can be ended with
// it. Ctrl-C in a terminal then reaches only this program, which ends the group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the process and all of its group that still run.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// peakOf returns the peak that the system kept, which is never less than that
// of this process.
func peakOf(state *os.ProcessState) int64 {
	u, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10 // all others count in KiB
}
