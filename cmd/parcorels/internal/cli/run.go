package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"parcorels/cmd/parcorels/internal/fetch"
	"parcorels/verify"
)

// Exit statuses of Run.
const (
	exitDone        = 0
	exitOutput      = 1
	exitInput       = 2
	exitInterrupted = 130
)

// env is what a command has of the process around it.
type env struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	start  time.Time
	args   []string // the command line
	client *client  // nil: a person
	get    Download // nil: another program does

	helpFault error // why help could not be printed
}

// Run executes a command line, without the program's name, and returns the
// exit status. Cancelling ctx interrupts a search, whose best rule list so far
// is then printed.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return RunWith(ctx, nil, args, stdin, stdout, stderr)
}

// Download gets a published file, from the mirror address if that is not empty.
type Download func(ctx context.Context, s fetch.Source, mirror string) ([]byte, error)

// RunWith is Run for a program that downloads by itself.
func RunWith(ctx context.Context, get Download, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := &env{stdin: stdin, stdout: forPeople(stdout), stderr: stderr, start: time.Now(), args: args, get: get}
	ctx, args, err := e.attach(ctx, args)
	if err == nil {
		err = e.dispatch(ctx, args)
	}
	var told toldError
	switch {
	case errors.As(err, &told):
	case e.client != nil && err != nil && !errors.Is(err, errStopped):
		e.client.fail(err)
	case err != nil && !errors.Is(err, errStopped):
		// Nothing can be done if stderr itself fails.
		_, _ = fmt.Fprintf(stderr, "parcorels: %s\n", flagged(oneLine(err)))
	}
	return exitStatus(err)
}

// errInterrupted reports a cancellation before there was anything to show,
// errStopped one after which the result was printed all the same.
var (
	errInterrupted = errors.New("interrupted before there was a result")
	errStopped     = fmt.Errorf("%w: stopped", errInterrupted)
)

// outputError is a failure to write a result, or one to come by it that is not
// the fault of what was given.
type outputError struct{ error }

func (e outputError) Unwrap() error { return e.error }

// toldError is the exit status of another program, which has said what is wrong.
type toldError struct{ status int }

func (e toldError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

func exitStatus(err error) int {
	var output outputError
	var told toldError
	switch {
	case errors.As(err, &told):
		return told.status
	case err == nil:
		return exitDone
	case errors.As(err, &output), errors.Is(err, verify.ErrRefused):
		return exitOutput
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	}
	return exitInput
}

// oneLine returns the text of err on one line, without anything that a
// terminal would interpret.
func oneLine(err error) string {
	text := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		// "open x.csv: no such file" says no more than "x.csv: no such file", which may
		// stand before it already.
		name := path.Path + ": "
		text = strings.Replace(text, path.Op+" "+name, name, 1)
		if strings.HasPrefix(text, path.Path+":") {
			text = path.Path + strings.Replace(text[len(path.Path):], ": "+name, ": ", 1)
		}
	}
	return onTerminal(text)
}
