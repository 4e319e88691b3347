//go:build unix

package bench

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the process a group, so that what it starts can be ended with
// it. Ctrl-C in a terminal then reaches only this program, which ends the group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the process and all of its group that still run.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
