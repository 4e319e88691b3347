package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/family"
	"parcorels/internal/wording"
	runs "parcorels/run"
	"parcorels/verify"
)

// Exit statuses of Run.
const (
	exitDone        = 0
	exitOutput      = 1
	exitInput       = 2
	exitNoProof     = 3
	exitInterrupted = 130
)

// env is what a command has of the process around it.
type env struct {
	stdin         io.Reader
	stdout        io.Writer
	stderr        io.Writer
	place         *console.Place // where stderr is a terminal
	start         time.Time
	args          []string // the command line
	client        *client  // nil: a person
	memory        *memory.Manager
	progressEvery time.Duration
	solve         family.Solver

	helpFault error // why help could not be printed
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

// Run executes a command line, without the program's name, and returns the
// exit status. Cancelling ctx interrupts a search, whose best rule list so far
// is then printed.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Process{Stdin: stdin, Stdout: stdout, Stderr: stderr}.Run(ctx, args)
}

// Run is the function Run for a whole process.
func (p Process) Run(ctx context.Context, args []string) int {
	args = testArguments(args)
	e := &env{stdin: p.Stdin, stdout: console.ForPeople(p.Stdout), start: time.Now(), args: args, memory: p.Memory,
		progressEvery: p.ProgressEvery, solve: p.Solve}
	e.stderr, e.place = console.OnTerminal(p.Stderr)
	ctx, args, err := e.attach(ctx, args)
	if err == nil {
		err = e.dispatch(ctx, args)
	}
	switch {
	case e.client != nil && err != nil && !errors.Is(err, errStopped):
		e.client.fail(err)
	case e.client != nil:
		e.client.end()
	case err != nil && !errors.Is(err, errStopped) && !errors.As(err, new(fleetError)):
		// Nothing can be done if stderr itself fails.
		_, _ = fmt.Fprintf(p.Stderr, "parcorels: %s\n", flagged(wording.OneLine(err)))
	}
	return exitStatus(err)
}

// testArguments returns the arguments as they are but in tests.
var testArguments = func(args []string) []string { return args }

// errInterrupted reports a cancellation before there was anything to show,
// errStopped one after which the result was printed all the same.
var (
	errInterrupted = errors.New("interrupted before there was a result")
	errStopped     = fmt.Errorf("%w: stopped", errInterrupted)
)

func exitStatus(err error) int {
	var output runs.OutputError
	var fleet fleetError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &fleet):
		return fleet.status
	case errors.As(err, &output), errors.Is(err, verify.ErrRefused): // of whatever result, the proof among them
		return exitOutput
	case errors.Is(err, runs.ErrNoProof), errors.Is(err, errUnchecked):
		return exitNoProof
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	}
	return exitInput
}

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
		return fmt.Errorf("%s is not on the PATH: it searches on several machines, and is built by go build ./cmd/%s in the folder fleet",
			fleetProgram, fleetProgram)
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
