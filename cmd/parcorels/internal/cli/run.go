// Package cli is the command line of parcorels: what a user types and sees.
//
// Begin with [Process.Run]. It is the whole program but for the process around it, so that tests can
// call it. A command reads its settings from the table of options (options.go),
// which also makes its help, calls the packages that do the work, and writes
// to the standard streams it was given.
//
// # The framework
//
// Commands and flags run on package cobra: it is kept by many, completes command
// lines in four shells, tells which errors
// are unknown names and which are values (so that every mistake keeps its own
// line), and adds .4 MB and no measurable time to a start. Packages kong and
// urfave/cli complete less. Help stays ours, since theirs shows
// neither ranges nor groups of options.
//
// # Conventions
//
//   - Results go to stdout, progress and errors to stderr. An error is exactly
//     one line, "parcorels: file:line: column "x": …".
//   - Exit status 0: done, also when a limit ended the search. 1: a result
//     could not be written, or a proof is refused. 2: bad input or usage. 3: no proof, or one
//     that a limit kept from being checked. 130: interrupted.
//   - Files appear whole or not at all (internal/atomicfile).
//   - Lines fit 80 columns where the names in the data allow it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"parcorels/bitvec"
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
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, runs.ErrOutput), errors.Is(err, verify.ErrRefused): // of whatever result, the proof among them
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

func printVersion(_ context.Context, e *process.Env, _ []string) error {
	return e.Print(fmt.Sprintf("parcorels %s (%s, %s/%s, %s kernels)\n",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, bitvec.Kernel()))
}

// release is the version of a released program, such as "v0.1.0"; .ci/release and the wheel
// set it when they link the program.
var release string

// Version returns the version of the release, or of the module, as "go install" or the
// version control system stamped it on the program.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// software is what the program calls itself in models.
func software() string { return "parcorels " + Version() }

// optionsCommand prints the table of options for other front ends, which test theirs against it.
func printOptions(_ context.Context, e *process.Env, _ []string) error {
	return e.WriteJSON("-", process.NewLearning().Table)
}

// without is the begin of a command that has no options.
func without(run work) func(*call) (work, []process.Group) {
	return func(*call) (work, []process.Group) { return run, nil }
}
