package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/wording"
	runs "parcorels/run"
	"parcorels/verify"
)

// Exit statuses of [Process.Run].
const (
	exitDone        = 0
	exitOutput      = 1
	exitInput       = 2
	exitNoProof     = 3
	exitInterrupted = 130
)

// Run executes a command line, without the program's name, and returns the
// exit status. Cancelling ctx interrupts a search, whose best rule list so far
// is then printed.
func (p Process) Run(ctx context.Context, args []string) int {
	args = testArguments(args)
	e := &process.Env{Stdin: p.Stdin, Stdout: console.ForPeople(p.Stdout), Start: time.Now(), Args: args,
		Memory:        p.Memory,
		ProgressEvery: p.ProgressEvery, Solve: p.Solve, Software: software(), Flag: flagOf}
	e.Stderr, e.Place = console.OnTerminal(p.Stderr)
	ctx, args, err := e.Attach(ctx, args)
	if err == nil {
		err = dispatch(ctx, e, args)
	}
	switch {
	case e.Client != nil && err != nil && !errors.Is(err, process.ErrStopped):
		e.Client.Fail(err)
	case e.Client != nil:
		e.Client.End()
	case err != nil && !errors.Is(err, process.ErrStopped):
		// Nothing can be done if stderr itself fails.
		_, _ = fmt.Fprintf(p.Stderr, "parcorels: %s\n", e.Flagged(wording.OneLine(err)))
	}
	return exitStatus(err)
}

// testArguments returns the arguments as they are but in tests.
var testArguments = func(args []string) []string { return args }

func exitStatus(err error) int {
	var output runs.OutputError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &output), errors.Is(err, verify.ErrRefused): // of whatever result, the proof among them
		return exitOutput
	case errors.Is(err, runs.ErrNoProof), errors.Is(err, errUnchecked):
		return exitNoProof
	case errors.Is(err, process.ErrInterrupted):
		return exitInterrupted
	}
	return exitInput
}

// Process is what the program has of its process. Streams may be shared with other runs; a
// nil Memory leaves the garbage collector of the process as it is.
type Process struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Memory         *memory.Manager
	ProgressEvery  time.Duration // from one look at a search to the next; 0: a second
	Solve          family.Solver // takes the place of the search for a rule list; nil: nothing does
}
