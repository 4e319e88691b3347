//go:build !unix

package bench

import (
	"os"
	"os/exec"
)

// Without process groups the process alone is ended, and the system keeps no
// peak for its parent.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func peakOf(*os.ProcessState) int64 { return 0 }
