//go:build !unix

package bench

import "os/exec"

// Without process groups the process alone is ended.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
