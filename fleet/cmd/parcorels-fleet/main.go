// Parcorels-fleet searches for one optimal rule list on several machines.
// Begin with "parcorels-fleet help".
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"parcorels/cmd/parcorels/program"
	"parcorels/fleet"
)

const help = `parcorels-fleet: one optimal rule list on several machines

usage: parcorels-fleet serve TABLE --lambda λ --dir FOLDER [options]
       parcorels-fleet work FILE [options]

serve learns the list that "parcorels fit" learns, byte for byte. It starts an embedded server in
the folder, searches with all processors of this machine, and prints the command that lets another
machine join. Ctrl-C, or the end of the process, loses nothing: the same command continues.
work joins until the job is done.

Each command has --help.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second one ends the process
	}()
	fleet.Release = program.Version()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exitStatus is that of a command that has said itself what is wrong.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("status %d", int(s)) }

// usageError is a wrong command line.
type usageError struct{ error }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	commands := map[string]func(context.Context, []string, io.Writer, io.Writer) error{
		"serve": serve, "work": work,
	}
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		fmt.Fprint(stdout, help)
		return 0
	}
	command := commands[args[0]]
	if command == nil {
		fmt.Fprintf(stderr, "parcorels-fleet: no command %q: expected serve or work\n", args[0])
		return 2
	}
	err := command(ctx, args[1:], stdout, stderr)
	var ended exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return int(ended)
	case errors.Is(err, context.Canceled):
		return 130
	default:
		fmt.Fprintf(stderr, "parcorels-fleet: %v\n", err)
		var usage usageError
		if errors.As(err, &usage) {
			return 2
		}
		return 1
	}
}

func work(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var w fleet.Worker
	var memory float64
	var patience time.Duration
	f := newFlags("work", "FILE [options]", stdout)
	f.IntVarP(&w.Workers, "workers", "w", 0, "goroutines of the search (default: all processors)")
	f.Float64Var(&memory, "memory", 0, "most gigabytes of the search (default: no limit)")
	f.StringVar(&w.Name, "name", "", "name of this worker (default: of the host and the process)")
	f.DurationVar(&patience, "patience", 10*time.Minute, "how long to wait for a server that is away")
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return usageError{err}
	case f.NArg() != 1:
		return usageError{errors.New("work: expected the file that serve has made: join in its folder")}
	case w.Workers < 0 || memory < 0 || patience <= 0:
		return usageError{errors.New("--workers, --memory and --patience: expected no negative number")}
	}
	w.Memory = int64(memory * (1 << 30))
	w.Say = func(text string) { fmt.Fprintf(stderr, "parcorels-fleet: %s\n", text) }
	nc, err := fleet.Connect(ctx, f.Arg(0), patience, w.Say)
	if err != nil {
		return err
	}
	defer nc.Close()
	return w.Run(ctx, nc)
}
