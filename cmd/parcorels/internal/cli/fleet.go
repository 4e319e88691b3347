package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// fleetProgram searches on several machines. It is a program of its own, as its server is large.
const fleetProgram = "parcorels-fleet"

// fleetError is its exit status. It has said why itself.
type fleetError struct{ status int }

func (e fleetError) Error() string {
	return fmt.Sprintf("%s ended with status %d", fleetProgram, e.status)
}

// fleet runs that program with the arguments that follow "fleet".
func (e *env) fleet(ctx context.Context, args []string) error {
	path, err := exec.LookPath(fleetProgram)
	if err != nil {
		return fmt.Errorf("%s is not on the PATH: it searches on several machines, and is built by go build ./cmd/%s in the folder fleet", fleetProgram, fleetProgram)
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Stdin, c.Stdout, c.Stderr = e.stdin, e.stdout, e.stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGINT) }
	c.WaitDelay = time.Minute
	err = c.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return fleetError{max(ended.ExitCode(), 1)}
	}
	return err
}
